/** Finds the person behind a session's token, checked against the database on every request. */
import { LRUCache } from 'lru-cache'
import type { Language } from '../../tables.ts'
import { batched } from '../batched.ts'
import type { Db } from '../database/db.ts'
import { perRun } from '../database/runs.ts'
import { type Access, Actor } from './actor.ts'
import { groupsOf, permissionsOf, rolesOf } from './held.ts'
import { hashToken, isToken } from './tokens.ts'

const MOST_ACTOR_BYTES = 48 * 1024 * 1024
const MOST_ACCESS_BYTES = 16 * 1024 * 1024
/** The bytes cached of a person besides their access. */
const ACTOR_BYTES = 1500
const ENTRY_BYTES = 500
const TOUCH_EVERY_MS = 5000

export interface Session {
  id: number
  userId: number
}
export interface Caller {
  actor: Actor
  session: Session
}

const AUTHENTICATE = {
  name: 'authenticate',
  text: `
    select s.token_hash as hash, s.id, s.user_id as "userId", a.version, e.value as epoch,
      s.last_used_at < now() - interval '1 minute' as idle
    from sessions s
    join user_access a on a.user_id = s.user_id and a.is_active
    cross join access_epoch e
    where s.token_hash = any($1) and s.ended_at is null and s.expires_at > now()`,
}
interface Authenticated extends Session {
  hash: string
  version: number
  epoch: number
  idle: boolean
}

const LOAD = {
  name: 'load_actors',
  text: `
    select u.id, u.username, u.preferred_language as language,
      ${rolesOf('u.id')} as roles,
      ${permissionsOf('u.id')} as permissions,
      ${groupsOf('u.id')} as groups
    from users u where u.id = any($1)`,
}
interface Loaded {
  id: number
  username: string
  language: Language
  roles: string[]
  permissions: string[]
  groups: Access['groups']
}

/** The approximate size of a description, in bytes. */
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
    actors: new LRUCache<number, { version: number; epoch: number; actor: Promise<Actor | undefined> }>({
      maxSize: MOST_ACTOR_BYTES,
      sizeCalculation: () => ACTOR_BYTES,
    }),
    /** People with the same roles and groups share one description while the epoch lasts. */
    shared: { epoch: 0, accesses: openAccesses() },
  }))

  function describe({ roles, permissions, groups }: Loaded, epoch: number): Access {
    const { shared } = cacheOf(db.reads)
    if (shared.epoch !== epoch) Object.assign(shared, { epoch, accesses: openAccesses() })
    const key = `${roles}|${groups.map(({ id }) => id)}`
    let access = shared.accesses.get(key)
    if (!access) {
      access = { roles, permissions: new Set(permissions), groups, groupIds: new Set(groups.map(({ id }) => id)) }
      shared.accesses.set(key, access)
    }
    return access
  }

  function actorOf({ userId, version, epoch }: Authenticated) {
    const { actors } = cacheOf(db.reads)
    const known = actors.get(userId)
    if (known?.version === version && known.epoch === epoch) return known.actor
    const actor = load(userId).then((loaded) => loaded && new Actor({ ...loaded, access: describe(loaded, epoch), version, epoch }))
    const loading = { version, epoch, actor }
    actors.set(userId, loading)
    const isCached = () => actors.peek(userId) === loading
    actor.then(
      // Each entry counts the whole description, because a shared one stays until its last entry goes.
      (found) => found && isCached() && actors.set(userId, loading, { size: ACTOR_BYTES + bytesOf(found.access) }),
      () => isCached() && actors.delete(userId),
    )
    return actor
  }

  let idle = new Set<number>()
  async function touch() {
    if (idle.size === 0) return
    const ids = [...idle]
    idle = new Set()
    await db.pools.write
      .query({
        name: 'touch_sessions',
        // A session that is being ended is skipped: waiting for its lock in another order could deadlock.
        text: `with touched as (
                 update sessions set last_used_at = now(),
                   expires_at = least(now() + make_interval(days => $2), created_at + interval '30 days')
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

  return {
    async authenticate(token: string | undefined): Promise<Caller | undefined> {
      if (!isToken(token)) return undefined
      const found = await findSession(hashToken(token))
      if (!found) return undefined
      if (found.idle) idle.add(found.id)
      const actor = await actorOf(found)
      return actor && { actor, session: { id: found.id, userId: found.userId } }
    },
    async close() {
      clearInterval(timer)
      await touch()
    },
  }
}
export type Sessions = ReturnType<typeof openSessions>
