import { sql } from 'kysely'
import { hashToken, newToken } from '../../platform/auth/tokens.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Quota, quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import type { StoredPicture } from '../../platform/objects/pictures.ts'

interface Wanted {
  name: string
  size: number
  contentType: string
}

/** The limits on each person's open slots and stored objects. */
const MOST_SLOTS = 20
const MOST_BYTES = 1024 ** 3
const MOST_OBJECTS = 10_000

/** Locks a person's share until the transaction ends, so that their calls take turns. */
const lockShare = (tx: Tx, ownerId: number) =>
  tx
    .insertInto('objectShares')
    .values({ userId: ownerId })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet((eb) => ({ bytes: eb.ref('objectShares.bytes') })))
    .execute()

/** Refuses `quota_exceeded` unless another object of `size` bytes fits into the person's share. */
async function checkShare(db: Reads, ownerId: number, size: number) {
  const stored = (column: 'objects' | 'bytes') =>
    sql`coalesce((select ${sql.ref(column)} from object_shares where user_id = ${ownerId}), 0)`
  // A slot counts for a minute after it expires, because its upload may be about to commit.
  const { rows } = await sql<{ open: number; objects: number; bytes: number; cost: number }>`
    select count(*) filter (where expires_at > now()) as open, count(*) + ${stored('objects')} as objects,
      (coalesce(sum(object_cost(size)), 0) + ${stored('bytes')})::bigint as bytes, object_cost(${size}) as cost
    from objects where owner_id = ${ownerId} and uploaded_at is null and expires_at > now() - interval '1 minute'`.execute(db)
  const { open, objects, bytes, cost } = rows[0]!
  assertQuota('upload_slots', open, 1, MOST_SLOTS)
  assertQuota('objects', objects, 1, MOST_OBJECTS)
  assertQuota('object_bytes', bytes, cost, MOST_BYTES)
}

/** Checks sizes against the caller's share, for pictures that are not stored yet. */
export const roomOf =
  ({ db, actor }: { db: Reads; actor: { id: number } }) =>
  (size: number) =>
    checkShare(db, actor.id, size)

function assertQuota(quota: Quota, used: number, more: number, allowed: number) {
  if (used + more > allowed) throw quotaExceeded({ quota, used, allowed })
}

/**
 * Adds a slot for one upload; returns it with its token of 256 random bits, of which only the hash is stored. A private object is never
 * served under its path. Refuses `quota_exceeded`.
 */
export async function addSlot(tx: Tx, ownerId: number, wanted: Wanted & { isPrivate?: true }) {
  await lockShare(tx, ownerId)
  await checkShare(tx, ownerId, wanted.size)
  const token = newToken()
  const slot = await tx
    .insertInto('objects')
    .values({ ...wanted, ownerId, tokenHash: hashToken(token) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  return { ...slot, token }
}

const isOfSomeoneActive = sql<boolean>`exists (select from users where users.id = objects.owner_id and users.is_active)`

/** The type and size that a slot takes. Refuses `invalid_token` when the slot is unknown, used or expired, or its owner inactive. */
export const findSlot = async (db: Reads, uuid: string, token: string) =>
  (await db
    .selectFrom('objects')
    .select(['id', 'size', 'contentType'])
    .where('uuid', '=', uuid)
    .where('tokenHash', '=', hashToken(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .where(isOfSomeoneActive)
    .executeTakeFirst()) ?? refuse('invalid_token')

/** Fills a slot. Refuses `invalid_token` if another upload filled it first, it has expired, or its owner is inactive. */
export const fillSlot = async (tx: Tx, uuid: string, token: string, { key, etag }: { key: string; etag: string }) =>
  (await tx
    .updateTable('objects')
    .set({ key, etag, tokenHash: null, uploadedAt: sql<Date>`now()` })
    .where('uuid', '=', uuid)
    .where('tokenHash', '=', hashToken(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .where(isOfSomeoneActive)
    .returning('id')
    .executeTakeFirst()) ?? refuse('invalid_token')

/**
 * Stores a fetched picture, if there is one, as an object within its owner's share. Returns the sent fields with its path in `field`, and
 * the changes to record. Refuses `quota_exceeded`.
 */
export async function pictured<F extends object>(
  tx: Tx,
  ownerId: number,
  field: 'imageUrl' | 'avatarUrl',
  sent: F,
  picture: StoredPicture | undefined,
): Promise<{ fields: F; changes: Change[] }> {
  if (!picture) return { fields: sent, changes: [] }
  const { key, etag, ...wanted } = picture
  const { id, uuid, token } = await addSlot(tx, ownerId, wanted)
  await fillSlot(tx, uuid, token, { key, etag })
  const { size, contentType } = wanted
  const changes: Change[] = [
    { kind: 'object.requested', targetId: id, facts: { uuid, size, contentType } },
    { kind: 'object.uploaded', targetId: id, facts: { uuid } },
  ]
  return { fields: { ...sent, [field]: `/objects/uploads/${uuid}` }, changes }
}

/** An uploaded object that is not private. Refuses `not_found`. */
export async function findObject(db: Reads, uuid: string) {
  const { key, etag, uploadedAt, ...object } =
    (await db
      .selectFrom('objects')
      .select(['key', 'etag', 'name', 'size', 'contentType', 'uploadedAt'])
      .where('uuid', '=', uuid)
      .where('isPrivate', '=', false)
      .executeTakeFirst()) ?? refuse('not_found')
  return key && etag && uploadedAt ? { key, etag, storedAt: uploadedAt, ...object } : refuse('not_found')
}

const path = sql`'/objects/uploads/' || uuid`
const isUnused = sql<boolean>`
  not exists (select from order_files where object_id = objects.id)
  and not exists (select from users where avatar_url = ${path})
  and not exists (select from apps where image_url = ${path})
  and not exists (select from services where image_url = ${path})
  and not exists (select from deletions where rows @? ('$.*[*].image_url ? (@ == "' || ${path} || '")')::jsonpath)`
const isOld = sql<boolean>`coalesce(uploaded_at, expires_at) < now() - interval '24 hours'`

/**
 * Deletes at most `limit` old objects: objects uploaded more than 24 hours ago to which no record refers, not even one that can be
 * restored, and slots that expired unfilled more than 24 hours ago. Rows are locked first and checked again afterwards, because a
 * transaction that refers to an object locks it until its commit.
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

/** The database's time. */
export const readClock = async (db: Reads) => (await sql<{ now: Date }>`select now()`.execute(db)).rows[0]!.now

/** The keys among these that belong to neither an object nor an archive. */
export async function findUnknownKeys(db: Reads, keys: string[]) {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as stored (key)
    where not exists (select from objects where objects.key = stored.key)
      and not exists (select from pdf_archives where pdf_archives.key = stored.key)`.execute(db)
  return rows.map(({ key }) => key)
}

/** The `key` of every stored object of any kind, and the SHA-256 of its bytes in hexadecimal as `hash`. */
export const EVERY_KEY = `
  select key, encode(decode(translate(etag, '-_', '+/') || '=', 'base64'), 'hex') as hash from objects where key is not null
  union all select key, sha256 from pdf_archives where key is not null`
