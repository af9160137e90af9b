import { officeToday } from '../../../frame/office.ts'
import { plus } from '../../../parts/forms/calendar/days.ts'
import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import type { Query } from '../../../platform/list.ts'
import { peopleChanged } from '../shared/invitations.ts'

export type Person = Schemas['UserInList']
export type Verdict = Schemas['FailedPerson']

export const seens = ['30d', '90d', 'never'] as const
export const orders = ['name', '-name', 'created', '-created', 'seen', '-seen'] as const

/** The filters in the address. */
export interface Filters {
  q?: string | undefined
  status?: 'active' | 'disabled' | undefined
  group?: number | undefined
  source?: number | undefined
  role?: string | undefined
  seen?: (typeof seens)[number] | undefined
}

/** The office's day for `seenBefore`: the filter finds people last seen before it. For "never", it is before the portal existed. */
const before = (seen: (typeof seens)[number]) => (seen === 'never' ? '2000-01-01' : plus(officeToday(), -Number.parseInt(seen, 10)))

/** The filters as the portal accepts them, without those that are not set. */
export const filterOf = ({ q, status, group, source, role, seen }: Filters) => ({
  ...(q?.trim() && { q: q.trim() }),
  ...(status && { status }),
  ...(group && { groupId: group }),
  ...(source && { sourceId: source }),
  ...(role && { role }),
  ...(seen && { seenBefore: before(seen) }),
})

const keys = { name: 'name', created: 'createdAt', seen: 'lastSeenAt' } as const

export function queryOf(filters: Filters, sort: (typeof orders)[number] = 'name'): Query<'/users'> {
  const by = sort.replace('-', '') as keyof typeof keys
  return { ...filterOf(filters), sort: keys[by], order: sort.startsWith('-') ? 'desc' : 'asc' }
}

/** A list of one person, loaded for its total. */
const anyone = resource('/users', { query: { limit: 1 } })
/** The number of people with an account; undefined while it is unknown. */
export const countAll = () => (anyone.data ? anyone.total : undefined)

export const roles = resource('/roles')

export type Change = Schemas['UsersSet']
/** The people to change: people by id, or all that a filter finds. */
export type Chosen = { ids: number[] } | { filter: ReturnType<typeof filterOf> }

/** The most people that one call changes. */
const MOST_CHANGED = 5000
/** Rows per request. */
const AT_ONCE = 500

/**
 * The chosen people by id, so that nobody who fits the filter later is changed as well. More people than one call changes stay a filter:
 * the portal refuses that as well, and says how many it takes.
 */
export async function fixed(chosen: Chosen): Promise<Chosen> {
  if ('ids' in chosen) return chosen
  const ids = new Set<number>()
  for (let offset = 0; ids.size <= MOST_CHANGED; offset += AT_ONCE) {
    // In this order, people who are invited while the list is read come last.
    const query = { ...chosen.filter, sort: 'createdAt', order: 'asc', limit: AT_ONCE, offset } as const
    const part = await answer(api.GET('/users', { params: { query } }))
    for (const { id } of part) ids.add(id)
    if (part.length < AT_ONCE && ids.size <= MOST_CHANGED) return { ids: [...ids] }
  }
  return chosen
}

export async function changeMany(chosen: Chosen, set: Change) {
  if ('ids' in chosen && chosen.ids.length === 0) return { changedIds: [], failed: [] }
  const done = await answer(api.POST('/users/bulk-change', { body: { ...chosen, set } }))
  peopleChanged()
  return done
}

export const namesOf = async (ids: readonly number[]) =>
  ids.length ? answer(api.GET('/users', { params: { query: { ids: ids.slice(0, 200).join() } } })) : []
