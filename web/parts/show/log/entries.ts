/** Extracts from an entry of the audit log the records that it names and the fields that changed. */
import type { Schemas } from '../../../platform/client.ts'

export type Entry = Schemas['AuditLogEntry']
type RecordType = 'user' | 'group' | 'role' | 'permission' | 'app' | 'service' | 'service_category' | 'meeting'

/** A record that an entry refers to, with its name if the entry has it. */
export interface Named {
  type: string
  id: number | undefined
  name?: { ar: string; en: string }
  /** Set if the entry records the deletion, so that the record cannot be opened. */
  isGone?: true
}

/** A changed field: its values, or for a set the additions and removals. */
export type Difference =
  | { field: string; from: unknown; to: unknown }
  | { field: string; of: RecordType; added: number[]; removed: number[] }

const same = (name: unknown) => (typeof name === 'string' && name ? { ar: name, en: name } : undefined)
const pair = (ar: unknown, en: unknown) => {
  const [first, second] = [same(ar), same(en)]
  return (first || second) && { ar: (first ?? second)!.ar, en: (second ?? first)!.en }
}
type Facts = Record<string, unknown>
const nameIn = (facts: Facts) =>
  pair(facts['nameAr'], facts['nameEn']) ??
  pair(facts['titleAr'], facts['titleEn']) ??
  pair(facts['displayNameAr'], facts['displayNameEn']) ??
  same(facts['name'] ?? facts['username'])

const record = (value: unknown): Facts => (value && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {})

/** The record that an entry is about. */
export function subjectOf({ action, targetType, targetId, metadata, refs }: Entry): Named {
  const facts = record(metadata)
  const inside = [facts, record(facts['after']), record(facts['before'])]
  const inDetails = inside.map(({ details }) => record(details))
  // A meeting request is named by its meeting or, before there is a meeting, by its proposal.
  const ofMeeting = inside.map(({ meetingId }) => record(refs.meetings?.[Number(meetingId)]))
  // A request for access is named by its group.
  const ofGroup = targetType === 'access_request' ? same(facts['groupName']) : undefined
  const named = [...inside, ...(targetType === 'meeting_request' ? ofMeeting : []), ...inDetails]
  const name = ofGroup ?? named.map(nameIn).find(Boolean) ?? inside.map(({ date }) => same(date)).find(Boolean)
  return {
    type: action.startsWith('service_account.') || facts['ofService'] ? 'service_account' : targetType,
    id: targetId ?? undefined,
    ...(name && { name }),
    ...(action.endsWith('delete') && { isGone: true as const }),
  }
}

const others: [key: string, type: RecordType, name?: string][] = [
  ['permissionId', 'permission', 'permissionName'],
  ['roleId', 'role', 'roleName'],
  ['userId', 'user'],
  ['appId', 'app'],
]
/** If the action is about two records, the one that was added or removed. */
export function otherOf({ action, metadata }: Entry): Named | undefined {
  if (action.startsWith('token.')) {
    const name = same(record(metadata)['tokenName'])
    return { type: 'token', id: undefined, ...(name && { name }) }
  }
  if (!/\.(add|remove)$|^(group\.member|user\.role)\./.test(action)) return
  const facts = record(metadata)
  for (const [key, type, named] of others) {
    const id = facts[key]
    const name = named && same(facts[named])
    if (typeof id === 'number') return { type, id, ...(name && { name }) }
  }
}

/** The end that a membership or role got when it was added; undefined for other actions, or without an end. */
export function endGiven({ action, metadata }: Entry) {
  const end = record(metadata)['expiresAt']
  return action.endsWith('.add') && typeof end === 'string' ? end : undefined
}

const sets: Record<string, RecordType> = {
  roleIds: 'role',
  groupIds: 'group',
  userIds: 'user',
  reviewerUserIds: 'user',
  appIds: 'app',
  permissionIds: 'permission',
  askerGroupIds: 'group',
  approverUserIds: 'user',
  approverGroupIds: 'group',
  audienceGroupIds: 'group',
  onBehalfGroupIds: 'group',
  leadUserIds: 'user',
}
/** The type of the records in a set; undefined for other fields. */
export const typeOfSet = (field: string): RecordType | undefined => sets[field]
const numbers = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [])
const without = (some: number[], others: number[]) => {
  const left = new Set(others)
  return some.filter((one) => !left.has(one))
}

function difference(field: string, { from, to, added, removed }: Facts): Difference {
  const of = sets[field]
  if (!of) return { field, from, to }
  if (added || removed) return { field, of, added: numbers(added), removed: numbers(removed) }
  return { field, of, added: without(numbers(to), numbers(from)), removed: without(numbers(from), numbers(to)) }
}

/** Fields that are not shown, because they change with every write or only programs use them. */
const silent = new Set(['id', 'createdAt', 'createdBy', 'updatedAt', 'sortOrder', 'objectPath', 'sha256', 'size'])
/** A value as comparable text, without ids: records inside a record get new ids with every write. */
const comparable = (value: unknown) => JSON.stringify(value ?? null, (key, one) => (key === 'id' ? undefined : one))
const isEqual = (one: unknown, other: unknown) => comparable(one) === comparable(other)
/** A record whose `details`, the fields of a proposal, are flattened into `details.…`. */
const flat = ({ details, ...fields }: Facts): Facts =>
  typeof details === 'string' || !details
    ? { ...fields, details }
    : { ...fields, ...Object.fromEntries(Object.entries(record(details)).map(([field, value]) => [`details.${field}`, value])) }

/** The fields that changed with an entry. */
export function differencesOf({ targetType, metadata }: Entry): Difference[] {
  const facts = record(metadata)
  if (facts['changed']) return Object.entries(record(facts['changed'])).map(([field, values]) => difference(field, record(values)))
  if (facts['before'] || facts['after']) {
    const [before, after] = [flat(record(facts['before'])), flat(record(facts['after']))]
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return fields
      .filter((field) => !silent.has(field) && !isEqual(before[field], after[field]))
      .map((field) => difference(field, { from: before[field] ?? null, to: after[field] ?? null }))
  }
  if (facts['addedPermissionIds'] || facts['removedPermissionIds'])
    return [difference('permissionIds', { added: facts['addedPermissionIds'] ?? [], removed: facts['removedPermissionIds'] ?? [] })]
  // A source added or removed members.
  if (targetType === 'group' && (facts['added'] || facts['removed'])) return [difference('userIds', facts)]
  return []
}

/** Fields that only a source writes, which a revert leaves as they are. */
const ofSources = new Set(['source', 'switchedOff', 'attributes', 'externalId'])
/** The fields that a revert of the entry may change. */
export const revertedBy = (entry: Entry) => differencesOf(entry).filter(({ field }) => !ofSources.has(field))

/** The facts that neither the sentence nor the differences show. */
export function restOf(entry: Entry): [key: string, value: unknown][] {
  const facts = record(entry.metadata)
  const said = new Set([
    ...(endGiven(entry) ? ['expiresAt'] : []),
    'changed',
    'before',
    'after',
    'nameAr',
    'nameEn',
    'name',
    'slug',
    'username',
    'refs',
    'renamed',
    'renamedFrom',
    'renamedTo',
    'tokenId',
    'tokenName',
    'ofService',
  ])
  if (entry.targetType === 'access_request') said.add('groupId').add('groupName')
  if (entry.targetType === 'group') said.add('added').add('removed')
  if (otherOf(entry)) for (const [key, , name] of others) said.add(key).add(name ?? key)
  return Object.entries(facts).filter(
    ([key, value]) => !said.has(key) && !/^(new|previous|added|removed)PermissionIds$/.test(key) && value !== null,
  )
}

/** The name of a record at the time of the entry; undefined if the entry does not contain it. */
export function nameThen({ refs }: Entry, { type, id, name }: Named): { ar: string; en: string } | undefined {
  if (id === undefined) return name
  const places = {
    user: 'users',
    group: 'groups',
    role: 'roles',
    permission: 'permissions',
    app: 'apps',
    service: 'services',
    service_category: 'serviceCategories',
    meeting: 'meetings',
    service_team: 'serviceTeams',
    working_calendar: 'workingCalendars',
  } as const
  const place = places[type as keyof typeof places]
  const known = record(place && refs[place]?.[id])
  return pair(firstLine(known['descriptionAr']), firstLine(known['descriptionEn'])) ?? name ?? nameIn(known)
}
/** The first line of a description, which is the display name of a role, a group or a permission. */
const firstLine = (text: unknown) => (typeof text === 'string' ? text.trim().split('\n')[0]!.slice(0, 60) : undefined)
