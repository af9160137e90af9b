/** Sends lines to a collector by HTTPS: compressed, in one POST. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { AuditStream } from '../../platform/config-audit-stream.ts'
import { type Outbound, OutboundError } from '../../platform/outbound.ts'
import { errorOf, restOf } from '../webhooks/rules.ts'
import type { Outcome } from './outcome.ts'

const compress = promisify(gzip)
/** A collector may have to store the lines before it answers, so this limit is longer than usual. */
const WITHIN_MS = 30_000
/** With these statuses a collector rejects the lines themselves; with 401 or 403, for example, it rejects the sender. */
const REFUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** Any answer of 2xx means that the collector has stored everything. Only the status and `Retry-After` are read. */
export async function post(
  outbound: Outbound,
  { url, token, format }: AuditStream,
  texts: readonly string[],
  version: string,
): Promise<Outcome> {
  const body = await compress(format === 'json' ? `[${texts.join(',')}]` : `${texts.join('\n')}\n`)
  const headers = {
    'content-type': format === 'json' ? 'application/json' : 'application/x-ndjson',
    'content-encoding': 'gzip',
    'user-agent': `Bawaba/${version}`,
    ...(token !== undefined && { authorization: token }),
  }
  try {
    const { status, headers: theirs } = await outbound.fetch(new URL(url), { method: 'POST', headers, body, withinMs: WITHIN_MS })
    if (status >= 200 && status < 300) return { isTaken: true }
    const isRefused = REFUSES.has(status)
    return { isTaken: false, error: 'status', status, isRefused, restMs: restOf(theirs['retry-after'], Date.now()) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'stopped') return { isTaken: false, error: 'stopped', status: null }
    return { isTaken: false, error: error.isRefused ? 'address' : errorOf(error.code), status: null }
  }
}
