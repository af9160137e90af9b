/** A note with its replies. Its owner and administrators see all of them, a recipient only their own conversation. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { cached, type Written } from '../../platform/http/cache.ts'
import { joined, LongList, type Wire, wireText } from '../../platform/http/wire.ts'
import type { NoteRecipientStatus } from '../../platform/tables.ts'
import type { NoteThread } from './shapes.ts'
import { REPLY_WRITER, recipientJson, replyJson, textsOf, threadJson } from './views.ts'

type Thread = Wire<Static<typeof NoteThread>>
interface Reader {
  id: number
  isAdmin: boolean
}
interface ThreadSummary {
  standing: 'owner' | 'recipient' | 'admin'
  status: NoteRecipientStatus | null
  /** Null if the thread is too long to be sent whole. */
  version: string | null
}

/** A thread with more recipients or replies than this, or with more bytes of text, is read in batches. */
const MOST_WHOLE = 500
const MOST_BYTES = 1024 * 1024

/**
 * Common table expressions: the note, if the reader may know of it, with the reader's `standing` and the `version` of what they see.
 * The version consists of the `xmin` (the writing transaction) of each row shown. For replies, their number and highest id are enough,
 * because replies never change: they are only added, and lose their writer with a recipient's row. The id alone is not enough, because
 * replies may be committed out of order. A long thread has no version.
 */
const known = (id: number, reader: Reader) => sql`
  with note as materialized (
    select n.id, n.user_id, n.xmin as written, r.status,
      case when n.user_id = ${reader.id} then 'owner' when r.id is not null then 'recipient' when ${reader.isAdmin}::boolean then 'admin' end as standing
    from notes as n left join note_recipients as r on r.note_id = n.id and r.recipient_id = ${reader.id}
    where n.id = ${id}
  ), seen as materialized (
    select note.*, case when recipients.count + replies.count <= ${MOST_WHOLE} and replies.bytes <= ${MOST_BYTES} then
      concat_ws(' ', standing, written, (select xmin from users where id = note.user_id), versions, replies.count || '/' || last) end as version
    from note cross join lateral (
      select count(*), string_agg(concat_ws('.', r.id, r.written, u.xmin), ' ' order by r.id) as versions from (
        select id, xmin as written, recipient_id from note_recipients
        where note_id = note.id and (note.standing <> 'recipient' or recipient_id = ${reader.id}) limit ${MOST_WHOLE + 1}
      ) as r join users as u on u.id = r.recipient_id
    ) as recipients cross join lateral (
      select count(*), max(id) as last, coalesce(sum(octet_length(content)), 0) as bytes from (
        select id, content from note_replies
        where note_id = note.id and (note.standing <> 'recipient' or recipient_id = ${reader.id}) limit ${MOST_WHOLE + 1}
      ) as p
    ) as replies
    where standing is not null
  )`

const lookAt = async (db: Reads, id: number, reader: Reader) =>
  (await sql<ThreadSummary>`${known(id, reader)} select standing, status, version from seen`.execute(db)).rows[0]

const json = threadJson('seen.standing', 'seen.status', {
  recipients: `coalesce((select json_agg(${recipientJson} order by r.id) from theirs as r join users as u on u.id = r.recipient_id), '[]')`,
  replies: `coalesce((select json_agg(${replyJson} order by p.id) from said as p ${REPLY_WRITER}), '[]')`,
})
/** The JSON of a thread without its lists. */
const headJson = threadJson('seen.standing', 'seen.status')

/** The thread, if the reader may know of it; without its lists if it is long. */
const findThread = async (db: Reads, id: number, reader: Reader) =>
  (
    await sql<ThreadSummary & Pick<Written, 'text'>>`${known(id, reader)}, theirs as (
        select r.* from seen join note_recipients as r on r.note_id = seen.id
        where seen.standing <> 'recipient' or r.recipient_id = ${reader.id}
      ), said as (
        select p.* from seen join note_replies as p on p.note_id = seen.id
        where seen.standing <> 'recipient' or p.recipient_id = ${reader.id}
      )
      select standing, seen.status, version, case when version is null then ${sql.raw(headJson)}::text else ${sql.raw(json)}::text end as text
      from seen join notes as n on n.id = seen.id join users as o on o.id = n.user_id`.execute(db)
  ).rows[0]

/** Whether reading the thread must be recorded or changes the note’s status. */
const leavesTrace = ({ standing, status }: ThreadSummary) => standing === 'admin' || status === 'unread'
const unlessTraced = <K extends ThreadSummary>(found: K | undefined) => (found && leavesTrace(found) ? undefined : found)

/** A long thread: its head, then its lists in batches. */
function longThread(
  db: Reads,
  id: number,
  { reader, standing, head }: { reader: Reader; standing: ThreadSummary['standing']; head: string },
) {
  const own = (row: string) => (standing === 'recipient' ? sql`and ${sql.ref(`${row}.recipientId`)} = ${reader.id}` : sql``)
  const next = (row: string, after: { id: number } | null) => (after ? sql`and ${sql.ref(`${row}.id`)} > ${after.id}` : sql``)
  const recipients = textsOf(db, recipientJson, {
    // Without `offset 0`, the planner may search the recipients of all notes in the order of their ids.
    rows: (after) => sql`from (select * from note_recipients where note_id = ${id} offset 0) as r join users as u on u.id = r.recipient_id
      where true ${own('r')} ${next('r', after)}`,
    keys: 'r.id',
    order: 'r.id',
  })
  const replies = textsOf(db, replyJson, {
    rows: (after) => sql`from note_replies as p join notes as n on n.id = p.note_id ${sql.raw(REPLY_WRITER)}
      where p.note_id = ${id} ${own('p')} ${next('p', after)}`,
    keys: 'p.id',
    order: 'p.id',
  })
  async function* pieces() {
    yield `${head.slice(0, -1)}, "recipients": `
    yield* joined(recipients)
    yield ', "replies": '
    yield* joined(replies)
    yield '}'
  }
  return new LongList<Static<typeof NoteThread>>(pieces())
}
type Found = NonNullable<Awaited<ReturnType<typeof findThread>>>
const longOf = (db: Reads, id: number, reader: Reader, { standing, text }: Found) => longThread(db, id, { reader, standing, head: text })

/** Whether a reader may still read a thread while it is being sent. `how` is the right by which they began to read it. */
export async function mayReadThreadOn(db: Reads, id: number, reader: Reader, how: 'as its own' | 'as an administrator') {
  const { rows } = await sql<{ isOwn: boolean }>`
    select n.user_id = ${reader.id} or exists (select from note_recipients where note_id = n.id and recipient_id = ${reader.id}) as is_own
    from notes as n where n.id = ${id}`.execute(db)
  const [note] = rows
  return note !== undefined && (how === 'as its own' ? note.isOwn : reader.isAdmin)
}

/** The thread as its reader sees it; undefined if they may not know of it, or if reading it leaves a trace. */
export async function readThread(db: Reads, id: number, reader: Reader) {
  let long: Found | undefined
  const look = async () => unlessTraced(await lookAt(db, id, reader))?.version ?? undefined
  const write = async () => {
    const found = unlessTraced(await findThread(db, id, reader))
    if (found?.version !== null) return found && { version: found.version, text: found.text }
    long = found
    return undefined
  }
  const whole = (await cached(db, JSON.stringify(['thread', id, reader.id]), look, write)) as Thread | undefined
  return whole ?? (long && longOf(db, id, reader, long))
}

/**
 * The thread after the transaction; refuses a reader who may not see it. The lists of a long thread are read from `db` once the transaction
 * is committed.
 */
export async function writeThread(tx: Tx, db: Reads, id: number, reader: Reader): Promise<Thread | LongList<Static<typeof NoteThread>>> {
  const found = (await findThread(tx, id, reader)) ?? refuse('not_found')
  return found.version === null ? longOf(db, id, reader, found) : wireText(found.text)
}
