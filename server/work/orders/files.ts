/** The private files of orders: in answers, in messages and in internal notes. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { StoredFile } from '../../platform/objects/files.ts'
import type { Standing } from './standing.ts'

const MOST_FILES = 40
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface OrderFile {
  /** The UUID of the object. */
  id: string
  name: string
  size: number
  contentType: string
}
export interface UnusedFile extends OrderFile {
  objectId: number
  ownerId: number
}
export interface Named {
  ownerId: number
  id: string
}

/**
 * The files that their owners have uploaded and nothing uses yet, locked until the transaction ends. They are locked before their use is
 * checked, so that of two calls that want to use a file only the first finds it unused.
 */
export async function lockUnused(tx: Tx, named: Named[]): Promise<UnusedFile[]> {
  const some = named.filter(({ id }) => UUID.test(id))
  if (some.length === 0) return []
  const own = sql`is_private and uploaded_at is not null
    and (owner_id, uuid) in (select * from unnest(${some.map(({ ownerId }) => ownerId)}::int[], ${some.map(({ id }) => id)}::uuid[]))`
  const locked = await sql<{ id: number }>`select id from objects where ${own} order by id for update`.execute(tx)
  if (locked.rows.length === 0) return []
  const { rows } = await sql<UnusedFile>`
    select id as object_id, owner_id, uuid as id, name, size, content_type from objects
    where id = any(${locked.rows.map(({ id }) => id)}::int[]) and not exists (select from order_files where object_id = objects.id)`.execute(
    tx,
  )
  return rows
}

/** As `lockUnused`, for files of one person, in the order of `ids`. Refuses `unknown_ids` unless all can be used. */
export async function lockNamed(tx: Tx, ownerId: number, ids: string[]): Promise<UnusedFile[]> {
  const found = new Map(
    (
      await lockUnused(
        tx,
        ids.map((id) => ({ ownerId, id })),
      )
    ).map((file) => [file.id, file]),
  )
  const unknownIds = ids.filter((id) => !found.has(id))
  return unknownIds.length ? refuse('unknown_ids', { body: { unknownIds } }) : ids.map((id) => found.get(id)!)
}

/** The use of files by a message, by a note, or, without either id, by an answer. */
interface Use {
  orderId: number
  objectIds: number[]
  messageId?: number | null
  noteId?: number | null
}
/** Records that an order uses files. Refuses `too_many_items` beyond 40 files of the order. */
export async function useFiles(tx: Tx, { orderId, objectIds, messageId = null, noteId = null }: Use) {
  if (objectIds.length === 0) return
  const { rows } = await sql<{ count: number }>`select count(*) from order_files where order_id = ${orderId}`.execute(tx)
  checkFileCount(rows[0]!.count + objectIds.length)
  await sql`
    insert into order_files (object_id, order_id, message_id, note_id)
    select id, ${orderId}, ${messageId}::bigint, ${noteId}::bigint from unnest(${objectIds}::int[]) as id`.execute(tx)
}

/** Refuses `too_many_items` for more than 40 files of one order. */
export const checkFileCount = (count: number) => {
  if (count > MOST_FILES) refuse('too_many_items')
}

interface Asked {
  orderId: number
  fileId: string
  readerId: number
  standing: Standing
}
/** A file of an order, if the reader may read the text or answer that uses it; an unused file, for its owner. Refuses `not_found`. */
export async function findFile(db: Reads, { orderId, fileId, readerId, standing }: Asked): Promise<StoredFile> {
  const { rows } = await sql<StoredFile>`
    select key, etag, name, size, content_type, uploaded_at as stored_at from objects left join order_files on object_id = objects.id
    where uuid = ${fileId} and is_private and key is not null and case
      when object_id is null then owner_id = ${readerId}
      when order_id <> ${orderId} then false
      when note_id is not null then ${standing.readsNotes}
      when message_id is not null then ${standing.readsMessages}
      else true end`.execute(db)
  return rows[0] ? { ...rows[0], isSecret: true } : refuse('not_found')
}
