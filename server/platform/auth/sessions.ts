/** Finds the person behind a session's token, checked against the database on every request. */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { batched } from '../batched.ts'
import type { Db, Reads } from '../database/db.ts'
import { perRun } from '../database/runs.ts'
import type { Language } from '../tables.ts'
import { type Access, Actor } from './actor.ts'
import { kindOfToken } from './api-tokens.ts'
import { OWED } from './debt.ts'
import { groupsOf, permissionsOf, rolesOf } from './held.ts'
import { hashToken, isToken } from './tokens.ts'

const MOST_ACTOR_BYTES = 48 * 1024 * 1024
const MOST_ACCESS_BYTES = 16 * 1024 * 1024
/** The size of a cached person without their access, in bytes. */
const ACTOR_BYTES = 1500
const ENTRY_BYTES = 500
const TOUCH_EVERY_MS = 5000
export const CONFIRMED_MINUTES = 15

export interface Session {
  id: number
  userId: number
  /** An API token and a calendar feed have sessions of their own. */
  kind: 'browser' | 'token' | 'calendar'
  /** 2 if it began with two factors. */
  level: number
  /** When its person last proved who they are; null for a token. */
  confirmedAt: Date | null
  /** Whether `confirmedAt` is within the last 15 minutes, by the clock of the database. */
  isFresh: boolean
  /** The step towards a second factor that a role or the provider demands before the session opens everything; null for none. */
  owes: 'enrolment' | 'confirmation' | null
  /** The scopes of a token; null for a browser. */
  scopes: readonly string[] | null
}
export interface Caller {
  actor: Actor
  session: Session
}

/** One number for the access epoch and the version of texts. Neither ever decreases, so the sum increases with each change. */
const EDITION = '(select value from access_epoch) + (select value from texts_version)'
export const readEdition = async (db: Reads) =>
  (await sql<{ edition: number }>`select ${sql.raw(EDITION)} as edition`.execute(db)).rows[0]!.edition

const AUTHENTICATE = {
  name: 'authenticate',
  text: `
    select s.token_hash as hash, s.id, s.user_id as "userId", s.kind, s.level, s.confirmed_at as "confirmedAt", s.scopes,
      coalesce(s.confirmed_at > now() - make_interval(mins => ${CONFIRMED_MINUTES}), false) as "isFresh",
      ${OWED} as owes,
      a.version, e.value as epoch, ${EDITION} as edition, s.last_used_at < now() - interval '1 minute' as idle,
      case when s.kind = 'token' then (select personal_tokens from sign_in_settings) end as "personalTokens"
    from sessions s
    -- \`offset 0\` keeps the lookup of one person from becoming a join with the versions of everybody.
    cross join lateral (select is_active, version, must_enrol_at from access_versions where user_id = s.user_id offset 0) as a
    cross join access_epoch e
    where s.token_hash = any($1) and s.ended_at is null and s.expires_at > now() and a.is_active`,
}
interface Authenticated extends Session {
  hash: string
  version: number
  epoch: number
  edition: number
  idle: boolean
  /** Whether people may use tokens of their own; null for a browser. */
  personalTokens: boolean | null
}

const LOAD = {
  name: 'load_actors',
  text: `
    select u.id, u.kind, u.username, u.preferred_language as language,
      ${rolesOf('u.id')} as roles,
      ${permissionsOf('u.id')} as permissions,
      ${groupsOf('u.id')} as groups
    from users u where u.id = any($1)`,
}
interface Loaded {
  id: number
  kind: 'person' | 'service'
  username: string
  language: Language
  roles: string[]
  permissions: string[]
  groups: Access['groups']
}

/** The approximate size of a description of access, in bytes. */
const bytesOf = ({ roles, permissions, groups }: Access) => {
  const texts = [
    ...roles,
    ...permissions,
    ...groups.flatMap(({ name, descriptionAr, descriptionEn }) => [name, descriptionAr, descriptionEn]),
  ]
  return texts.reduce((bytes, text) => bytes + 2 * (text?.length ?? 0) + 50, ENTRY_BYTES)
}

/**
 * `authenticate(token)` returns the caller, or undefined when the session is unknown, ended or expired, or its user inactive.
 * Concurrent requests share one statement. Fails when the database does not answer, instead of trusting a cache.
 */
export function openSessions(db: Db, sessionTtlDays: number, onError: (error: unknown) => void) {
  const findSession = batched<string, Authenticated | undefined>(async (hashes) => {
    const { rows } = await db.pools.sessions.query<Authenticated>({ ...AUTHENTICATE, values: [hashes] })
    const byHash = new Map(rows.map((row) => [row.hash, row]))
    return hashes.map((hash) => byHash.get(hash))
  })
  const load = batched<number, Loaded | undefined>(
    async (ids) => {
      const { rows } = await db.pools.sessions.query<Loaded>({ ...LOAD, values: [ids] })
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.map((id) => byId.get(id))
    },
    { most: 200 },
  )

  const openAccesses = () =>
    new LRUCache<string, Access>({ maxSize: MOST_ACCESS_BYTES, sizeCalculation: (access, key) => 2 * key.length + bytesOf(access) })
  const cacheOf = perRun(() => ({
    actors: new LRUCache<number, { version: number; edition: number; actor: Promise<Actor | undefined> }>({
      maxSize: MOST_ACTOR_BYTES,
      sizeCalculation: () => ACTOR_BYTES,
    }),
    /** Within an edition, people with the same roles and groups share one description. */
    shared: { edition: 0, accesses: openAccesses() },
  }))

  function describe({ roles, permissions, groups }: Loaded, edition: number): Access {
    const { shared } = cacheOf(db.reads)
    if (shared.edition !== edition) Object.assign(shared, { edition, accesses: openAccesses() })
    const key = `${roles}|${groups.map(({ id }) => id)}`
    let access = shared.accesses.get(key)
    if (!access) {
      access = { roles, permissions: new Set(permissions), groups, groupIds: new Set(groups.map(({ id }) => id)) }
      shared.accesses.set(key, access)
    }
    return access
  }

  function actorOf({ userId, version, epoch, edition }: Authenticated) {
    const { actors } = cacheOf(db.reads)
    const known = actors.get(userId)
    if (known?.version === version && known.edition === edition) return known.actor
    const actor = load(userId).then(
      (loaded) => loaded && new Actor({ ...loaded, access: describe(loaded, edition), version, epoch, edition }),
    )
    const loading = { version, edition, actor }
    actors.set(userId, loading)
    const isCached = () => actors.peek(userId) === loading
    actor.then(
      // The size of each entry includes the whole description, because a shared description stays in memory until its last entry goes.
      (found) => found && isCached() && actors.set(userId, loading, { size: ACTOR_BYTES + bytesOf(found.access) }),
      () => isCached() && actors.delete(userId),
    )
    return actor
  }

  /** The uses of tokens and feeds that are still to be recorded: the caller's address, by the id of the session. */
  let used = new Map<number, string>()
  async function touchTokens() {
    if (used.size === 0) return
    const uses = used
    used = new Map()
    await db.pools.write
      .query({
        name: 'touch_tokens',
        text: `with touched as (
                 update sessions set last_used_at = now()
                 where id in (select id from sessions where id = any($1) and ended_at is null for update skip locked)
                 returning id)
               update api_tokens set last_used_at = now(), last_used_ip = used.ip
               from unnest($1::int[], $2::text[]) as used (session, ip) join touched on touched.id = used.session
               where session_id = used.session`,
        values: [[...uses.keys()], [...uses.values()]],
      })
      .catch(onError)
  }

  let idle = new Set<number>()
  async function touch() {
    await touchTokens()
    if (idle.size === 0) return
    const ids = [...idle]
    idle = new Set()
    await db.pools.write
      .query({
        name: 'touch_sessions',
        // A session that is being ended is skipped: waiting for its lock in another order could deadlock.
        text: `with touched as (
                 update sessions set last_used_at = now(),
                   expires_at = least(now() + make_interval(days => $2), created_at + interval '30 days', lives_until)
                 where id in (select id from sessions where id = any($1) and ended_at is null for update skip locked)
                 returning user_id)
               update last_seen set at = date_trunc('hour', now()) where user_id in (
                 select user_id from last_seen where user_id in (select user_id from touched) and at < date_trunc('hour', now())
                 for update skip locked)`,
        values: [ids, sessionTtlDays],
      })
      .catch(onError)
  }
  const timer = setInterval(touch, TOUCH_EVERY_MS)
  timer.unref()

  async function callerOf(found: Authenticated): Promise<Caller | undefined> {
    const { id, userId, kind, level, confirmedAt, isFresh, owes, scopes } = found
    const actor = await actorOf(found)
    return actor && { actor, session: { id, userId, kind, level, confirmedAt, isFresh, owes, scopes } }
  }

  return {
    async authenticate(token: string | undefined): Promise<Caller | undefined> {
      if (!isToken(token)) return undefined
      const found = await findSession(hashToken(token))
      // The token of a calendar feed opens nothing as a cookie.
      if (found?.kind !== 'browser') return undefined
      if (found.idle) idle.add(found.id)
      return callerOf(found)
    },
    /** The caller with this API token, at this address; `closed` for a personal token while these are switched off. */
    async authenticateToken(text: string, ip: string): Promise<Caller | 'closed' | undefined> {
      const kind = kindOfToken(text)
      const found = kind && (await findSession(hashToken(text)))
      if (found?.kind !== 'token') return undefined
      if (kind === 'personal' && !found.personalTokens) return 'closed'
      if (found.idle) used.set(found.id, ip)
      return callerOf(found)
    },
    /** The caller whose calendar feed has this token. Its use is recorded at once, at most once a minute. */
    async authenticateFeed(token: string): Promise<Caller | undefined> {
      const found = isToken(token) ? await findSession(hashToken(token)) : undefined
      if (found?.kind !== 'calendar') return undefined
      if (found.idle) {
        used.set(found.id, '')
        await touchTokens()
      }
      return callerOf(found)
    },
    async close() {
      clearInterval(timer)
      await touch()
    },
  }
}
export type Sessions = ReturnType<typeof openSessions>
