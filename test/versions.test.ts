/** No instance gives a stale answer: each change that affects an answer moves a version, and the next request at any instance sees it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { ascending } from './makers.ts'
import { type Answer, Client } from './portal.ts'
import { seededPortal } from './seed.ts'

const { portal, org, make, seeded } = seededPortal()

/** The ids for the placeholders of statements, such as `:huda`. */
const ids: Record<string, number> = { admin: 1, everyone: 1 }
before(async () => {
  await seeded
  const role = await make.newRole(['portal.it'])
  const [permission] = await make.idsOfPermissions('portal.hr')
  const app = await make.newApp({ permissionIds: [permission] })
  const group = await make.newGroup({ userIds: [org.huda.id], roleIds: [role.id], appIds: [app.id] })
  await org.admin.put('/me/app-order', { order: [app.id] })
  Object.assign(ids, { huda: org.huda.id, omar: org.omar.id, role: role.id, group: group.id, app: app.id, permission })
})

/** The people whose versions a statement moves, and whether it moves the epoch and the version of texts. The statement is rolled back. */
async function movesOf(statement: string) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  const read = async () => {
    const people = await client.query<{ id: number; version: string }>('select user_id as id, version::text from user_access')
    const epoch = await client.query<{ value: string }>('select value::text from access_epoch')
    const texts = await client.query<{ value: string }>('select value::text from texts_version')
    return {
      people: new Map(people.rows.map(({ id, version }) => [id, version])),
      epoch: epoch.rows[0]!.value,
      texts: texts.rows[0]!.value,
    }
  }
  try {
    await client.query('begin')
    const old = await read()
    const { rowCount } = await client.query(statement.replace(/:(\w+)/g, (_, name: string) => String(ids[name])))
    assert.ok(rowCount, `${statement} touches nothing`)
    // This deferred trigger would run at the commit. The transaction is rolled back instead, so run the trigger now.
    await client.query('set constraints bump_texts immediate')
    const now = await read()
    const people = [...now.people.keys()].filter((id) => old.people.get(id) !== now.people.get(id))
    return { people: ascending(people), epoch: old.epoch !== now.epoch, texts: old.texts !== now.texts }
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

const moveVersions: [what: string, statement: string, ...people: string[]][] = [
  ['a person changes', 'update users set is_active = false where id = :huda', 'huda'],
  ['two people change', `update users set display_name_en = 'x' where id in (:huda, :omar)`, 'huda', 'omar'],
  ['a role is given', 'insert into direct_roles values (:huda, 3)', 'huda'],
  ['a role is taken', 'delete from direct_roles where user_id = :huda', 'huda'],
  ['a role is replaced', 'update direct_roles set role_id = 3 where user_id = :huda', 'huda'],
  ['a role moves to another person', 'update direct_roles set user_id = :omar, role_id = 3 where user_id = :huda', 'huda', 'omar'],
  ['a person joins a group', 'insert into memberships values (:group, :omar)', 'omar'],
  ['a person leaves a group', 'delete from memberships where user_id = :huda and group_id = :group', 'huda'],
  [
    'a membership moves to another person',
    'update memberships set user_id = :omar where user_id = :huda and group_id = :group',
    'huda',
    'omar',
  ],
  ['a launcher is put in order', `insert into app_orders values (:huda, '{:app}')`, 'huda'],
  ['a launcher is put in another order', `update app_orders set app_ids = '{}'`, 'admin'],
  ['a launcher loses its order', 'delete from app_orders', 'admin'],
]
for (const [what, statement, ...people] of moveVersions)
  test(`${what}: exactly the version of ${people.join(' and ')} moves`, async () => {
    assert.deepEqual(await movesOf(statement), { people: people.map((name) => ids[name]), epoch: false, texts: false })
  })

const moveEpoch: [what: string, statement: string][] = [
  ['a role is added', `insert into roles (name) values ('new')`],
  ['a role is deleted', `delete from roles where name = 'executive_coord_lead'`],
  ['a permission is added', `insert into permissions (name) values ('test.new')`],
  ['a permission is renamed', `update permissions set name = 'test.new' where name = 'portal.finance'`],
  ['a permission is deleted', `delete from permissions where name = 'portal.staff'`],
  ['a role is granted a permission', 'insert into role_permissions values (:role, :permission)'],
  ['a grant is replaced', 'update role_permissions set permission_id = :permission where role_id = :role'],
  ['a role loses a permission', 'delete from role_permissions where role_id = :role'],
  ['a group is added', `insert into groups (name) values ('new')`],
  ['a group is deleted', 'delete from groups where id = :group'],
  ['a group is given a role', 'insert into group_roles values (:everyone, 3)'],
  ['a group’s role is replaced', 'update group_roles set role_id = 3 where group_id = :group'],
  ['a group loses a role', 'delete from group_roles where group_id = :group'],
  ['an app is added', `insert into apps (slug, name_ar, name_en, icon_name, route, color) values ('new', 'ا', 'N', 'box', '/', 'red')`],
  ['an app changes', 'update apps set is_active = false where id = :app'],
  ['an app is deleted', 'delete from apps where id = :app'],
  ['an app is restricted', 'insert into app_permissions values (:app, 1)'],
  ['a restriction is replaced', 'update app_permissions set permission_id = 1 where app_id = :app'],
  ['an app is opened to all', 'delete from app_permissions where app_id = :app'],
  ['a group is granted an app', 'insert into group_apps values (:everyone, :app)'],
  ['a granted app moves to another group', 'update group_apps set group_id = :everyone where group_id = :group'],
  ['a group loses an app', 'delete from group_apps where group_id = :group'],
]
for (const [what, statement] of moveEpoch)
  test(`${what}: the epoch moves`, async () => {
    assert.equal((await movesOf(statement)).epoch, true)
  })

const moveTexts: [what: string, statement: string][] = [
  ['a role is renamed', `update roles set name = 'new' where id = :role`],
  ['a permission is described', `update permissions set description_en = 'new' where name = 'portal.finance'`],
  ['a group is renamed', `update groups set name = 'new' where id = :group`],
  ['an app is renamed', `update apps set name_en = 'new' where id = :app`],
  ['the apps get another order', 'update apps set sort_order = sort_order + 1'],
]
for (const [what, statement] of moveTexts)
  test(`${what}: only the version of texts moves`, async () => {
    assert.deepEqual(await movesOf(statement), { people: [], epoch: false, texts: true })
  })

let otherInstance = ''
before(async () => {
  await portal.ready
  otherInstance = (await portal.another()).base
})
/** A client with the same session at the other instance. */
const at2 = ({ cookie }: Client) => Object.assign(new Client(otherInstance), { cookie })

type Look = (client: Client) => Promise<unknown>
const me: Look = async (client) => (await client.get('/auth/me')).status
const roles: Look = async (client) => (await client.get('/auth/me')).body.roles
const language: Look = async (client) => (await client.get('/auth/me')).body.preferredLanguage
const users: Look = async (client) => (await client.get('/users')).status
const launcher: Look = async (client) => (await client.get('/apps')).body.map(({ id }: { id: number }) => id)
const app =
  (id: number): Look =>
  async (client) =>
    (await client.get(`/apps/${id}`)).status

/** Checks the answers to a person at both instances, before and right after an action at the first. */
async function checkSeen(who: Client, look: Look, act: () => Promise<Answer>, [old, now]: [unknown, unknown]) {
  for (const client of [who, at2(who), who, at2(who)]) assert.deepEqual(await look(client), old)
  assert.ok((await act()).status < 300)
  assert.deepEqual(await look(at2(who)), now)
  assert.deepEqual(await look(who), now)
}

test('a deactivated person is refused by the other instance on the next request', async () => {
  const person = await make.newPerson()
  await checkSeen(person, me, () => org.admin.patch(`/users/${person.id}`, { isActive: false }), [200, 401])
})

test('a deleted person is refused by the other instance on the next request', async () => {
  const person = await make.newPerson()
  await checkSeen(person, me, () => org.admin.delete(`/users/${person.id}`), [200, 401])
})

test('a signed-out session is refused by the other instance on the next request', async () => {
  const { base, cookie } = org.rana
  await checkSeen(org.rana, me, () => Object.assign(new Client(base), { cookie }).post('/auth/logout'), [200, 401])
})

test('both instances see roles added to and removed from a person', async () => {
  const { name: roleName } = await make.newRole()
  const path = `/users/${org.omar.id}/roles`
  await checkSeen(org.omar, roles, () => org.admin.post(path, { roleName }), [['user'], [roleName, 'user']])
  await checkSeen(org.omar, roles, () => org.admin.delete(`${path}/${roleName}`), [[roleName, 'user'], ['user']])
})

test('both instances see a group’s roles added, renamed, and gone with the group', async () => {
  const { id: roleId, name } = await make.newRole()
  const { id } = await make.newGroup({ userIds: [org.omar.id] })
  await checkSeen(org.omar, roles, () => org.admin.post(`/groups/${id}/roles`, { roleId }), [['user'], [name, 'user']])
  await checkSeen(org.omar, roles, () => org.admin.patch(`/roles/${roleId}`, { name: 'aaa' }), [
    [name, 'user'],
    ['aaa', 'user'],
  ])
  await checkSeen(org.omar, roles, () => org.admin.delete(`/groups/${id}?force=true`), [['aaa', 'user'], ['user']])
})

test('both instances see a group and an app renamed', async () => {
  const [group, app] = [await make.newGroup({ userIds: [org.omar.id] }), await make.newApp()]
  const name: Look = async (client) => (await client.get('/auth/me')).body.groups.find((one: { id: number }) => one.id === group.id).name
  await checkSeen(org.omar, name, () => org.admin.patch(`/groups/${group.id}`, { name: 'Renamed' }), [group.name, 'Renamed'])
  const title: Look = async (client) => (await client.get('/apps')).body.find((one: { id: number }) => one.id === app.id).nameEn
  await checkSeen(org.omar, title, () => org.admin.patch(`/apps/${app.id}`, { nameEn: 'Renamed' }), ['App', 'Renamed'])
})

test('both instances see an administrator demoted and promoted', async () => {
  const person = await make.newPerson({ roles: ['admin'] })
  const path = `/users/${person.id}/roles`
  await checkSeen(person, users, () => org.admin.delete(`${path}/admin`), [200, 403])
  await checkSeen(person, users, () => org.admin.post(path, { roleName: 'admin' }), [403, 200])
})

test('both instances see an app appear and disappear in every possible way', async () => {
  const { admin, huda } = org
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
    const listed = (await launcher(at2(huda))) as number[]
    assert.equal(listed.includes(id), seen[1] === 200)
  }
})

test('both instances see the language and the order of apps that a person chooses', async () => {
  await checkSeen(org.omar, language, () => org.omar.patch('/auth/me/language', { language: 'en' }), ['ar', 'en'])
  const shown = (await launcher(org.omar)) as number[]
  const order = shown.toReversed()
  await checkSeen(org.omar, launcher, () => org.omar.put('/me/app-order', { order }), [shown, order])
})
