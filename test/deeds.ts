/** Random changes of access, saved by the calls that a page would make. */
import fc from 'fast-check'
import { makers } from './makers.ts'
import type { Answer, TestPortal } from './portal.ts'
import { oneOf, type Stage, type sizes } from './random-access.ts'
import { type Standing, standingOf } from './standing.ts'

type Names = keyof typeof sizes
/** For each kind of record: its sets, and the kind of their members. */
const sets = {
  user: { groupIds: 'groups', roleIds: 'roles' },
  group: { userIds: 'users', roleIds: 'roles', appIds: 'apps' },
  role: { permissionIds: 'permissions', userIds: 'users', groupIds: 'groups' },
  app: { permissionIds: 'permissions', groupIds: 'groups' },
  permission: { roleIds: 'roles', appIds: 'apps' },
} as const satisfies Record<string, Record<string, Names>>
type Kind = keyof typeof sets
const namesOf = { user: 'users', group: 'groups', role: 'roles', app: 'apps', permission: 'permissions' } as const
const singular = { users: 'user', groups: 'group', roles: 'role', apps: 'app', permissions: 'permission' } as const

type Mode = 'set' | 'add' | 'remove'
/** A change of one set of a record. */
interface Edit {
  field: string
  mode: Mode
  others: number[]
  /** Whether the role `admin` is one of the roles. */
  isOfAdmin: boolean
}
/** An act on one record of a kind; records and members are given by index. */
export type Act =
  | { kind: Kind; at: number; edits: Edit[]; isActive?: boolean }
  | { kind: Kind; at: number; isActive: boolean }
  | { kind: Kind; at: number; delete: true }
  | Special
/** An act on the caller, who then stops being an administrator, or on a person who works on an order. */
type Special = 'self' | 'worker deactivated' | 'worker without roles' | 'worker deleted'

const kinds = Object.keys(sets) as Kind[]
function editOf(kind: Kind, field: string, ...modes: Mode[]): fc.Arbitrary<Edit> {
  const names = (sets[kind] as Record<string, Names>)[field]!
  return fc.record({
    field: fc.constant(field),
    mode: fc.constantFrom<Mode>(...(modes.length ? modes : (['set', 'add', 'remove'] as const))),
    others: fc.uniqueArray(oneOf(names), { minLength: 1, maxLength: names === 'users' ? 8 : 3 }),
    isOfAdmin: names === 'roles' && kind !== 'permission' ? fc.boolean() : fc.constant(false),
  })
}
const editing = (kind: Kind, ...edits: fc.Arbitrary<Edit>[]): fc.Arbitrary<Act> =>
  fc.record({ kind: fc.constant(kind), at: oneOf(namesOf[kind]), edits: fc.tuple(...edits) })
const single = kinds.flatMap((kind) => Object.keys(sets[kind]).map((field) => editing(kind, editOf(kind, field))))
/** Several sets of one record, saved by one call. */
const several = [
  editing('group', editOf('group', 'userIds'), editOf('group', 'roleIds')),
  editing('group', editOf('group', 'userIds'), editOf('group', 'roleIds'), editOf('group', 'appIds')),
  editing('app', editOf('app', 'permissionIds', 'set'), editOf('app', 'groupIds', 'set')),
  fc.record({
    kind: fc.constant('user' as const),
    at: oneOf('users'),
    edits: fc.tuple(editOf('user', 'groupIds', 'set')),
    isActive: fc.boolean(),
  }),
]
const switches = (['user', 'app'] as const).map((kind) =>
  fc.record({ kind: fc.constant(kind), at: oneOf(namesOf[kind]), isActive: fc.boolean() }),
)
const deletions = kinds.map((kind) => fc.record({ kind: fc.constant(kind), at: oneOf(namesOf[kind]), delete: fc.constant(true as const) }))
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: fc.oneof(...single), weight: 22 },
  { arbitrary: fc.oneof(...several), weight: 8 },
  { arbitrary: fc.oneof(...switches), weight: 8 },
  { arbitrary: fc.oneof(...deletions), weight: 4 },
  { arbitrary: fc.constantFrom<Special>('self', 'worker deactivated', 'worker without roles', 'worker deleted'), weight: 4 },
)

export interface Change {
  kind: Kind
  id: number
  delete?: true
  set?: Record<string, number[] | boolean>
  add?: Record<string, number[]>
  remove?: Record<string, number[]>
}

interface Participants {
  adminRole: number
  self: number
  /** Somebody who works on an order, if there is one. */
  worker: number | null
}
/** The change that an act makes; null if it needs a person who works on an order and there is none. */
export function changeOf(act: Act, stage: Stage, { adminRole, self, worker }: Participants): Change | null {
  if (act === 'self') return { kind: 'user', id: self, remove: { roleIds: [adminRole] } }
  if (typeof act === 'string') {
    if (worker === null) return null
    const change = { kind: 'user', id: worker } as const
    if (act === 'worker deleted') return { ...change, delete: true }
    return { ...change, set: act === 'worker deactivated' ? { isActive: false } : { roleIds: [] } }
  }
  const { kind, at } = act
  const record = { kind, id: stage[namesOf[kind]][at]! }
  if ('delete' in act) return { ...record, delete: true }
  const change: Change = { ...record, ...(act.isActive !== undefined && { set: { isActive: act.isActive } }) }
  for (const { field, mode, others, isOfAdmin } of 'edits' in act ? act.edits : []) {
    const names = (sets[kind] as Record<string, Names>)[field]!
    const ids = [...others.map((index) => stage[names][index]!), ...(isOfAdmin ? [adminRole] : [])]
    change[mode] = { ...change[mode], [field]: ids } as Record<string, number[]>
  }
  return change
}

export function deeds(portal: TestPortal) {
  const { admin } = portal
  const make = makers(portal)
  /** The tables of links, each named after the kinds that it connects. */
  const tables = ['user_roles', 'group_users', 'group_roles', 'group_apps', 'role_permissions', 'app_permissions']
  async function link(table: string, ids: Record<string, number>, isMade: boolean) {
    const [owner, member] = table.replace(/s$/, '').split('_') as [string, string]
    const path = `/${owner}s/${ids[owner]}/${member}s`
    if (table !== 'user_roles') return isMade ? admin.post(path, { [`${member}Id`]: ids[member] }) : admin.delete(`${path}/${ids[member]}`)
    const [role] = await portal.sql<{ name: string }>('select name from roles where id = $1', [ids['role']])
    return isMade ? admin.post(path, { roleName: role!.name }) : admin.delete(`${path}/${role!.name}`)
  }
  const linked = async (table: string, kind: Kind, other: string, id: number) =>
    (await portal.sql<{ id: number }>(`select ${other}_id as id from ${table} where ${kind}_id = $1`, [id])).map((row) => row.id)

  function groupBody({ set, add = {}, remove = {} }: Change) {
    const fields = Object.keys({ ...add, ...remove })
    const names = { userIds: 'members', roleIds: 'roles', appIds: 'apps' }
    const differences = fields.map((field) => [
      names[field as keyof typeof names],
      { ...(add[field] && { add: add[field] }), ...(remove[field] && { remove: remove[field] }) },
    ])
    return { ...set, ...Object.fromEntries(differences) }
  }

  async function saveSet({ kind, id, set, add, remove }: Change, field: string): Promise<Answer[]> {
    const other = singular[(sets[kind] as Record<string, Names>)[field]!]
    const whole = set?.[field] as number[] | undefined
    if (whole && kind === 'user') return [await admin.put(`/users/${id}/roles`, { roleIds: whole })]
    if (whole && kind === 'role' && field === 'permissionIds')
      return [await admin.put(`/roles/${id}/permissions`, { permissionIds: whole })]
    const table = tables.find((name) => name.replace(/s$/, '').split('_').toSorted().join() === [kind, other].toSorted().join())!
    const had = await linked(table, kind, other, id)
    const has = whole ?? [...had.filter((one) => !remove?.[field]?.includes(one)), ...(add?.[field] ?? [])]
    const answers: Answer[] = []
    const ids = (one: number) => ({ [kind]: id, [other]: one })
    for (const one of has.filter((one) => !had.includes(one))) answers.push(await link(table, ids(one), true))
    for (const one of had.filter((one) => !has.includes(one))) answers.push(await link(table, ids(one), false))
    return answers
  }

  return {
    /** Saves a change; returns the answers of its calls, if it needed any. */
    async save(change: Change): Promise<Answer[]> {
      const { kind, id, set, add, remove } = change
      const force = kind === 'role' || kind === 'permission' ? '' : '?force=true'
      if (change.delete) return [await admin.delete(`/${kind}s/${id}${force}`)]
      if (kind === 'group') return [await admin.patch(`/groups/${id}`, groupBody(change))]
      if (set && ('isActive' in set || (kind === 'user' && 'groupIds' in set))) return [await admin.patch(`/${kind}s/${id}`, set)]
      if (set && kind === 'app') {
        const { body: access } = await admin.get(`/apps/${id}/access`)
        return [await admin.put(`/apps/${id}/access`, { ...access, ...set })]
      }
      return saveSet(change, Object.keys({ ...set, ...add, ...remove })[0]!)
    },

    /** Makes sure that two orders are assigned to receivers other than the administrator, if there are any. */
    async handOut(standing: Standing, serviceId: number) {
      const { orders, receivers } = standing
      const others = receivers.filter((id) => id !== admin.id)
      const isFine = ({ assignedTo }: { assignedTo: number | null }) =>
        assignedTo === null ? others.length === 0 : others.includes(assignedTo)
      if (orders.length === 2 && orders.every(isFine)) return standing
      for (let n = orders.length; n < 2; n++) orders.push({ id: (await admin.post('/orders', { serviceId })).body.id, assignedTo: null })
      for (const [n, { id, assignedTo }] of orders.entries()) {
        if (assignedTo !== null) await admin.post(`/orders/${id}/release`)
        if (others.length) await admin.post(`/orders/${id}/assign`, { userId: others[n % others.length] })
      }
      return standingOf(portal)
    },

    /** Replaces a deleted record of the stage. */
    async replace(stage: Stage, { kind, id }: Change) {
      const ids = stage[namesOf[kind]]
      const made = { user: make.newPerson, group: make.newGroup, role: make.newRole, app: make.newApp, permission: make.newPermission }[
        kind
      ]
      ids[ids.indexOf(id)] = (await made()).id
    },

    /** Restores the rights of the tests’ administrator. */
    reinstate: (adminRole: number) =>
      portal.sql(`begin;
        insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${admin.id}, '{}');
        insert into permission_history (kind, target_id, added, removed) values ('user.roles', ${admin.id}, '{}', '{}');
        insert into direct_roles (user_id, role_id) values (${admin.id}, ${adminRole}) on conflict do nothing;
        commit`),
  }
}
