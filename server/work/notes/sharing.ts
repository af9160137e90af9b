/** Sent and received notes: recipients, statuses and replies. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { nameAsListed, namedLike } from '../../people/users/queries.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { searchPattern } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Wire } from '../../platform/http/wire.ts'
import type { Language, NoteRecipientStatus } from '../../platform/tables.ts'
import { inFolder, type Tab } from './queries.ts'
import type { Standing } from './rules.ts'
import type { NoteReply, NoteUserSummary, ReceivedNote, SentNote } from './shapes.ts'
import { noteUserJson, REPLY_WRITER, receivedNoteJson, replyJson, sentNoteJson, writeLongList, writeOne } from './views.ts'

interface PeopleFilter {
  q?: string
  limit?: number
  offset?: number
}

/** Active people except the reader, ordered by the name the reader sees. A search filters before it sorts. */
export async function listRecipients(db: Reads, readerId: number, { q, ...part }: PeopleFilter, language: Language) {
  const name = sql.raw(nameAsListed[language])
  const pattern = q ? await searchPattern(db, q) : null
  const among = pattern
    ? sql`(with found as materialized (select * from users where search like ${pattern} and (${namedLike(pattern)})) select * from found)`
    : sql`users`
  return writeLongList<Static<typeof NoteUserSummary>>(
    db,
    noteUserJson('u'),
    {
      rows: (after) =>
        sql`from ${among} as u where u.is_active and u.kind = 'person' and u.id <> ${readerId} ${
          after ? sql`and (${name}, u.id) > (${after.name}, ${after.id}::int)` : sql``
        }`,
      keys: `u.id, ${nameAsListed[language]} as name`,
      order: `${nameAsListed[language]}, u.id`,
    },
    part,
  )
}

/** The most notifications that a person's notes and replies may cause within an hour; a trigger enforces it under concurrency. */
export const MOST_NOTICES = 5000

interface Sending {
  noteId: number
  ownerId: number
  userIds: readonly number[]
}
interface Sent {
  title: string
  content: string
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  /** The requested recipients who do not exist or are inactive. */
  unknownIds: number[]
  /** The number of notifications that the owner caused within the last hour. */
  caused: number
  /** False if a recipient is unknown or the owner, or if there would be too many notifications. */
  isSent: boolean
  /** The recipients who did not have the note. */
  recipientIds: number[]
}

/** Sends notes of different owners; the result is undefined for a note that is not the owner's. Locks the notes and their recipients. */
export async function sendNotes(tx: Tx, sendings: Sending[]) {
  const lines = sendings.map((sending, place) => ({ place, ...sending }))
  const { rows } = await sql<Sent & { place: number }>`
    with line as materialized (
        select * from json_to_recordset(${JSON.stringify(lines)}::json) as line (place int, "noteId" int, "ownerId" int, "userIds" int[])),
      own as materialized (
        select id, user_id, title, content from notes
        where id = any(array(select "noteId" from line)) and exists (select from line where "noteId" = notes.id and "ownerId" = user_id)
        order by id for no key update),
      known as materialized (
        select id from users where id = any(array(select unnest("userIds") from line)) and is_active and kind = 'person' order by id for key share),
      asked as materialized (
        select place, own.*, "userIds", notices_caused_by("ownerId")::int as caused,
          array(select unnest("userIds") except select id from known order by 1) as unknown_ids
        from line join own on own.id = "noteId" and user_id = "ownerId"),
      checked as materialized (
        select asked.*, unknown_ids = '{}' and user_id <> all("userIds") and case
            when caused + cardinality("userIds") <= ${sql.lit(MOST_NOTICES)} then true
            -- Only here do the people count who have the note already: with stale statistics, this reads the whole table.
            else caused + (select count(*) from unnest("userIds") as person where person not in (
              select recipient_id from note_recipients where note_id = asked.id)) <= ${sql.lit(MOST_NOTICES)}
          end as is_sent
        from asked),
      sent as (
        insert into note_recipients (note_id, recipient_id) select id, person from checked, unnest("userIds") as person where is_sent order by 1, 2
        on conflict do nothing returning note_id, recipient_id)
    select place, title, content, username, display_name_ar, display_name_en, unknown_ids, caused, is_sent,
      array(select recipient_id from sent where note_id = checked.id order by recipient_id) as recipient_ids
    from checked join users on users.id = user_id`.execute(tx)
  const byPlace = new Map(rows.map(({ place, ...sent }) => [place, sent]))
  return sendings.map((_, place) => byPlace.get(place))
}

/** The notes a person sent, newest first. */
export const listSent = (db: Reads, userId: number, tab: Tab, part: Page) =>
  writeLongList<Static<typeof SentNote>>(
    db,
    sentNoteJson,
    {
      rows: (after) => sql`from notes as n where n.user_id = ${userId} and n.is_archived = ${tab === 'archived'}
      and exists (select from note_recipients where note_id = n.id) ${after ? sql`and n.id < ${after.id}` : sql``}`,
      keys: 'n.id',
      order: 'n.id desc',
    },
    part,
  )

const RECEIVED = sql`from note_recipients as r join notes as n on n.id = r.note_id join users as o on o.id = n.user_id`

interface ReceivedFilter {
  tab: Tab
  folderId: string | undefined
}

/** The notes a person received that match the filter, newest first. */
export const listReceived = (db: Reads, userId: number, { tab, folderId }: ReceivedFilter, part: Page) =>
  writeLongList<Static<typeof ReceivedNote>>(
    db,
    receivedNoteJson,
    {
      rows: (after) => sql`${RECEIVED} where r.recipient_id = ${userId} and (r.status = 'archived') = ${tab === 'archived'}
      ${folderId === undefined ? sql`` : inFolder(sql`r.folder_id`, folderId)} ${after ? sql`and r.id < ${after.id}` : sql``}`,
      keys: 'r.id',
      order: 'r.id desc',
    },
    part,
  )

export const readReceived = (db: Reads, rowId: number) =>
  writeOne<Static<typeof ReceivedNote>>(db, receivedNoteJson, sql`${RECEIVED} where r.id = ${rowId}`)

const rowFields = ['id', 'noteId', 'recipientId', 'status', 'statusBefore', 'folderId', 'readAt'] as const

/** The id of the note to which a recipient's row belongs. Refuses `not_found` if the row is not the person's own. */
export const findReceived = async (db: Reads, rowId: number, userId: number) =>
  (await db.selectFrom('noteRecipients').select('noteId').where('id', '=', rowId).where('recipientId', '=', userId).executeTakeFirst()) ??
  refuse('not_found')

const lockWholeNote = (tx: Tx, noteId: number) =>
  tx.selectFrom('notes').select(['id', 'userId', 'title', 'content']).where('id', '=', noteId).forKeyShare().executeTakeFirst()

const lockRow = (tx: Tx, noteId: number, userId: number) =>
  tx
    .selectFrom('noteRecipients')
    .select(rowFields)
    .where('noteId', '=', noteId)
    .where('recipientId', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Locks a note, and then a recipient's row of it, as its deletion does, until the transaction ends. Refuses `not_found`. */
export async function lockReceived(tx: Tx, noteId: number, userId: number) {
  const note = (await lockWholeNote(tx, noteId)) ?? refuse('not_found')
  return { note, row: (await lockRow(tx, noteId, userId)) ?? refuse('not_found') }
}

/** Sets the status of a locked row; an archived one remembers its former status. */
export const setStatus = (tx: Tx, row: Standing & { id: number }, status: NoteRecipientStatus) => {
  const isArchived = status === 'archived'
  const hasRead = status === 'read' || status === 'replied'
  return tx
    .updateTable('noteRecipients')
    .set({
      status,
      statusBefore: isArchived && row.status !== 'archived' ? row.status : null,
      archivedAt: isArchived ? sql<Date>`clock_timestamp()` : null,
      ...(status === 'unread' && { readAt: null }),
      ...(hasRead && { readAt: sql<Date>`coalesce(read_at, clock_timestamp())` }),
    })
    .where('id', '=', row.id)
    .execute()
}

export const fileReceived = (tx: Tx, rowId: number, folderId: number | null) =>
  tx.updateTable('noteRecipients').set({ folderId }).where('id', '=', rowId).execute()

/**
 * A note that the reader may see, and their relation to it: owner, recipient (whose row is locked) or administrator. It cannot
 * be deleted until the transaction ends. Refuses `not_found`.
 */
export async function lockReadableNote(tx: Tx, id: number, reader: { id: number; isAdmin: boolean }) {
  const note = (await lockWholeNote(tx, id)) ?? refuse('not_found')
  if (note.userId === reader.id) return { note, standing: 'owner' } as const
  const row = await lockRow(tx, id, reader.id)
  if (row) return { note, row, standing: 'recipient' } as const
  return reader.isAdmin ? ({ note, standing: 'admin' } as const) : refuse('not_found')
}

export async function insertReply(tx: Tx, reply: { noteId: number; recipientId: number; isFromOwner: boolean; content: string }) {
  const { id } = await tx.insertInto('noteReplies').values(reply).returning('id').executeTakeFirstOrThrow()
  return id
}

export const readReply = (db: Reads, id: number): Promise<Wire<Static<typeof NoteReply>>> =>
  writeOne(db, replyJson, sql`from note_replies as p join notes as n on n.id = p.note_id ${sql.raw(REPLY_WRITER)} where p.id = ${id}`)
