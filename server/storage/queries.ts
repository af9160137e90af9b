import { sql } from 'kysely'
import { newToken } from '../accounts/queries.ts'
import { hashToken } from '../platform/auth/sessions.ts'
import type { Reads, Tx } from '../platform/database/db.ts'
import { refuse } from '../platform/refusal.ts'

interface Wanted {
  name: string
  size: number
  contentType: string
}

/** A place for one upload, and the token that opens it: 256 random bits, of which only the hash is kept. */
export async function addSlot(tx: Tx, ownerId: number, wanted: Wanted) {
  const token = newToken()
  const slot = await tx
    .insertInto('objects')
    .values({ ...wanted, ownerId, tokenHash: hashToken(token) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  return { ...slot, token }
}

/** What may be uploaded there. Refuses `invalid_token` for a place that is unknown, used or expired. */
export const findSlot = async (db: Reads, uuid: string, token: string) =>
  (await db
    .selectFrom('objects')
    .select(['id', 'size', 'contentType'])
    .where('uuid', '=', uuid)
    .where('tokenHash', '=', hashToken(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()) ?? refuse('invalid_token')

/** Of several uploads to one place, the first to come here takes it; the others, and those too late, are refused `invalid_token`. */
export const fillSlot = async (tx: Tx, uuid: string, token: string, { key, etag }: { key: string; etag: string }) =>
  (await tx
    .updateTable('objects')
    .set({ key, etag, tokenHash: null, uploadedAt: sql<Date>`now()` })
    .where('uuid', '=', uuid)
    .where('tokenHash', '=', hashToken(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()) ?? refuse('invalid_token')

/** An object that was uploaded. */
export async function findObject(db: Reads, uuid: string) {
  const { key, etag, uploadedAt, ...object } =
    (await db
      .selectFrom('objects')
      .select(['key', 'etag', 'name', 'size', 'contentType', 'uploadedAt'])
      .where('uuid', '=', uuid)
      .executeTakeFirst()) ?? refuse('not_found')
  return key && etag && uploadedAt ? { key, etag, storedAt: uploadedAt, ...object } : refuse('not_found')
}

const path = sql`'/objects/uploads/' || uuid`
const isUnused = sql<boolean>`
  not exists (select from users where avatar_url = ${path})
  and not exists (select from apps where image_url = ${path})
  and not exists (select from services where image_url = ${path})`
const isOld = sql<boolean>`coalesce(uploaded_at, expires_at) < now() - interval '24 hours'`

/**
 * Removes objects that nothing refers to, 24 hours after they came, and the places of uploads that never did; at most as many as
 * `limit`. They are locked first and asked about again then: whoever refers to one holds it until the commit.
 */
export async function removeUnused(tx: Tx, limit: number) {
  const { rows: locked } = await sql<{ id: number }>`
    select id from objects where ${isOld} and ${isUnused} limit ${limit} for update skip locked`.execute(tx)
  const ids = locked.map(({ id }) => id)
  return tx
    .deleteFrom('objects')
    .where('id', 'in', ids.length ? ids : [0])
    .where(isUnused)
    .returning(['id', 'uuid', 'key'])
    .execute()
}

/** Those of the keys that neither an object nor an archive has. */
export async function findUnknownKeys(db: Reads, keys: string[]) {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as stored (key)
    where not exists (select from objects where objects.key = stored.key)
      and not exists (select from pdf_archives where pdf_archives.key = stored.key)`.execute(db)
  return rows.map(({ key }) => key)
}
