/** All apps with the data that decides who sees them, read once per edition, and the launchers made from them. */
import { type Selectable, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { batched } from '../../platform/batched.ts'
import type { Reads } from '../../platform/database/db.ts'
import { perRun } from '../../platform/database/runs.ts'
import type { AsLongAs } from '../../platform/http/call-input.ts'
import { isWhole, type Page } from '../../platform/http/page.ts'
import { longList, type Wire, wire } from '../../platform/http/wire.ts'
import type { Tables } from '../../platform/tables.ts'
import { type Guarded, inOwnOrder, sees } from './rules.ts'
import { AppInLauncher, LauncherApps } from './shapes.ts'

const MOST_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 500
const BATCH = 500

type CatalogueApp = Selectable<Tables['apps']> & Guarded
type Reply = Wire<Static<typeof LauncherApps>>
interface Catalogue {
  edition: number
  /** By `sortOrder`, then id. */
  apps: Promise<readonly CatalogueApp[]>
  /** Serialised launchers by their app ids: people who see the same apps in the same order share one. */
  replies: LRUCache<string, Reply>
}

const openReplies = () =>
  new LRUCache<string, Reply>({ maxSize: MOST_BYTES, sizeCalculation: (reply, ids) => reply.length + 2 * ids.length + ENTRY_BYTES })

const loadApps = (db: Reads): Promise<readonly CatalogueApp[]> =>
  db
    .selectFrom('apps')
    .selectAll()
    .select([
      sql<
        string[]
      >`array(select p.name from app_permissions ap join permissions p on p.id = ap.permission_id where ap.app_id = apps.id)`.as(
        'permissions',
      ),
      sql<number[]>`array(select group_id from group_apps where app_id = apps.id)`.as('groups'),
    ])
    .orderBy('sortOrder')
    .orderBy('id')
    .execute()

function openShelf(db: Reads) {
  let newest: Catalogue | null = null
  return {
    /** The catalogue of this edition or a later one. A failed read is not cached. */
    at(edition: number) {
      if (newest && newest.edition >= edition) return newest
      const catalogue: Catalogue = { edition, apps: loadApps(db), replies: openReplies() }
      catalogue.apps.catch(() => {
        if (newest === catalogue) newest = null
      })
      newest = catalogue
      return catalogue
    },
    /** The order of apps that a person has chosen; empty without one. Simultaneous callers share one statement. */
    orderOf: batched<number, readonly number[]>(async (userIds) => {
      const rows = await db.selectFrom('appOrders').selectAll().where(sql<boolean>`user_id = any(${userIds}::int[])`).execute()
      const byUser = new Map(rows.map(({ userId, appIds }) => [userId, appIds]))
      return userIds.map((userId) => byUser.get(userId) ?? [])
    }),
  }
}

const shelfOf = perRun(openShelf)

export const findApp = async (db: Reads, actor: Actor, id: number) =>
  (await shelfOf(db).at(actor.edition).apps).find((app) => app.id === id)

/** The apps that a person sees, in the default order. */
export const visibleApps = async (db: Reads, actor: Actor) => (await shelfOf(db).at(actor.edition).apps).filter((app) => sees(app, actor))

async function arrangeLauncher(db: Reads, actor: Actor) {
  const cache = shelfOf(db)
  const catalogue = cache.at(actor.edition)
  const [all, order] = await Promise.all([catalogue.apps, cache.orderOf(actor.id)])
  const apps = inOwnOrder(
    all.filter((app) => sees(app, actor)),
    order,
  )
  return { apps, key: apps.map(({ id }) => id).join(), replies: catalogue.replies }
}

async function* batchesIn(apps: readonly CatalogueApp[]) {
  for (let from = 0; from < apps.length; from += BATCH) yield apps.slice(from, from + BATCH)
}

/**
 * A person's launcher in their own order, or a page of it. A whole launcher of at most 500 apps is serialised once, and needs no query
 * while access is unchanged.
 */
export async function readLauncher(db: Reads, actor: Actor, { limit, offset }: Page, asLongAs: AsLongAs) {
  const { apps, key, replies } = await actor.remember(arrangeLauncher, () => arrangeLauncher(db, actor))
  asLongAs(async (now) => {
    const seen = new Set((await visibleApps(db, now)).map(({ id }) => id))
    return apps.every(({ id }) => seen.has(id))
  })
  if (!isWhole({ limit, offset })) return wire(LauncherApps, apps.slice(offset, limit && (offset ?? 0) + limit))
  if (apps.length > BATCH) return longList(AppInLauncher, batchesIn(apps))
  let reply = replies.get(key)
  if (reply === undefined) {
    reply = wire(LauncherApps, [...apps])
    replies.set(key, reply)
  }
  return reply
}
