/** Histories of permission sets: what is stored is what each change added and removed; the sets around it are worked out here. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Reads } from '../platform/db.ts'
import { daySpan, pageOf } from '../platform/page.ts'
import type { HistoryKind, Tables } from '../tables.ts'

export interface HistoryFilter {
  actorUserId?: number
  from?: string
  to?: string
}

type PagedFilter = HistoryFilter & { limit?: number; offset?: number }

const currentSets: Record<HistoryKind, string> = {
  'role.permissions': 'select permission_id from role_permissions where role_id =',
  'user.roles': 'select role_id from user_roles where user_id =',
  'user.groups': 'select group_id from group_users where user_id =',
  'group.users': 'select user_id from group_users where group_id =',
  'group.roles': 'select role_id from group_roles where group_id =',
  'group.apps': 'select app_id from group_apps where group_id =',
  'app.permissions': 'select permission_id from app_permissions where app_id =',
}

/** The actor of a row, with today's names where the person still exists. */
export const actorOf = (row: string) => sql<{
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
} | null>`
  case when ${sql.ref(`${row}.actorId`)} is not null then (
    select json_build_object('id', ${sql.ref(`${row}.actorId`)}, 'username', coalesce(u.username, ${sql.ref(`${row}.actorUsername`)}),
      'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url)
    from (select) as one left join users u on u.id = ${sql.ref(`${row}.actorId`)}) end`

type HistoryRows<O> = SelectQueryBuilder<Tables, 'permissionHistory', O>
/** The rows of a target's histories that a filter lets through. Refuses impossible dates. */
export function filterHistory<O>(rows: HistoryRows<O>, kinds: readonly HistoryKind[], target: number, filter: HistoryFilter) {
  const { start, end } = daySpan(filter)
  return rows
    .where('kind', 'in', kinds)
    .where('targetId', '=', target)
    .$if(!!filter.actorUserId, (some) => some.where('actorId', '=', filter.actorUserId!))
    .$if(start !== null, (some) => some.where('at', '>=', start!))
    .$if(end !== null, (some) => some.where('at', '<', end!))
}

/** One page of a target's histories, newest first, with the whole sets before and after each change. */
export async function readHistory(db: Reads, kinds: readonly HistoryKind[], target: number, filter: PagedFilter) {
  // One snapshot, or a change between the statements would shift every set.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const rows = filterHistory(snapshot.selectFrom('permissionHistory'), kinds, target, filter)
      const { count } = await rows.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
      const page = await rows
        .select(['id', 'kind', 'targetId', 'added', 'removed', 'at', actorOf('permissionHistory').as('actor')])
        .orderBy('id', 'desc')
        .limit(filter.limit!)
        .offset(filter.offset!)
        .execute()
      const oldest = page.at(-1)?.id ?? 0
      const sets = new Map<HistoryKind, Walk>()
      for (const kind of new Set(page.map((row) => row.kind))) sets.set(kind, await walkBack(snapshot, kind, target, oldest))
      const entries = page.map((row) => ({ ...row, ...sets.get(row.kind)!.around(row.id) }))
      return pageOf('entries', entries, count, filter)
    })
}

const kindsOf = {
  user: ['user.roles', 'user.groups'],
  group: ['group.users', 'group.roles', 'group.apps'],
  app: ['app.permissions'],
} as const

/** One page of what the sets of a person, a group or an app gained and lost, as it goes over the wire. */
export async function readPermissionAudit(db: Reads, targetKind: keyof typeof kindsOf, target: number, filter: PagedFilter) {
  const { entries, ...page } = await readHistory(db, kindsOf[targetKind], target, filter)
  const shown = entries.map(({ kind, added, removed, at, ...entry }) => ({
    ...entry,
    targetKind,
    changeKind: kind as (typeof kindsOf)[typeof targetKind][number],
    addedIds: added,
    removedIds: removed,
    createdAt: at,
  }))
  return { ...page, entries: shown }
}

type Walk = Awaited<ReturnType<typeof walkBack>>

/** Undoes a set's changes from today's back to the change `oldest`; `around` must be asked newest first. */
async function walkBack(snapshot: Reads, kind: HistoryKind, target: number, oldest: number) {
  const today = await sql<{ id: number }>`${sql.raw(currentSets[kind])} ${target}`.execute(snapshot)
  const set = new Set(today.rows.map((row) => Object.values(row)[0] as number))
  const later = await snapshot
    .selectFrom('permissionHistory')
    .select(['id', 'added', 'removed'])
    .where('kind', '=', kind)
    .where('targetId', '=', target)
    .where('id', '>=', oldest)
    .orderBy('id', 'desc')
    .execute()
  const sorted = () => [...set].sort((a, b) => a - b)
  return {
    around(id: number) {
      for (;;) {
        const change = later.shift()
        if (!change) throw new Error(`history ${id} of ${kind} ${target} is missing`)
        const newIds = change.id === id ? sorted() : []
        for (const added of change.added) set.delete(added)
        for (const removed of change.removed) set.add(removed)
        if (change.id === id) return { previousIds: sorted(), newIds }
      }
    },
  }
}
