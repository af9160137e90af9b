/** A random history of access: acts of an administrator, with the answers about access after each of them. */
import fc from 'fast-check'
import { makers } from './makers.ts'
import type { Answer, TestPortal } from './portal.ts'

/** The kinds of records that acts are about. */
const things = ['users', 'groups', 'roles', 'permissions', 'apps'] as const
type Thing = (typeof things)[number]

const acts = [
  'joinGroup',
  'leaveGroup',
  'giveRole',
  'takeRole',
  'groupRole',
  'groupRoleRemove',
  'groupApp',
  'groupAppRemove',
  'rolePermissions',
  'appPermission',
  'appPermissionRemove',
  'appAccess',
  'groupSets',
  'rename',
  'hideApp',
  'orderApps',
  'activity',
  'bulk',
  'create',
  'delete',
  'undo',
  'revert',
] as const
interface Act {
  what: (typeof acts)[number]
  thing: Thing
  /** Each number chooses one of the existing records. */
  picks: number[]
  /** The days until a grant ends; null: it has no end. */
  days: number | null
}
export const histories = (length: number): fc.Arbitrary<Act[]> =>
  fc.array(
    fc.record({
      what: fc.constantFrom(...acts),
      thing: fc.constantFrom(...things),
      picks: fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
      days: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
    { minLength: length, maxLength: length },
  )

const DAY_MS = 24 * 3600_000

/** Answers by their addresses; of a 404, only the status. */
export type Answers = Record<string, { apps?: { id: number }[] } | number>

/** Opens a portal with a few records of each kind for the acts. */
export async function openHistory(portal: TestPortal) {
  const make = makers(portal)
  const { admin } = portal
  const names = new Map<number, string>()
  const alive: Record<Thing, number[]> = { users: [], groups: [], roles: [], permissions: [], apps: [] }
  /** The ids of all people and apps made so far, deleted ones included. */
  const known: Record<'users' | 'apps', number[]> = { users: [], apps: [] }

  async function create(thing: Thing, picks: number[] = []) {
    const some = (of: Thing) => (alive[of].length && picks.length ? [alive[of][picks[0]! % alive[of].length]!] : [])
    const made = {
      users: () => make.newPerson({ groupIds: some('groups') }),
      groups: () => make.newGroup({ userIds: some('users'), roleIds: some('roles'), appIds: some('apps') }),
      roles: () => make.newRole(),
      permissions: make.newPermission,
      apps: () => make.newApp({ permissionIds: some('permissions') }),
    }
    const record = await made[thing]()
    alive[thing].push(record.id)
    if (thing === 'roles' && 'name' in record) names.set(record.id, record.name)
    if (thing === 'users' || thing === 'apps') known[thing].push(record.id)
  }
  for (const thing of things) for (let n = 0; n < 3; n++) await create(thing)

  const newest = async (path: string) => (await admin.get(path)).body.entries[0] as { id: number; action: string } | undefined
  let renamed = 0
  async function remove(thing: Thing, id: number) {
    const { status } = await admin.delete(`/${thing}/${id}?force=true`)
    if (status === 204) alive[thing] = alive[thing].filter((one) => one !== id)
  }

  async function perform({ what, thing, picks, days }: Act): Promise<Answer | undefined> {
    const pick = (of: Thing, n: number) => alive[of][picks[n]! % alive[of].length]!
    const [user, group, role, app] = [pick('users', 0), pick('groups', 1), pick('roles', 2), pick('apps', 3)]
    const permission = pick('permissions', 2)
    const some = (of: Thing, n: number) => alive[of].filter((_, place) => (picks[n]! >> place) & 1)
    const end = days === null ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }
    const roleName = names.get(role)!
    switch (what) {
      case 'joinGroup':
        return admin.post(`/groups/${group}/users`, { userId: user, ...end })
      case 'leaveGroup':
        return admin.delete(`/groups/${group}/users/${user}`)
      case 'giveRole':
        return admin.post(`/users/${user}/roles`, { roleName, ...end })
      case 'takeRole':
        return admin.delete(`/users/${user}/roles/${roleName}`)
      case 'groupRole':
        return admin.post(`/groups/${group}/roles`, { roleId: role })
      case 'groupRoleRemove':
        return admin.delete(`/groups/${group}/roles/${role}`)
      case 'groupApp':
        return admin.post(`/groups/${group}/apps`, { appId: app })
      case 'groupAppRemove':
        return admin.delete(`/groups/${group}/apps/${app}`)
      case 'rolePermissions':
        return admin.put(`/roles/${role}/permissions`, { permissionIds: some('permissions', 3) })
      case 'appPermission':
        return admin.post(`/apps/${app}/permissions`, { permissionId: permission })
      case 'appPermissionRemove':
        return admin.delete(`/apps/${app}/permissions/${permission}`)
      case 'appAccess':
        return admin.put(`/apps/${app}/access`, { permissionIds: some('permissions', 0), groupIds: some('groups', 1) })
      case 'groupSets':
        return admin.patch(`/groups/${group}`, { userIds: some('users', 0), roleIds: some('roles', 1), appIds: some('apps', 2) })
      case 'rename': {
        if (thing === 'users') return undefined
        const name = `${thing === 'permissions' ? 'test.' : ''}renamed${++renamed}`
        const field = thing === 'apps' ? 'nameEn' : 'name'
        const id = pick(thing, 0)
        const answer = await admin.patch(`/${thing}/${id}`, { [field]: name })
        if (thing === 'roles' && answer.status === 200) names.set(id, name)
        return answer
      }
      case 'hideApp':
        return admin.patch(`/apps/${app}`, { isActive: picks[0]! % 2 === 0 })
      case 'orderApps': {
        const ids = ((await admin.get('/admin/apps')).body as { id: number }[]).map(({ id }) => id)
        return admin.put('/admin/apps/order', { ids: [...ids.slice(1), ids[0]] })
      }
      case 'activity':
        return admin.patch(`/users/${user}`, { isActive: picks[1]! % 2 === 0 })
      case 'bulk':
        return admin.post('/users/bulk-change', { ids: some('users', 0), set: { addGroupIds: [group], removeRoleNames: [roleName] } })
      case 'create':
        await create(thing, picks)
        return undefined
      case 'delete':
        if (alive[thing].length > 2) await remove(thing, pick(thing, 0))
        return undefined
      case 'undo': {
        if (thing === 'users') return undefined
        const id = pick(thing, 0)
        const links = thing === 'groups' ? { userIds: [], roleIds: [], appIds: [] } : null
        if (links) await admin.patch(`/groups/${id}`, links)
        if (thing === 'roles') await admin.put(`/roles/${id}/permissions`, { permissionIds: some('permissions', 1) })
        if ((await admin.delete(`/${thing}/${id}`)).status !== 204) return undefined
        const entry = await newest(`/admin/audit-logs?targetType=${thing.slice(0, -1)}&targetId=${id}&limit=1`)
        return admin.post(`/admin/undo/${entry!.id}`)
      }
      case 'revert': {
        const entry = await newest(`/groups/${group}/audit?limit=1`)
        return entry && admin.post(`/admin/history/group/${entry.id}/revert`, {})
      }
    }
  }

  /** Everyone's permissions and whether they see the app, now or, with `at`, at that moment. */
  async function ask(app: number, at?: string) {
    const answers: Answers = {}
    const when = at === undefined ? '' : `at=${at}`
    for (const id of known.users)
      for (const path of [`/users/${id}/effective-access?`, `/admin/access?userId=${id}&appId=${app}&`]) {
        const { status, body, text } = await admin.get(`${path}${when}`)
        if (status !== 200 && status !== 404) throw new Error(`${path}${when}: ${text}`)
        answers[path] = status === 200 ? body : status
      }
    return answers
  }
  return { perform, ask, appOf: (turn: number) => known.apps[turn % known.apps.length]! }
}
