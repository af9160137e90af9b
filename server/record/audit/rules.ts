import type { Static } from 'typebox'
import type { RevertOf } from '../../platform/changes/change-kind.ts'
import type { Refs as RefsShape } from './shapes.ts'

type Refs = Static<typeof RefsShape>

/** A change of a set, as a history stores it. */
interface SetChange {
  id: number
  added: readonly number[]
  removed: readonly number[]
}

/** The whole set before and after a change, ascending. */
export interface SetsAround {
  previousIds: number[]
  newIds: number[]
}

/**
 * The sets before and after each wanted change, by its id: today's set, with one change after another undone. `changes` are all changes
 * from the newest back to the oldest wanted one.
 */
export function setsAround(today: readonly number[], changes: readonly SetChange[], wanted: ReadonlySet<number>) {
  const set = new Set(today)
  const around = new Map<number, SetsAround>()
  for (const { id, added, removed } of changes) {
    const newIds = wanted.has(id) ? sorted(set) : []
    for (const one of added) set.delete(one)
    for (const one of removed) set.add(one)
    if (wanted.has(id)) around.set(id, { previousIds: sorted(set), newIds })
  }
  return around
}

const sorted = (set: ReadonlySet<number>) => [...set].sort((one, other) => one - other)

/** The reference to the reverted entry in the facts of a change; null if the change is no revert. */
export const revertOfFacts = ({ revertOf = null }: Record<string, unknown>) => revertOf as RevertOf | null
export const withoutRevertOf = ({ revertOf: _, ...facts }: Record<string, unknown>) => facts

/** The fields of facts that contain ids, by the kind of thing. */
const idFields: Record<string, readonly string[]> = {
  users: [
    ...['userId', 'userIds', 'memberId', 'managerId', 'ownerId', 'assigneeId', 'requesterId', 'beneficiaryId'],
    ...['starterId', 'contactUserId', 'approverUserIds', 'leadUserIds', 'reviewerId', 'reviewerUserIds', 'newReviewerIds'],
  ],
  groups: ['groupId', 'groupIds', 'askerGroupIds', 'approverGroupIds', 'audienceGroupIds', 'onBehalfGroupIds'],
  roles: ['roleId', 'roleIds'],
  permissions: ['permissionId', 'permissionIds', 'previousPermissionIds', 'newPermissionIds', 'addedPermissionIds', 'removedPermissionIds'],
  apps: ['appId', 'appIds'],
  services: ['serviceId'],
  serviceCategories: ['categoryId'],
  serviceTeams: ['teamId', 'fromTeamId', 'toTeamId'],
  workingCalendars: ['calendarId'],
  meetings: ['meetingId'],
}
/** The kind of thing whose ids a field of facts contains; undefined if it contains no ids, or ids of things that have no name. */
export const thingNamed = (field: string) => Object.keys(idFields).find((thing) => idFields[thing]!.includes(field))

const idsIn = (value: unknown) => [value].flat().filter((one) => typeof one === 'number')
/** The ids that joined or left a set, even if the entry stores the whole sets. For a field with a single id, the old id and the new one. */
function idsMoved(change: unknown) {
  const { from, to, added, removed } = (change ?? {}) as { [key in 'from' | 'to' | 'added' | 'removed']?: unknown }
  if (added || removed) return [...idsIn(added), ...idsIn(removed)]
  const [before, after] = [idsIn(from), idsIn(to)]
  const [had, has] = [new Set(before), new Set(after)]
  return [...after.filter((id) => !had.has(id)), ...before.filter((id) => !has.has(id))]
}

/**
 * The ids in an entry of the log, by the kind of thing: its target, and the ids in its facts, including those in the records before and
 * after the change.
 */
export function idsNamed(thing: string | undefined, targetId: number, facts: Record<string, unknown>) {
  const within = (name: string) => (facts[name] ?? {}) as Record<string, unknown>
  const [changed, before, after] = [within('changed'), within('before'), within('after')]
  const ids: Record<string, number[]> = {}
  for (const [of, fields] of Object.entries(idFields)) {
    const found = fields.flatMap((field) => [
      ...idsIn(facts[field]),
      ...idsMoved(changed[field]),
      ...idsIn(after[field]),
      ...idsIn(before[field]),
    ])
    // When a source moves the members of a group, the lists `added` and `removed` stand in the facts themselves, not below a field.
    if (of === 'users' && thing === 'groups') found.push(...idsMoved(facts))
    if (of === thing && targetId) found.unshift(targetId)
    if (found.length) ids[of] = found
  }
  return ids
}

/** The metadata of an entry, with the names of deleted records that it does not contain already; null if the result is empty. */
export function withNames(metadata: Record<string, unknown>, refs: Refs) {
  const said = JSON.stringify(metadata)
  const isSaid = (name: object) => said.includes(JSON.stringify(Object.values(name).find((text) => text !== null)))
  const unsaid = Object.entries(refs).flatMap(([thing, names]) => {
    const some = Object.entries(names).filter(([, name]) => !isSaid(name))
    return some.length ? [[thing, Object.fromEntries(some)]] : []
  })
  const whole = unsaid.length ? { ...metadata, refs: Object.fromEntries(unsaid) } : metadata
  return Object.keys(whole).length ? whole : null
}

/** A seal that somebody noted outside the portal. */
export interface Noted {
  id: number
  /** In hexadecimal. */
  hash: string
}
export const writeSeal = ({ id, hash }: Noted) => `${id}.${hash}`
export function readSeal(text: string): Noted {
  const [id, hash] = text.split('.') as [string, string]
  return { id: Number(id), hash }
}
