/** A note with its replies. Its owner and administrators see all of them, a recipient only their own conversation. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads, Tx } from '../platform/database/db.ts'
import { cached, type Written } from '../platform/http/cache.ts'
import { type Wire, wireText } from '../platform/http/wire.ts'
import { refuse } from '../platform/refusal.ts'
import type { NoteRecipientStatus } from '../tables.ts'
import type { NoteThread } from './shapes.ts'
import { REPLY_WRITER, recipientJson, replyJson, threadJson } from './views.ts'

type Thread = Wire<Static<typeof NoteThread>>
interface Reader {
  id: number
  isAdmin: boolean
}
interface Known {
  standing: 'owner' | 'recipient' | 'admin'
  status: NoteRecipientStatus | null
  version: string
}

/**
 * Common table expressions: the note, if the reader may know of it, with the reader's `standing` and the `version` of what they see.
 * The version is made of the `xmin` of every row shown, the transaction that wrote it. For replies, their number and highest id are
 * enough, because they never change: they are only added, and lose their writer with a recipient's row. The id alone is not enough, because replies
 * may be committed out of order.
 */
const known = (id: number, reader: Reader) => sql`
  with note as materialized (
    select n.id, n.user_id, n.xmin as written, r.status,
      case when n.user_id = ${reader.id} then 'owner' when r.id is not null then 'recipient' when ${reader.isAdmin}::boolean then 'admin' end as standing
    from notes as n left join note_recipients as r on r.note_id = n.id and r.recipient_id = ${reader.id}
    where n.id = ${id}
  ), seen as materialized (
    select note.*, concat_ws(' ', standing, note.written, (select xmin from users where id = note.user_id),
      (select string_agg(concat_ws('.', r.id, r.xmin, u.xmin), ' ' order by r.id)
        from note_recipients as r join users as u on u.id = r.recipient_id
        where r.note_id = note.id and (note.standing <> 'recipient' or r.recipient_id = ${reader.id})),
      (select concat_ws('/', count(*), max(p.id)) from note_replies as p
        where p.note_id = note.id and (note.standing <> 'recipient' or p.recipient_id = ${reader.id}))) as version
    from note where standing is not null
  )`

const lookAt = async (db: Reads, id: number, reader: Reader) =>
  (await sql<Known>`${known(id, reader)} select standing, status, version from seen`.execute(db)).rows[0]

const json = threadJson(
  'seen.standing',
  'seen.status',
  `coalesce((select json_agg(${recipientJson} order by r.id) from theirs as r join users as u on u.id = r.recipient_id), '[]')`,
  `coalesce((select json_agg(${replyJson} order by p.id) from said as p ${REPLY_WRITER}), '[]')`,
)

const findThread = async (db: Reads, id: number, reader: Reader) =>
  (
    await sql<Known & Written>`${known(id, reader)}, theirs as (
        select r.* from seen join note_recipients as r on r.note_id = seen.id
        where seen.standing <> 'recipient' or r.recipient_id = ${reader.id}
      ), said as (
        select p.* from seen join note_replies as p on p.note_id = seen.id
        where seen.standing <> 'recipient' or p.recipient_id = ${reader.id}
      )
      select standing, seen.status, version, ${sql.raw(json)}::text as text
      from seen join notes as n on n.id = seen.id join users as o on o.id = n.user_id`.execute(db)
  ).rows[0]

/** Whether reading it must be recorded or changes its status. */
const leavesTrace = ({ standing, status }: Known) => standing === 'admin' || status === 'unread'
const unlessTraced = <K extends Known>(found: K | undefined) => (found && leavesTrace(found) ? undefined : found)

/** The thread as its reader sees it; undefined if they may not know of it, or if reading it leaves a trace. */
export async function readThread(db: Reads, id: number, reader: Reader) {
  const look = async () => unlessTraced(await lookAt(db, id, reader))?.version
  const write = async () => unlessTraced(await findThread(db, id, reader))
  return (await cached(db, JSON.stringify(['thread', id, reader.id]), look, write)) as Thread | undefined
}

/** The thread as the transaction has left it; refuses a reader who may not know of it. */
export async function writeThread(tx: Tx, id: number, reader: Reader): Promise<Thread> {
  const { text } = (await findThread(tx, id, reader)) ?? refuse('not_found')
  return wireText(text)
}
