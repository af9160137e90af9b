import { randomBytes } from 'node:crypto'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { refuseFields } from '../../platform/errors/refusal.ts'
import { bareHost, mayAsk } from '../../platform/outbound.ts'
import { type LedgerRow, told } from './kinds.ts'
import { areaWildcard, type MessageType } from './types.ts'

export const MOST_WEBHOOKS = 50
/** The most messages of a webhook that are on their way at once, over all instances. */
export const AT_ONCE = 8
export const MOST_REPLAYED = 1000
export const MOST_DAYS = 30
/** The most time for a try and its answer. */
export const TRY_WITHIN_MS = 15_000
const MOST_BYTES = 8 * 1024

/** A message, not yet assigned to webhooks. */
export interface Message {
  sequence: number
  part: number
  type: MessageType
  /** Webhooks that ask for one of these get the message. */
  choices: string[]
  /** The only webhook that gets the message, whatever it asks for; null: `choices` decide. */
  webhookId: number | null
  body: string
  at: Date
}

/** The JSON of a message. Its data has at most 8 KiB: the longest list is halved until it fits, and `truncated` says so. */
function written(type: string, timestamp: Date, facts: Record<string, unknown>, common: Record<string, unknown>) {
  let data = { ...facts, ...common }
  for (let text = JSON.stringify(data); Buffer.byteLength(text) > MOST_BYTES; text = JSON.stringify(data)) {
    const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
    const [name, longest] = lists.reduce((one, other) => (other[1].length > one[1].length ? other : one), ['', []] as [string, unknown[]])
    if (longest.length === 0) break
    data = { ...data, [name]: longest.slice(0, Math.floor(longest.length / 2)), truncated: true }
  }
  return JSON.stringify({ type, timestamp, data })
}

/** The messages that a row of the ledger becomes, in their order. */
export const messagesOf = (row: LedgerRow): Message[] =>
  (told[row.kind]?.(row) ?? []).map(({ type, data }, index) => {
    const actor = row.actorId === null ? null : { id: row.actorId, username: row.actorUsername ?? '' }
    // Written last, so that no fact replaces them.
    const common = { sequence: row.id, targetType: row.targetType, targetId: row.targetId, actor }
    return {
      sequence: row.id,
      part: index + 1,
      type,
      choices: [type, areaWildcard(type)],
      webhookId: type === 'webhook.test' ? row.targetId : null,
      body: written(type, row.at, data, common),
      at: row.at,
    }
  })

/** The id of a message, which no try or replay changes. */
export const messageId = ({ webhookId, sequence, part }: { webhookId: number; sequence: number; part: number }) =>
  part === 1 ? `msg_${webhookId}_${sequence}` : `msg_${webhookId}_${sequence}_${part}`

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Returns an address as it will be called. Refuses an address with an account, fragment or internal host, and one that is neither https nor
 * http to a host the operator named.
 */
export function checkUrl(text: string, internalHosts: readonly string[]) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isFine =
    url !== undefined &&
    !url.username &&
    !url.password &&
    !url.hash &&
    url.port !== '0' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && internalHosts.includes(bareHost(url.hostname)))) &&
    mayAsk(url.hostname, internalHosts)
  if (!isFine) return refuseFields([fieldError('url', 'webhookAddress')])
  return url.href === `${text}/` ? text : url.href
}

/** The part of an address that logs show. */
export const originOf = (url: string) => new URL(url).origin

export const MOST_TRIES = 20
const MOST_DELAY_S = 22_026
const MOST_REST_MS = 6 * 3600 * 1000
/**
 * The pause after the n-th try in milliseconds: it grows by a factor of e up to 6.1 hours; `chance` from 0 to 1 moves it by at most a
 * tenth.
 */
export const delayAfter = (tries: number, chance: number) => Math.min(Math.exp(tries), MOST_DELAY_S) * 1000 * (0.9 + 0.2 * chance)

/** A receiver that answers 429 and does not say for how long gets rests that grow by a factor of e from 3 seconds to an hour. */
export const MOST_RESTS = 9
export const LONGEST_BUSY_S = 3600

/** The rest in milliseconds that an answer asks for, at most 6 hours; undefined if it asks for no rest, or in an unreadable form. */
export function restOf(retryAfter: string | string[] | undefined, now: number) {
  const text = [retryAfter].flat()[0]?.trim()
  if (!text) return undefined
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) || wait <= 0 ? undefined : Math.min(wait, MOST_REST_MS)
}

export const lastErrors = ['refused', 'address', 'dns', 'tls', 'timeout', 'closed', 'status'] as const
export type LastError = (typeof lastErrors)[number]

const errorsByCode: [RegExp, LastError][] = [
  [/^(ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|ECANCELLED|EFORMERR|EBADNAME|ETIMEOUT|EREFUSED)$/, 'dns'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'refused'],
  [/^(timeout|ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
  [/^(CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|\w+_CERT\w*|\w*CERTIFICATE\w*|UNABLE_TO_\w+)$/, 'tls'],
]
/** The reason for a missing answer, by the code of the error. */
export const errorOf = (code: string): LastError => errorsByCode.find(([pattern]) => pattern.test(code))?.[1] ?? 'closed'
