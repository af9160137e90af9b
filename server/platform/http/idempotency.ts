/**
 * `Idempotency-Key`: a POST that is sent again with the same key within a day gets its first answer again, and has no effect. The last 500
 * answers of each person are stored, up to 16 MiB. A repeated call whose answer is no longer stored is refused, and still has no effect.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/db.ts'
import { refuse, refuseField } from '../errors/refusal.ts'
import { decrypt, encrypt } from '../secrets/cipher.ts'
import type { Handler, Portal } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { JSON_TYPE } from './refusal-reply.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The `Idempotency-Key` of the call; null without one. */
    once: Once | null
  }
}

interface Answer {
  status: number
  etag?: string
  body?: string
}

/**
 * Whether calls of the endpoint may have a key: only calls that would write again if they were repeated. Calls that set or clear cookies
 * may not: a stored answer has no cookies, and may have been given to another session of the person.
 */
export const takesKey = (endpoint: Endpoint) =>
  endpoint.at.startsWith('POST ') &&
  endpoint.allow !== 'anyone' &&
  endpoint.allow !== 'source' &&
  endpoint.does === 'command' &&
  endpoint.cookies === undefined

interface Schema {
  isShownOnce?: true
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}
const isOrHasSecret = (schema: Schema): boolean =>
  schema.isShownOnce ?? [...Object.values(schema.properties ?? {}), ...innerOf(schema)].some(isOrHasSecret)
const innerOf = ({ items, oneOf = [], anyOf = [] }: Schema) => [...(items ? [items] : []), ...oneOf, ...anyOf]

/** Replaces the secrets in an answer by null, in place. */
function hideSecrets(schema: Schema, answer: unknown) {
  if (typeof answer !== 'object' || answer === null) return
  const fields = answer as Record<string, unknown>
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    if (field.isShownOnce && name in fields) fields[name] = null
    else hideSecrets(field, fields[name])
  if (schema.items && Array.isArray(answer)) for (const item of answer) hideSecrets(schema.items, item)
  for (const one of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) hideSecrets(one, answer)
}

/** A function that takes the secrets out of the answers of an endpoint, before these are stored. */
function withoutSecretsOf({ reply }: Endpoint) {
  if (!reply || !isOrHasSecret(reply as Schema)) return (body: string | undefined) => body
  return (body: string | undefined) => {
    if (body === undefined) return undefined
    const answer: unknown = JSON.parse(body)
    hideSecrets(reply as Schema, answer)
    return JSON.stringify(answer)
  }
}

/**
 * Answers a repeated call from the stored answer, which has no secrets; calls without a key are handled as usual. Refusals are not stored,
 * so a refused call may be sent again.
 */
export function answeringOnce({ db }: Portal, endpoint: Endpoint, handle: Handler): Handler {
  const withoutSecrets = withoutSecretsOf(endpoint)
  return async (request, reply) => {
    const key = keyOf(request)
    if (key === undefined) return handle(request, reply)
    const once = openOnce(db, request, key, withoutSecrets)
    const known = await once.recall()
    if (known) return replay(reply, known)
    request.once = once
    try {
      return await handle(request, reply)
    } catch (error) {
      // The call may be refused because the same call, sent at the same time, succeeded.
      const meanwhile = await once.recall()
      if (meanwhile) return replay(reply, meanwhile)
      throw error
    }
  }
}

const replay = (reply: FastifyReply, { status, etag, body }: Answer) => {
  reply.code(status)
  if (etag) reply.header('etag', etag)
  return body ? reply.type(JSON_TYPE).send(body) : reply.send()
}

function keyOf({ headers }: FastifyRequest) {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) refuseField('Idempotency-Key', 'pattern', { form: 'printable' })
  return key
}

const MOST_ANSWERS = 500
const MOST_BYTES = 16 * 1024 * 1024

/** Rolls back a transaction whose call another transaction has already carried out. */
class CarriedOut extends Error {}

function openOnce(
  db: Db,
  { caller, method, url, bodyHash }: FastifyRequest,
  key: string,
  withoutSecrets: ReturnType<typeof withoutSecretsOf>,
) {
  const userId = caller!.actor.id
  const { id, kind } = caller!.session
  // A token must not get answers that its owner got without it.
  const whose = kind === 'token' ? `${userId} token ${id}` : String(userId)
  const secret = (use: string) => Buffer.from(hkdfSync('sha256', key, whose, use, 32))
  const keyHash = secret('lookup')
  const fingerprint = createHmac('sha256', secret('fingerprint')).update(`${method} ${url}\n${bodyHash}`).digest()

  return {
    /**
     * The answer to an earlier call with this key; undefined without one. Refuses `idempotency_mismatch` when that call was a different
     * one, and `answer_forgotten` when its answer is no longer stored.
     */
    async recall(): Promise<Answer | undefined> {
      const found = await db.reads
        .selectFrom('idempotencyKeys')
        .select(['fingerprint', 'answer'])
        .where('userId', '=', userId)
        .where('keyHash', '=', keyHash)
        .where('createdAt', '>', sql<Date>`now() - interval '24 hours'`)
        .executeTakeFirst()
      if (!found) return undefined
      if (!timingSafeEqual(found.fingerprint, fingerprint)) refuse('idempotency_mismatch')
      return found.answer.length > 0 ? JSON.parse(decrypt(secret('answer'), found.answer)) : refuse('answer_forgotten')
    },
    /** The answer as it is stored: encrypted, without secrets; empty for an answer that cannot be stored. */
    keep: (answer: Answer | undefined): SealedAnswer => {
      const kept = answer && JSON.stringify({ ...answer, body: withoutSecrets(answer.body) })
      return { userId, keyHash, fingerprint, sealed: kept ? encrypt(secret('answer'), kept) : Buffer.alloc(0) }
    },
  }
}
type Once = ReturnType<typeof openOnce>

interface SealedAnswer {
  userId: number
  keyHash: Buffer
  fingerprint: Buffer
  sealed: Buffer
}

/**
 * Stores answers, at most one for each person, in the transaction of their calls. If several transactions store an answer for the same key
 * at once, one commits, and all other ones are rolled back.
 */
export async function remember(tx: Tx, answers: SealedAnswer[]) {
  const ofEach = <Value>(pick: (answer: SealedAnswer) => Value) => answers.map(pick)
  const { rows } = await sql`
    with line as materialized (
      select * from unnest(${ofEach(({ userId }) => userId)}::int[], ${ofEach(({ keyHash }) => keyHash)}::bytea[],
        ${ofEach(({ fingerprint }) => fingerprint)}::bytea[], ${ofEach(({ sealed }) => sealed)}::bytea[]) as line (owner, hash, fingerprint, sealed)
    ), kept as (
      select user_id, k.key_hash, octet_length(sealed) as more, row_number() over newest as place, sum(octet_length(answer)) over newest as bytes
      from line join idempotency_keys as k on user_id = owner and answer <> '' and key_hash <> hash
      window newest as (partition by user_id order by created_at desc)
    ), beyond as (
      select user_id, key_hash from idempotency_keys as k join kept using (user_id, key_hash)
      where place >= ${MOST_ANSWERS} or bytes > ${MOST_BYTES} - more
      for update of k skip locked
    ), forgotten as (
      update idempotency_keys as k set answer = '' from beyond where (k.user_id, k.key_hash) = (beyond.user_id, beyond.key_hash)
    )
    insert into idempotency_keys (user_id, key_hash, fingerprint, answer) select owner, hash, fingerprint, sealed from line order by owner
    on conflict (user_id, key_hash) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
      where idempotency_keys.created_at <= now() - interval '24 hours'
    returning true`.execute(tx)
  if (rows.length < answers.length) throw new CarriedOut()
}
