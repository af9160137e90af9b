/** No instance gives a stale answer: whatever may change an answer moves a version, and the next request anywhere sees it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makers } from './makers.ts'
import { type Answer, Client, testPortal } from './portal.ts'

const portal = testPortal()
const make = makers(portal)

/** Whose versions a statement moves, and whether it moves the epoch. It is rolled back. */
async function movesOf(statement: string) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  const look = async () => {
    const people = await client.query<{ id: number; version: string }>('select user_id as id, version::text from user_access')
    const epoch = await client.query<{ value: string }>('select value::text from access_epoch')
    return { people: new Map(people.rows.map(({ id, version }) => [id, version])), epoch: epoch.rows[0]!.value }
  }
  try {
    await client.query('begin')
    const was = await look()
    assert.ok((await client.query(statement)).rowCount, `${statement} touches nothing`)
    const is = await look()
    const people = [...is.people].filter(([id, version]) => was.people.get(id) !== version).map(([id]) => id)
    return { people: people.toSorted((one, other) => one - other), epoch: was.epoch !== is.epoch }
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

const EVERYONE = 1
const ADMIN = 1
/** Two people, and a role, a group and an app that have members or grants. */
interface Scene {
  huda: number
  salem: number
  role: number
  group: number
  app: number
  permission: number
}
async function setScene(): Promise<Scene> {
  const [huda, salem] = [await make.newPerson(), await make.newPerson()]
  const role = await make.newRole(['portal.it'])
  const [permission] = await make.idsOfPermissions('portal.hr')
  const app = await make.newApp({ permissionIds: [permission!] })
  const group = await make.newGroup({ userIds: [huda.id], roleIds: [role.id], appIds: [app.id] })
  await portal.admin.put('/me/app-order', { order: [app.id] })
  return { huda: huda.id, salem: salem.id, role: role.id, group: group.id, app: app.id, permission: permission! }
}
let set: Promise<Scene> | undefined
const scene = () => (set ??= setScene())

const moveVersions: [what: string, statement: (scene: Scene) => string, people: (scene: Scene) => number[]][] = [
  ['a person changes', ({ huda }) => `update users set is_active = false where id = ${huda}`, ({ huda }) => [huda]],
  [
    'people change',
    ({ huda, salem }) => `update users set display_name_en = 'x' where id in (${huda}, ${salem})`,
    ({ huda, salem }) => [huda, salem],
  ],
  ['a role is given', ({ huda }) => `insert into user_roles values (${huda}, 3)`, ({ huda }) => [huda]],
  ['a role is taken', ({ huda }) => `delete from user_roles where user_id = ${huda}`, ({ huda }) => [huda]],
  ['a role becomes another', ({ huda }) => `update user_roles set role_id = 3 where user_id = ${huda}`, ({ huda }) => [huda]],
  [
    'a role passes on',
    ({ huda, salem }) => `update user_roles set user_id = ${salem}, role_id = 3 where user_id = ${huda}`,
    ({ huda, salem }) => [huda, salem],
  ],
  ['a group is joined', ({ salem, group }) => `insert into group_users values (${group}, ${salem})`, ({ salem }) => [salem]],
  ['a group is left', ({ huda, group }) => `delete from group_users where user_id = ${huda} and group_id = ${group}`, ({ huda }) => [huda]],
  [
    'a membership passes on',
    ({ huda, salem, group }) => `update group_users set user_id = ${salem} where user_id = ${huda} and group_id = ${group}`,
    ({ huda, salem }) => [huda, salem],
  ],
  ['a launcher is put in order', ({ huda, app }) => `insert into app_orders values (${huda}, '{${app}}')`, ({ huda }) => [huda]],
  ['a launcher is put in another order', () => `update app_orders set app_ids = '{}'`, () => [ADMIN]],
  ['a launcher loses its order', () => 'delete from app_orders', () => [ADMIN]],
]
for (const [what, statement, people] of moveVersions)
  test(`${what}: the version of exactly those people moves`, async () => {
    assert.deepEqual(await movesOf(statement(await scene())), { people: people(await scene()), epoch: false })
  })

const moveEpoch: [what: string, statement: (scene: Scene) => string][] = [
  ['a role comes', () => `insert into roles (name) values ('new')`],
  ['a role is renamed', ({ role }) => `update roles set name = 'new' where id = ${role}`],
  ['a role goes', () => `delete from roles where name = 'executive_viewer'`],
  ['a permission comes', () => `insert into permissions (name) values ('test.new')`],
  ['a permission is renamed', () => `update permissions set name = 'test.new' where name = 'portal.finance'`],
  ['a permission goes', () => `delete from permissions where name = 'portal.finance'`],
  ['a role is granted a permission', ({ role, permission }) => `insert into role_permissions values (${role}, ${permission})`],
  [
    'a grant becomes another',
    ({ role, permission }) => `update role_permissions set permission_id = ${permission} where role_id = ${role}`,
  ],
  ['a role loses a permission', ({ role }) => `delete from role_permissions where role_id = ${role}`],
  ['a group comes', () => `insert into groups (name) values ('new')`],
  ['a group is renamed', ({ group }) => `update groups set name = 'new' where id = ${group}`],
  ['a group goes', ({ group }) => `delete from groups where id = ${group}`],
  ['a group is given a role', () => `insert into group_roles values (${EVERYONE}, 3)`],
  ['a group’s role becomes another', ({ group }) => `update group_roles set role_id = 3 where group_id = ${group}`],
  ['a group loses a role', ({ group }) => `delete from group_roles where group_id = ${group}`],
  ['an app comes', () => `insert into apps (slug, name_ar, name_en, icon_name, route, color) values ('new', 'ا', 'N', 'box', '/', 'red')`],
  ['an app changes', ({ app }) => `update apps set is_active = false where id = ${app}`],
  ['an app goes', ({ app }) => `delete from apps where id = ${app}`],
  ['an app is restricted', ({ app }) => `insert into app_permissions values (${app}, 1)`],
  ['a restriction becomes another', ({ app }) => `update app_permissions set permission_id = 1 where app_id = ${app}`],
  ['an app is opened to all', ({ app }) => `delete from app_permissions where app_id = ${app}`],
  ['a group is granted an app', ({ app }) => `insert into group_apps values (${EVERYONE}, ${app})`],
  ['a granted app passes on', ({ group }) => `update group_apps set group_id = ${EVERYONE} where group_id = ${group}`],
  ['a group loses an app', ({ group }) => `delete from group_apps where group_id = ${group}`],
]
for (const [what, statement] of moveEpoch)
  test(`${what}: the epoch moves`, async () => {
    assert.equal((await movesOf(statement(await scene()))).epoch, true)
  })

let elsewhere: Promise<{ base: string }> | undefined
/** The same session on the other instance. */
async function onTheOther({ cookie }: Client) {
  elsewhere ??= portal.another()
  return Object.assign(new Client((await elsewhere).base), { cookie })
}

type Look = (visitor: Client) => Promise<unknown>
const me: Look = async (visitor) => (await visitor.get('/auth/me')).status
const roles: Look = async (visitor) => (await visitor.get('/auth/me')).body.roles
const language: Look = async (visitor) => (await visitor.get('/auth/me')).body.preferredLanguage
const users: Look = async (visitor) => (await visitor.get('/users')).status
const launcher: Look = async (visitor) => (await visitor.get('/apps')).body.map(({ id }: { id: number }) => id)
const app =
  (id: number): Look =>
  async (visitor) =>
    (await visitor.get(`/apps/${id}`)).status

/** What someone sees on both instances, before and right after something happens on one. */
async function checkSeen(who: Client, look: Look, act: () => Promise<Answer>, [was, is]: [unknown, unknown]) {
  const there = await onTheOther(who)
  for (const visitor of [who, there, who, there]) assert.deepEqual(await look(visitor), was)
  assert.ok((await act()).status < 300)
  assert.deepEqual(await look(there), is)
  assert.deepEqual(await look(who), is)
}

test('someone deactivated, deleted or signed out is refused by the other instance on the very next request', async () => {
  const [huda, salem, guest] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  await checkSeen(huda, me, () => portal.admin.patch(`/users/${huda.id}`, { isActive: false }), [200, 401])
  await checkSeen(salem, me, () => portal.admin.delete(`/users/${salem.id}`), [200, 401])
  const { base, cookie } = guest
  await checkSeen(guest, me, () => Object.assign(new Client(base), { cookie }).post('/auth/logout'), [200, 401])
})

test('roles come and go, directly and through groups', async () => {
  const huda = await make.newPerson()
  const role = await make.newRole()
  const group = await make.newGroup({ userIds: [huda.id] })
  const { admin } = portal
  const roleName = role.name
  await checkSeen(huda, roles, () => admin.post(`/users/${huda.id}/roles`, { roleName }), [['user'], [roleName, 'user']])
  await checkSeen(huda, roles, () => admin.delete(`/users/${huda.id}/roles/${roleName}`), [[roleName, 'user'], ['user']])
  await checkSeen(huda, roles, () => admin.post(`/groups/${group.id}/roles`, { roleId: role.id }), [['user'], [roleName, 'user']])
  await checkSeen(huda, roles, () => admin.patch(`/roles/${role.id}`, { name: 'aaa' }), [
    [roleName, 'user'],
    ['aaa', 'user'],
  ])
  await checkSeen(huda, roles, () => admin.delete(`/groups/${group.id}?force=true`), [['aaa', 'user'], ['user']])
})

test('an administrator who is one no more is no administrator anywhere', async () => {
  const chief = await make.newPerson({ roles: ['admin'] })
  await checkSeen(chief, users, () => portal.admin.delete(`/users/${chief.id}/roles/admin`), [200, 403])
  await checkSeen(chief, users, () => portal.admin.post(`/users/${chief.id}/roles`, { roleName: 'admin' }), [403, 200])
})

test('an app appears and disappears by every way there is', async () => {
  const { admin } = portal
  const huda = await make.newPerson()
  const role = await make.newRole()
  const [permissionId] = await make.idsOfPermissions('portal.hr')
  const { id } = await make.newApp()
  const group = await make.newGroup({ userIds: [huda.id], roleIds: [role.id] })
  const ways: [act: () => Promise<Answer>, seen: [number, number]][] = [
    [() => admin.post(`/apps/${id}/permissions`, { permissionId }), [200, 404]],
    [() => admin.put(`/roles/${role.id}/permissions`, { permissionIds: [permissionId] }), [404, 200]],
    [() => admin.delete(`/groups/${group.id}/roles/${role.id}`), [200, 404]],
    [() => admin.post(`/groups/${group.id}/apps`, { appId: id }), [404, 200]],
    [() => admin.patch(`/users/${huda.id}`, { groupIds: [] }), [200, 404]],
    [() => admin.patch(`/groups/${group.id}`, { userIds: [huda.id] }), [404, 200]],
    [() => admin.patch(`/apps/${id}`, { isActive: false }), [200, 404]],
    [() => admin.patch(`/apps/${id}`, { isActive: true }), [404, 200]],
    [() => admin.delete(`/apps/${id}?force=true`), [200, 404]],
  ]
  for (const [act, seen] of ways) {
    await checkSeen(huda, app(id), act, seen)
    const listed = ((await launcher(await onTheOther(huda))) as number[]).includes(id)
    assert.equal(listed, seen[1] === 200)
  }
})

test('what people choose for themselves is so everywhere', async () => {
  const huda = await make.newPerson()
  await checkSeen(huda, language, () => huda.patch('/auth/me/language', { language: 'en' }), ['ar', 'en'])
  const ids = (await launcher(huda)) as number[]
  const order = ids.toReversed()
  await checkSeen(huda, launcher, () => huda.put('/me/app-order', { order }), [ids, order])
})
