/** Caches the metadata and keys of providers, and counts how sign-ins end. */

import type { RemoteJWKSet } from 'jose'
import { networkOf } from '../auth/limits.ts'
import { singleFlight } from '../concurrency.ts'
import type { Db } from '../database/db.ts'
import { type Outbound, OutboundError } from '../outbound.ts'
import { type FailureReason, fail, type ProviderReason, SignInFailure } from './failures.ts'
import { type Ask, askProvider, fetchKeys, fetchMetadata, type Metadata } from './metadata.ts'
import { openShares } from './shares.ts'

const METADATA_MS = 3_600_000
/** How long the last good metadata is used if the provider does not answer. */
const LAST_GOOD_MS = METADATA_MS + 24 * 3_600_000
/** The longest time that a withdrawn key is still accepted. */
const KEYS_MS = 10 * 60_000
/** The shortest time between two fetches of a provider's keys, for tokens with an unknown key. */
const KEYS_AGAIN_MS = 30_000
const NOTE_EVERY_MS = 5000

/** The parts of a provider that the protocol needs. */
export interface Issuer {
  id: number
  issuer: string
}
interface Known {
  metadata: Metadata
  fetchedAt: number
}
/** The last good copy of the metadata in the database. */
export interface Stored {
  metadata: Metadata | null
  fetchedAt: Date | null
}
export type Outcome = ProviderReason | 'overage'

interface Noting {
  /** Logs a failed attempt. */
  log(fields: Record<string, unknown>): void
  onError(error: unknown): void
  rateLimits: boolean
}

const NOTE_COUNTS = {
  name: 'note_provider_counts',
  text: `
    insert into provider_counts as counted (provider_id, hour, outcome, count)
    select line.id, date_trunc('hour', now()), line.outcome, line.count
    from unnest($1::int[], $2::text[], $3::int[]) as line (id, outcome, count) join sign_in_providers as p on p.id = line.id
    order by 1, 3
    on conflict (provider_id, hour, outcome) do update set count = counted.count + excluded.count`,
}
const NOTE_STATES = {
  name: 'note_provider_states',
  text: `
    with noted as (
      select line.id, line.is_reachable
      from unnest($1::int[], $2::boolean[]) as line (id, is_reachable) join sign_in_providers as p on p.id = line.id)
    insert into provider_states as state (provider_id, unreachable_since)
    select id, case when not is_reachable then now() end from noted order by id
    on conflict (provider_id) do update set
      unreachable_since = case when excluded.unreachable_since is null then null
        else coalesce(state.unreachable_since, excluded.unreachable_since) end,
      told_at = case when excluded.unreachable_since is not null then state.told_at end
    where (state.unreachable_since is null) <> (excluded.unreachable_since is null)`,
}

/** Whether a call failed because of the portal, and says nothing about the provider. */
const isOwn = (error: unknown) => error instanceof SignInFailure && error.cause instanceof OutboundError && error.cause.isOwn

/**
 * Fetches metadata and keys when they are needed, and caches them. Counts how attempts end and notes whether providers answer; both are
 * written every few seconds, because an attempt must not write before it succeeds.
 */
export function openProviders(db: Db, outbound: Outbound, internalHosts: readonly string[], { log, onError, rateLimits }: Noting) {
  const shares = openShares(rateLimits)
  const metadata = new Map<string, Known>()
  const keySets = new Map<string, { url: string; keys: RemoteJWKSet }>()
  /** When fetching the keys of a provider for a stranger’s token last failed. */
  const missed = new Map<string, number>()
  const shareMetadata = singleFlight<string, Known & { date: string | null }>()
  const reachable = new Map<number, boolean>()
  const states = new Map<number, boolean>()
  let version = 0
  let counts = new Map<string, { id: number; outcome: Outcome; count: number }>()

  function noteReachable(id: number, isReachable: boolean) {
    reachable.set(id, isReachable)
    states.set(id, isReachable)
  }

  function count(id: number, outcome: Outcome) {
    const key = `${id} ${outcome}`
    counts.set(key, { id, outcome, count: (counts.get(key)?.count ?? 0) + 1 })
  }

  const askOf =
    ({ id }: Issuer): Ask =>
    async (url, asked) => {
      try {
        const answer = await askProvider(outbound, url, asked)
        noteReachable(id, true)
        return answer
      } catch (error) {
        if (error instanceof SignInFailure && !isOwn(error)) noteReachable(id, false)
        throw error
      }
    }

  const keyOf = ({ id, issuer }: Issuer) => `${id} ${issuer}`

  const refetch = (provider: Issuer, withinMs?: number) =>
    shareMetadata(keyOf(provider), async () => {
      const found = await fetchMetadata(askOf(provider), provider.issuer, internalHosts, withinMs)
      const known = { ...found, fetchedAt: Date.now() }
      metadata.set(keyOf(provider), known)
      return known
    })

  /** The newest copy of the metadata, here or in the database, with its age. */
  function newestOf(provider: Issuer, { metadata: kept, fetchedAt }: Stored) {
    const copy = kept && fetchedAt ? { metadata: kept, fetchedAt: fetchedAt.getTime() } : undefined
    const [newest] = [metadata.get(keyOf(provider)), copy]
      .filter((one) => one !== undefined && one.metadata.issuer === provider.issuer)
      .toSorted((one, other) => other!.fetchedAt - one!.fetchedAt)
    return newest && { metadata: newest.metadata, age: Date.now() - newest.fetchedAt }
  }

  /** The metadata, at most an hour old; the last good copy if the provider does not answer. */
  async function metadataOf(provider: Issuer, stored: Stored, withinMs?: number): Promise<Metadata> {
    const known = newestOf(provider, stored)
    if (known && known.age < METADATA_MS) return known.metadata
    try {
      return (await refetch(provider, withinMs)).metadata
    } catch (error) {
      if (known && known.age < LAST_GOOD_MS && error instanceof SignInFailure && error.reason === 'unreachable') return known.metadata
      throw error
    }
  }

  /**
   * The keys of a provider. jose fetches them on demand, once for all callers that wait: again when they are 10 minutes old, and for an
   * unknown key at most every 30 s.
   */
  async function keysOf(provider: Issuer, metadata: Metadata) {
    const [name, url] = [keyOf(provider), metadata.jwks_uri]
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const known = keySets.get(name)
    if (known?.url === url) return known.keys
    const fetch = async () => Response.json({ keys: await fetchKeys(askOf(provider), metadata) })
    const keys = createRemoteJWKSet(new URL(url), { cacheMaxAge: KEYS_MS, cooldownDuration: KEYS_AGAIN_MS, [customFetch]: fetch })
    keySets.set(name, { url, keys })
    return keys
  }

  /**
   * The metadata and the keys, if a token signed by the key `kid` can be checked without a request; undefined if they are missing or too
   * old, or if the key is unknown and the keys may be fetched again.
   */
  function atHand(provider: Issuer, stored: Stored, kid: string | undefined) {
    const known = newestOf(provider, stored)
    const keys = keySets.get(keyOf(provider))?.keys
    const found = keys?.jwks()
    const isKnown = kid === undefined || found?.keys.some((key) => key.kid === kid)
    const isUsable = isKnown ? keys?.fresh : keys?.coolingDown
    return known && known.age < LAST_GOOD_MS && found && isUsable ? { metadata: known.metadata, keys: found } : undefined
  }

  /** As `atHand`, but fetched if necessary. After a failure, nothing is fetched for 30 s, because strangers can send such tokens. */
  async function forStranger(provider: Issuer, stored: Stored, kid: string | undefined) {
    const known = atHand(provider, stored, kid)
    if (known) return known
    const of = keyOf(provider)
    if (Date.now() - (missed.get(of) ?? Number.NEGATIVE_INFINITY) < KEYS_AGAIN_MS)
      return fail('unreachable', 'the keys could not be fetched a moment ago')
    try {
      const metadata = await metadataOf(provider, stored)
      const keys = await keysOf(provider, metadata)
      await keys.reload()
      return { metadata, keys: keys.jwks()! }
    } catch (error) {
      if (!isOwn(error)) missed.set(of, Date.now())
      throw error
    }
  }

  async function write() {
    const counted = [...counts.values()]
    counts = new Map()
    const stated = [...states]
    states.clear()
    try {
      if (counted.length)
        await db.pools.write.query({
          ...NOTE_COUNTS,
          values: [counted.map(({ id }) => id), counted.map(({ outcome }) => outcome), counted.map(({ count }) => count)],
        })
      if (stated.length) await db.pools.write.query({ ...NOTE_STATES, values: [stated.map(([id]) => id), stated.map(([, is]) => is)] })
    } catch (error) {
      onError(error)
    }
  }
  let noting = Promise.resolve()
  /** Writes the counts and states, once the previous write has ended. */
  const note = () => (noting = noting.then(write))
  const timer = setInterval(note, NOTE_EVERY_MS)
  timer.unref()

  return {
    internalHosts,
    askOf,
    refetch,
    metadataOf,
    keysOf,
    atHand,
    forStranger,
    useUp: shares.useUp,
    exchange: shares.exchange,
    /** Whether the provider answered when this instance last asked it; undefined before the first request. */
    answered: (id: number) => reachable.get(id),
    count,
    /**
     * Notes that an attempt failed: in the security log and, unless the attempt had expired or was another browser's, in the counts of the
     * provider, at most a hundred times for each provider and network in a quarter of an hour. A callback of an unknown provider without an
     * attempt is not logged: anybody can send one.
     */
    refused(id: number | null, reason: FailureReason, detail: string, { id: reqId, ip }: { id: string; ip: string }) {
      if (id === null && reason === 'state') return
      log({ reqId, ip, provider: id ?? undefined, reason, detail: detail === reason ? undefined : detail })
      if (id === null || reason === 'state' || reason === 'expired') return
      if (shares.mayCount(`refused ${id} ${networkOf(ip)}`)) count(id, reason)
    },
    /** Grows with each change that the sign-in page shows. */
    version: () => version,
    noteChange() {
      version++
    },
    /** Drops the caches of a provider that has changed. */
    forget(id: number) {
      for (const known of [metadata, keySets, missed]) for (const key of known.keys()) if (key.startsWith(`${id} `)) known.delete(key)
      reachable.delete(id)
    },
    note,
    async close() {
      clearInterval(timer)
      await note()
      await outbound.close()
    },
  }
}
export type Providers = ReturnType<typeof openProviders>
