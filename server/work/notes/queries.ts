import { type RawBuilder, type Sql, sql, type Updateable } from 'kysely'
import type { Static } from 'typebox'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { jsonList } from '../../platform/database/json.ts'
import { longSearch } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { cached, type Written } from '../../platform/http/cache.ts'
import { paged } from '../../platform/http/lists.ts'
import { isWhole, type Page } from '../../platform/http/page.ts'
import type { Wire } from '../../platform/http/wire.ts'
import type { NoteColor, Tables } from '../../platform/tables.ts'
import type { MyNote } from './shapes.ts'
import { myNoteJson, writeLongList, writeOne } from './views.ts'

export type Tab = 'active' | 'archived'
export interface NotesFilter {
  tab?: Tab
  /** A folder's id, or `none` for unfiled notes. */
  folderId?: string
  labelId?: number
  q?: string
  limit?: number
  offset?: number
}

/** SQL: the condition that a row's folder, in `column`, has this id; `none` selects rows without a folder. */
export const inFolder = (column: RawBuilder<unknown>, folderId: string) =>
  folderId === 'none' ? sql`and ${column} is null` : sql`and ${column} = ${Number(folderId)}::bigint`
const withLabel = (labelId: number) => sql`and exists (select from note_label_links where note_id = n.id and label_id = ${labelId})`

const EVERYTHING = sql``

/** A person's own notes that match the filter, pinned first, then newest. */
export async function listNotes(db: Reads, userId: number, { tab = 'active', folderId, labelId, q, ...part }: NotesFilter) {
  const sought = q ? await longSearch(db, q) : null
  const chosen = sql`from notes as n where n.user_id = ${userId} and n.is_archived = ${tab === 'archived'}
    ${folderId === undefined ? EVERYTHING : inFolder(sql`n.folder_id`, folderId)}
    ${labelId === undefined ? EVERYTHING : withLabel(labelId)}
    ${sought === null ? EVERYTHING : sql`and ${sought.isIn(sql`n.search`)}`}`
  const key = JSON.stringify(['notes', userId, tab, folderId, labelId, sought?.folded])
  const look = () => versionOf(db, userId)
  const whole = isWhole(part) ? await cached(db, key, look, () => writeNotes(db, userId, chosen)) : undefined
  const rows = (after: { id: number; isPinned?: boolean } | null) =>
    sql`${chosen} ${after ? sql`and (n.is_pinned, n.id) < (${after.isPinned}, ${after.id})` : EVERYTHING}`
  const read = () => writeLongList<Mine>(db, myNoteJson, { rows, keys: 'n.id, n.is_pinned', order: ORDER }, part)
  return (whole as Wire<Mine[]> | undefined) ?? read()
}
type Mine = Static<typeof MyNote>

const ORDER = 'n.is_pinned desc, n.id desc'

/** A person's lists are sent whole and cached if the notes have at most this size in all. */
const MOST_CACHED_BYTES = 1024 * 1024
const NOTE_BYTES = 300

/** The version of a person's lists. */
const VERSION = (userId: number) => sql<string>`coalesce((select version from note_versions where user_id = ${userId}), 0)::text`

const versionOf = async (db: Reads, userId: number) =>
  (await db.selectNoFrom(VERSION(userId).as('version')).executeTakeFirstOrThrow()).version

/** The list as one text; undefined if the person's notes are too large to be sent whole. */
const writeNotes = async (db: Reads, userId: number, chosen: RawBuilder<unknown>) =>
  (
    await sql<Written>`
      select ${VERSION(userId)} as version, (select ${jsonList(myNoteJson, ORDER)} ${chosen}) as text
      where not exists (select from note_versions
        where user_id = ${userId} and bytes + ${sql.lit(NOTE_BYTES)} * notes > ${sql.lit(MOST_CACHED_BYTES)})`.execute(db)
  ).rows[0]

/** One of a person's own notes. Refuses `not_found`. */
export const readNote = (db: Reads, id: number, userId: number) =>
  writeOne<Static<typeof MyNote>>(db, myNoteJson, sql`from notes as n where n.id = ${id} and n.user_id = ${userId}`)

const fields = ['id', 'userId', 'title', 'content', 'color', 'isPinned', 'isArchived', 'folderId'] as const

const ownNote = (db: Reads, id: number, userId: number) =>
  db.selectFrom('notes').select(fields).where('id', '=', id).where('userId', '=', userId)

/** The row of one of a person's own notes. Refuses `not_found`. */
export const findNote = async (db: Reads, id: number, userId: number) =>
  (await ownNote(db, id, userId).executeTakeFirst()) ?? refuse('not_found')

/** Locks a note against changes until the transaction ends; it can still be answered. Refuses `not_found`. */
export const lockNoteForChange = async (tx: Tx, id: number, userId: number) =>
  (await ownNote(tx, id, userId).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

/** Locks a note against changes, replies, first reads and filing until the transaction ends. Refuses `not_found`. */
export const lockNote = async (tx: Tx, id: number, userId: number) =>
  (await ownNote(tx, id, userId).forUpdate().executeTakeFirst()) ?? refuse('not_found')

/** The names of the writer of a reply. */
export const readWriter = (tx: Tx, id: number) =>
  tx.selectFrom('users').select(['username', 'displayNameAr', 'displayNameEn']).where('id', '=', id).executeTakeFirstOrThrow()

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

/** Updates a locked note; sets `updated_at` only when `isShared`, that is, when recipients see a changed field. */
export const updateNote = (tx: Tx, id: number, note: Updateable<Tables['notes']>, isShared: boolean) =>
  tx
    .updateTable('notes')
    .set({ ...note, ...(isShared && { updatedAt: sql<Date>`clock_timestamp()` }) })
    .where('id', '=', id)
    .execute()

/** Deletes a note and, by cascade, its recipients' rows and replies. */
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

/** The notes a person owns, newest first. */
export function pageNotesOf(db: Reads, userId: number, page: Page) {
  const owned = db
    .selectFrom('notes')
    .select(['id', 'title', 'isPinned', 'isArchived', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
  return paged(owned, page)
}

const run = (tx: Tx, statement: ReturnType<Sql>) => statement.execute(tx)

/**
 * Locks a person's folders, labels, and the notes they wrote or received. Call it before locking the person: a change of a note
 * locks the folder, then the note, then the people whom it notifies, and another order would deadlock.
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

/** Deletes all notes of a person; returns them with their recipients. */
export async function removeNotesOf(tx: Tx, userId: number) {
  const { rows } = await sql<{ id: number; recipientIds: number[] }>`
    with gone as (delete from notes where user_id = ${userId} returning id)
    select id, array(select recipient_id from note_recipients where note_id = gone.id order by recipient_id) as recipient_ids
    from gone order by id`.execute(tx)
  return rows
}
