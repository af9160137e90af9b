import { type RawBuilder, type Sql, sql, type Updateable } from 'kysely'
import type { Static } from 'typebox'
import type { Reads, Tx } from '../platform/database/db.ts'
import { searchPattern } from '../platform/database/search.ts'
import { cached, type Written } from '../platform/http/cache.ts'
import type { Wire } from '../platform/http/endpoint.ts'
import { type Page, pageOf } from '../platform/http/page.ts'
import { jsonList } from '../platform/http/wire.ts'
import { refuse } from '../platform/refusal.ts'
import type { NoteColor, NotesTable } from '../tables.ts'
import type { MyNote } from './shapes.ts'
import { myNoteJson, writeOne } from './views.ts'

export type Tab = 'active' | 'archived'
export interface NotesFilter {
  tab?: Tab
  /** A folder's id, or `none`. */
  folderId?: string
  labelId?: number
  q?: string
}

const inFolder = (folderId: string) =>
  folderId === 'none' ? sql`and n.folder_id is null` : sql`and n.folder_id = ${Number(folderId)}::bigint`
const withLabel = (labelId: number) => sql`and exists (select from note_label_links where note_id = n.id and label_id = ${labelId})`

const EVERYTHING = sql``

/** Someone's own notes that the filter lets through, pinned first, then newest. */
export async function listNotes(db: Reads, userId: number, { tab = 'active', folderId, labelId, q }: NotesFilter) {
  const pattern = q ? await searchPattern(db, q) : null
  const chosen = sql`from notes as n where n.user_id = ${userId} and n.is_archived = ${tab === 'archived'}
    ${folderId === undefined ? EVERYTHING : inFolder(folderId)}
    ${labelId === undefined ? EVERYTHING : withLabel(labelId)}
    ${pattern === null ? EVERYTHING : sql`and n.search like ${pattern}`}`
  const key = JSON.stringify(['notes', userId, tab, folderId, labelId, pattern])
  const look = () => versionOf(db, userId)
  return (await cached(db, key, look, () => writeNotes(db, userId, chosen))) as Wire<Static<typeof MyNote>[]>
}

const VERSION = (userId: number) => sql<string>`coalesce((select version from note_versions where user_id = ${userId}), 0)::text`

const versionOf = async (db: Reads, userId: number) =>
  (await db.selectNoFrom(VERSION(userId).as('version')).executeTakeFirstOrThrow()).version

const ORDER = 'n.is_pinned desc, n.id desc'

const writeNotes = async (db: Reads, userId: number, chosen: RawBuilder<unknown>) =>
  (await sql<Written>`select ${VERSION(userId)} as version, ${jsonList(myNoteJson, ORDER)} as text ${chosen}`.execute(db)).rows[0]

/** One of someone's own notes. Refuses `not_found`. */
export const readNote = (db: Reads, id: number, userId: number) =>
  writeOne<Static<typeof MyNote>>(db, myNoteJson, sql`from notes as n where n.id = ${id} and n.user_id = ${userId}`)

const fields = ['id', 'userId', 'title', 'content', 'color', 'isPinned', 'isArchived', 'folderId'] as const

const ownNote = (db: Reads, id: number, userId: number) =>
  db.selectFrom('notes').select(fields).where('id', '=', id).where('userId', '=', userId)

/** Refuses `not_found` for a note that is not theirs. */
export const findNote = async (db: Reads, id: number, userId: number) =>
  (await ownNote(db, id, userId).executeTakeFirst()) ?? refuse('not_found')

/** Until the transaction ends, nobody else changes the note; it can still be answered. Refuses `not_found`. */
export const holdNote = async (tx: Tx, id: number, userId: number) =>
  (await ownNote(tx, id, userId).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Besides, nobody answers it, reads it for the first time or files it away. Refuses `not_found`. */
export const lockNote = async (tx: Tx, id: number, userId: number) =>
  (await ownNote(tx, id, userId).forUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Someone who writes, and cannot be deleted until the transaction ends. Refuses `unauthorized` to whoever was since they were authenticated. */
export const holdWriter = async (tx: Tx, id: number) =>
  (await tx
    .selectFrom('users')
    .select(['id', 'username', 'displayNameAr', 'displayNameEn'])
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()) ?? refuse('unauthorized')

interface NoteFields {
  title?: string
  content?: string
  color?: NoteColor
  isPinned?: boolean
  isArchived?: boolean
  folderId?: number | null
}
export async function insertNote(tx: Tx, userId: number, note: NoteFields) {
  const { id } = await tx
    .insertInto('notes')
    .values({ userId, ...note })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `isShared` says that what its recipients see is among the fields: only that moves its time. */
export const updateNote = (tx: Tx, id: number, note: Updateable<NotesTable>, isShared: boolean) =>
  tx
    .updateTable('notes')
    .set({ ...note, ...(isShared && { updatedAt: sql<Date>`clock_timestamp()` }) })
    .where('id', '=', id)
    .execute()

/** Its recipients' rows and the replies go along. */
export const removeNote = (tx: Tx, id: number) => tx.deleteFrom('notes').where('id', '=', id).execute()

export const labelIdsOf = async (db: Reads, noteId: number) =>
  (await db.selectFrom('noteLabelLinks').select('labelId').where('noteId', '=', noteId).orderBy('labelId').execute()).map(
    ({ labelId }) => labelId,
  )

export async function moveLabels(tx: Tx, noteId: number, { added, removed }: { added: number[]; removed: number[] }) {
  if (removed.length) await sql`delete from note_label_links where note_id = ${noteId} and label_id = any(${removed}::int[])`.execute(tx)
  if (added.length) await sql`insert into note_label_links (note_id, label_id) select ${noteId}::int, unnest(${added}::int[])`.execute(tx)
}

export const recipientIdsOf = async (db: Reads, noteId: number) =>
  (await db.selectFrom('noteRecipients').select('recipientId').where('noteId', '=', noteId).orderBy('id').execute()).map(
    ({ recipientId }) => recipientId,
  )

/** How many notes a person owns, as a column for a select from `users`. */
export const noteCount = sql<number>`(select count(*) from notes where user_id = users.id)`.as('noteCount')

/** A person's notes, newest first; `count` of them in all. */
export async function pageNotesOf(db: Reads, userId: number, count: number, page: Page) {
  const items = await db
    .selectFrom('notes')
    .select(['id', 'title', 'isPinned', 'isArchived', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(page.limit!)
    .offset(page.offset!)
    .execute()
  return pageOf('items', items, count, page)
}

const run = (tx: Tx, statement: ReturnType<Sql>) => statement.execute(tx)

/**
 * Locks what someone wrote, received or files notes by, before they are locked themselves: whoever changes a note holds the folder
 * first, then the note, and then whom to tell. In another order, each would wait for the other.
 */
export async function lockNotesAround(tx: Tx, personId: number) {
  await run(tx, sql`select from note_folders where user_id = ${personId} order by id for update`)
  await run(tx, sql`select from note_labels where user_id = ${personId} order by id for update`)
  await run(
    tx,
    sql`select from notes where user_id = ${personId} or id in (select note_id from note_recipients where recipient_id = ${personId})
      order by id for update`,
  )
}

/** Deletes all notes of a person; answers them and who had them. */
export async function removeNotesOf(tx: Tx, userId: number) {
  const { rows } = await sql<{ id: number; recipientIds: number[] }>`
    with gone as (delete from notes where user_id = ${userId} returning id)
    select id, array(select recipient_id from note_recipients where note_id = gone.id order by recipient_id) as recipient_ids
    from gone order by id`.execute(tx)
  return rows
}
