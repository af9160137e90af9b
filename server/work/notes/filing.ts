/** Folders and labels, in which people file their own and received notes. */
import { sql, type Updateable } from 'kysely'
import type { Static } from 'typebox'
import { batchesOf } from '../../platform/database/batches.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { jsonMoment, jsonObject } from '../../platform/database/json.ts'
import { refuseUnknown } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language, NoteColor, Tables } from '../../platform/tables.ts'
import type { Tab } from './queries.ts'
import type { NoteFolder, NoteLabel } from './shapes.ts'
import { writeLongList, writeOne } from './views.ts'

type Folder = Static<typeof NoteFolder>
type Label = Static<typeof NoteLabel>

/** The columns of a row `f` of `note_folders`, with the number of the owner's own notes in the folder and the tab. */
const folderJson = (tab: Tab) =>
  jsonObject({
    id: 'f.id',
    userId: 'f.user_id',
    name: 'f.name',
    createdAt: jsonMoment('f.created_at'),
    updatedAt: jsonMoment('f.updated_at'),
    noteCount: `(select count(*) from notes where folder_id = f.id and is_archived = ${tab === 'archived'})`,
  })

const byName = (row: string, language: Language) => `${row}.name collate "${language}-x-icu", ${row}.id`

interface After {
  userId: number
  language: Language
  after: { id: number; name?: string } | null
}
/** SQL: the condition for the folders or labels of a person that come after a given one by name. */
const ownAfter = (row: string, { userId, language, after }: After) =>
  sql`${sql.ref(`${row}.userId`)} = ${userId} ${
    after ? sql`and (${sql.raw(byName(row, language))}) > (${after.name}, ${after.id}::int)` : sql``
  }`

interface Shown {
  tab: Tab
  language: Language
}

/** A person's folders, by name. */
export const listFolders = (db: Reads, userId: number, { tab, language }: Shown, part: Page) =>
  writeLongList<Folder>(
    db,
    folderJson(tab),
    {
      rows: (after) => sql`from note_folders as f where ${ownAfter('f', { userId, language, after })}`,
      keys: 'f.id, f.name',
      order: byName('f', language),
    },
    part,
  )

export const readFolder = (db: Reads, id: number) =>
  writeOne<Folder>(db, folderJson('active'), sql`from note_folders as f where f.id = ${id}`)

/** A person's labels, by name. */
export const listLabels = (db: Reads, userId: number, language: Language) =>
  batchesOf<Label, Label>({
    read: async (after, most) =>
      (
        await sql<Label>`select l.id, l.name, l.color from note_labels as l where ${ownAfter('l', { userId, language, after })}
          order by ${sql.raw(byName('l', language))} limit ${most}`.execute(db)
      ).rows,
    keyOf: (label) => label,
    sizeOf: () => 150,
  })

type FilingTable = 'noteFolders' | 'noteLabels'

/** Locks folders or labels against deletion until the transaction ends. Refuses `unknown_ids` unless all are the person's own. */
export async function lockOwn(tx: Tx, table: FilingTable, userId: number, ids: readonly number[]) {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id = any(${ids}::int[]) and user_id = ${userId} order by id for key share`.execute(tx)
  refuseUnknown(ids, rows)
}

/** Locks a folder against changes and filing until the transaction ends. Refuses `not_found` unless it is the person's own. */
export async function lockFolder(tx: Tx, id: number, userId: number) {
  const own = tx.selectFrom('noteFolders').selectAll().where('id', '=', id).where('userId', '=', userId)
  return (await own.forUpdate().executeTakeFirst()) ?? refuse('not_found')
}
export async function lockLabel(tx: Tx, id: number, userId: number) {
  const own = tx.selectFrom('noteLabels').select(['id', 'name', 'color']).where('id', '=', id).where('userId', '=', userId)
  return (await own.forUpdate().executeTakeFirst()) ?? refuse('not_found')
}

export const insertFolder = async (tx: Tx, userId: number, name: string) =>
  (await tx.insertInto('noteFolders').values({ userId, name }).returning('id').executeTakeFirstOrThrow()).id

export const renameFolder = (tx: Tx, id: number, name: string) =>
  tx.updateTable('noteFolders').set({ name, updatedAt: sql<Date>`clock_timestamp()` }).where('id', '=', id).execute()

/** Empties a locked folder; returns the ids of the own and received notes that were in it. */
export async function emptyFolder(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number; isReceived: boolean }>`
    with held as materialized (select id from notes where folder_id = ${id} order by id for no key update),
      own as (update notes set folder_id = null from held where notes.id = held.id returning notes.id),
      received as (update note_recipients set folder_id = null where folder_id = ${id} returning note_id)
    select id, false as is_received from own union all select note_id, true from received order by id`.execute(tx)
  return rows
}

export const removeFolder = (tx: Tx, id: number) => tx.deleteFrom('noteFolders').where('id', '=', id).execute()

export const insertLabel = (tx: Tx, userId: number, label: { name: string; color?: NoteColor }) =>
  tx
    .insertInto('noteLabels')
    .values({ userId, ...label })
    .returning(['id', 'name', 'color'])
    .executeTakeFirstOrThrow()

export const updateLabel = (tx: Tx, id: number, fields: Updateable<Tables['noteLabels']>) =>
  tx.updateTable('noteLabels').set(fields).where('id', '=', id).returning(['id', 'name', 'color']).executeTakeFirstOrThrow()

/** Deletes a locked label; returns the ids of the notes that had it. */
export async function removeLabel(tx: Tx, id: number) {
  const { rows } = await sql<{ id: number }>`
    with held as materialized (
      select id from notes where id = any(array(select note_id from note_label_links where label_id = ${id})) order by id for no key update),
      freed as (delete from note_label_links where label_id = ${id} returning note_id)
    select note_id as id from freed join held on held.id = note_id order by note_id`.execute(tx)
  await tx.deleteFrom('noteLabels').where('id', '=', id).execute()
  return rows.map((note) => note.id)
}
