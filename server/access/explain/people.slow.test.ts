/** The people who see an app or have a role, and the acts that would change the apps that a person sees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { oneOf, type Recount, randomWorlds, type Stage, type World } from '../../../test/random-access.ts'

const portal = testPortal()
const { newApp, newGroup, newPermission, newPerson, newRole, roleNamed } = makers(portal)
const inRandomWorlds = randomWorlds(portal)

interface Item {
  user: { id: number; username: string }
}
const read = async (path: string) => {
  const { status, body, text } = await portal.admin.get(path)
  assert.equal(status, 200, text)
  return body
}
const people = ({ items }: { items: Item[] }) => items.map(({ user }) => user.id)
/** All items, read a few at a time. */
async function whole(path: string) {
  const all: Item[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const { items, nextOffset, totalCount } = await read(`${path}${path.includes('?') ? '&' : '?'}limit=7&offset=${offset}`)
    all.push(...items)
    offset = nextOffset
    if (offset === null) assert.equal(all.length, totalCount)
  }
  return all
}
const asSet = (ids: Iterable<number>) => [...new Set(ids)].toSorted((one, other) => one - other)

test('the people who see an app or have a role, with all their ways to it, match a naive recount', () =>
  inRandomWorlds(fc.tuple(oneOf('apps'), oneOf('roles')), async (stage, world, [app, role]) => {
    const known = new Set(stage.users)
    const audience = (await whole(`/apps/${stage.apps[app]}/audience`)) as (Item & { reasons: object[] })[]
    const seeing = world.users.filter((user) => world.sees(user, app)).map((user) => stage.users[user]!)
    assert.deepEqual(asSet(audience.map(({ user }) => user.id).filter((id) => known.has(id))), asSet(seeing))
    const [first] = audience
    if (first) assert.deepEqual(first.reasons, (await read(`/admin/access?userId=${first.user.id}&appId=${stage.apps[app]}`)).reasons)

    const ways = (user: number) => [null, ...world.groupsOf(user)].filter((group) => world.holdsFrom(user, group, role))
    const holders = (await whole(`/roles/${stage.roles[role]}/holders?effective=true`)) as (Item & { from: { groupId?: number }[] })[]
    const listed = holders.flatMap(({ user, from }) => from.map(({ groupId }) => `${user.id} ${groupId ?? 'direct'}`))
    const held = world.users.flatMap((user) =>
      ways(user).map((group) => `${stage.users[user]} ${group === null ? 'direct' : stage.groups[group]}`),
    )
    assert.deepEqual(listed.toSorted(), held.toSorted())
    const direct = world.users.filter((user) => ways(user).includes(null)).map((user) => stage.users[user]!)
    assert.deepEqual(asSet((await whole(`/roles/${stage.roles[role]}/holders`)).map(({ user }) => user.id)), asSet(direct))
  }))

interface Way {
  act: string
  refs: { role: { id: number } | null; group: { id: number } | null; permission: { id: number } | null }
  reasons: object[]
  alsoApps: { id: number }[]
  alsoAppsCount: number
  alsoPeopleCount: number
}
const waysOf = (user: number, app: number): Promise<Way[]> => read(`/admin/access/ways?userId=${user}&appId=${app}`)
const targetOf = ({ refs: { role, group, permission } }: Way) => (role ?? group ?? permission)!.id

/** The parts of the world that an act changes, as they are after the act. */
const done =
  (stage: Stage, [user, app]: [number, number], way: Way) =>
  (world: World): Partial<World> => {
    const [role, group] = [stage.roles.indexOf(targetOf(way)), stage.groups.indexOf(targetOf(way))]
    const permission = stage.permissions.indexOf(targetOf(way))
    const without = <T extends readonly [number, number]>(links: T[], [one, other]: [number, number]) =>
      links.filter(([a, b]) => a !== one || b !== other)
    switch (way.act) {
      case 'role.add':
        return { userRoles: [...world.userRoles, [user, role]] }
      case 'group.member':
        return { groupUsers: [...world.groupUsers, [group, user]] }
      case 'group.app':
        return { groupApps: [...world.groupApps, [group, app]] }
      case 'permission.app':
        return { appPermissions: [...world.appPermissions, [app, permission]] }
      case 'role.remove':
        return role === -1 ? { admins: world.admins.filter((one) => one !== user) } : { userRoles: without(world.userRoles, [user, role]) }
      case 'group.member.remove':
        return { groupUsers: without(world.groupUsers, [group, user]) }
      case 'group.app.remove':
        return { groupApps: without(world.groupApps, [group, app]) }
      default:
        return { appPermissions: without(world.appPermissions, [app, permission]) }
    }
  }

/** Checks a way against a recount: all of its consequences come true, and no others. */
function check(stage: Stage, world: Recount, pair: [number, number], way: Way, reasonsNow: number) {
  const [user, app] = pair
  const isGiven = !world.sees(user, app)
  const then = world.after(done(stage, pair, way))
  const moved = (before: number[], after: number[]) => [
    ...(isGiven ? after.filter((one) => !before.includes(one)) : before.filter((one) => !after.includes(one))),
  ]
  const said = JSON.stringify(way)
  if (isGiven || way.reasons.length === reasonsNow) assert.equal(then.sees(user, app), isGiven, said)
  else assert.ok(then.sees(user, app), said)
  const others = moved(world.seen(user), then.seen(user)).filter((one) => one !== app)
  assert.deepEqual(
    asSet(way.alsoApps.map(({ id }) => id).filter((id) => stage.apps.includes(id))),
    asSet(others.map((one) => stage.apps[one]!)),
    said,
  )
  const seeing = (all: Pick<Recount, 'sees'>) => world.users.filter((one) => one !== user && all.sees(one, app))
  assert.equal(moved(seeing(world), seeing(then)).length, way.alsoPeopleCount, said)
}

// Runs before other tests add people whom a way might affect.
test('every way to an app, or out of it, has exactly the consequences it names; the one with the fewest comes first', () =>
  inRandomWorlds(fc.tuple(oneOf('users'), oneOf('apps')), async (stage, world, [user, app]) => {
    const pair: [number, number] = [user, app]
    const ways = await waysOf(stage.users[user]!, stage.apps[app]!)
    if (world.isInactive(user) || world.isInactiveApp(app)) return assert.deepEqual(ways, [])
    const before = world.sees(user, app)
    const now = (await read(`/admin/access?userId=${stage.users[user]}&appId=${stage.apps[app]}`)).reasons.length
    const admin = (await roleNamed('admin')).id
    const isKnown = ({ refs: { role, group, permission } }: Way) =>
      role
        ? role.id === admin || stage.roles.includes(role.id)
        : group
          ? stage.groups.includes(group.id)
          : stage.permissions.includes(permission!.id)
    for (const way of ways) {
      assert.equal(way.act.endsWith('.remove') || (world.isOpen(app) && way.act === 'permission.app'), before)
      assert.ok(way.reasons.length > 0)
      // The portal also has groups and permissions that are not in the random world.
      if (isKnown(way)) check(stage, world, pair, way, now)
    }
    const costs = ways.map((way) => (way.alsoAppsCount + way.alsoPeopleCount) * 100 - (before ? way.reasons.length : 0))
    assert.deepEqual(
      costs,
      costs.toSorted((one, other) => one - other),
    )
    return undefined
  }))

test('pages of people are ordered by the name the reader sees and can be searched; inactive people have roles and see no app', async () => {
  await portal.admin.patch('/auth/me/language', { language: 'en' })
  const role = await newRole(['portal.hr'])
  const app = await newApp({ permissionIds: [(await read('/permissions')).find(({ name }: { name: string }) => name === 'portal.hr').id] })
  const [zaynab, bilal, away] = [await newPerson(), await newPerson(), await newPerson()]
  for (const [person, displayNameEn] of [
    [zaynab, 'Zaynab of Few'],
    [bilal, 'Bilal of Few'],
    [away, 'Away of Few'],
  ] as const) {
    await portal.admin.patch(`/users/${person.id}`, { displayNameEn })
    await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
  }
  await portal.admin.patch(`/users/${away.id}`, { isActive: false })
  assert.deepEqual(people(await read(`/roles/${role.id}/holders`)), [away.id, bilal.id, zaynab.id])
  assert.deepEqual(people(await read(`/roles/${role.id}/holders?q=BILAL`)), [bilal.id])
  const page = await read(`/apps/${app.id}/audience?q=of%20few&limit=1&offset=1`)
  assert.deepEqual([people(page), page.totalCount, page.nextOffset], [[zaynab.id], 2, null])
  const { items } = await read(`/roles/${role.id}/holders?q=away`)
  const { id, username } = away
  const user = { id, username, displayNameAr: null, displayNameEn: 'Away of Few', avatarUrl: null }
  assert.deepEqual(items, [{ user, isActive: false, from: [{ via: 'direct', expiresAt: null }] }])
  await portal.admin.patch(`/apps/${app.id}`, { isActive: false })
  assert.equal((await read(`/apps/${app.id}/audience`)).totalCount, 0)
  assert.ok((await read(`/apps/${(await newApp()).id}/audience?limit=1`)).totalCount > 2)
})

test('the first ways to an app are those that open no other app and open it to nobody else', async () => {
  const [asked, other] = [await newPermission(), await newPermission()]
  const [app, second] = [await newApp({ permissionIds: [asked.id] }), await newApp({ permissionIds: [other.id] })]
  const [exact, broad] = [await newRole([asked.name]), await newRole([asked.name, other.name])]
  const person = await newPerson()
  const mates = await newGroup({ userIds: [person.id, (await newPerson()).id, (await newPerson()).id, (await newPerson()).id] })
  const [joined, administrators] = [
    await newGroup({ descriptionEn: 'Those who pay', roleIds: [exact.id] }),
    await newGroup({ roleIds: [exact.id, (await roleNamed('admin')).id] }),
  ]
  const ways = await waysOf(person.id, app.id)
  assert.deepEqual(
    ways
      .map(({ act, alsoAppsCount, alsoPeopleCount, ...way }) => [act, targetOf({ act, alsoAppsCount, alsoPeopleCount, ...way })])
      .slice(0, 4),
    [
      ['group.member', joined.id],
      ['role.add', exact.id],
      ['role.add', broad.id],
      ['group.app', mates.id],
    ],
  )
  assert.ok(!ways.some((way) => way.refs.group?.id === administrators.id))
  const [first, , third, fourth] = ways
  const byRole = {
    via: 'permission',
    permissionId: asked.id,
    permissionName: asked.name,
    roleId: exact.id,
    roleName: exact.name,
    expiresAt: null,
  }
  assert.deepEqual(first, {
    act: 'group.member',
    refs: {
      role: null,
      group: { id: joined.id, name: joined.name, descriptionAr: null, descriptionEn: 'Those who pay' },
      permission: null,
    },
    reasons: [{ ...byRole, groupId: joined.id, groupName: joined.name }],
    alsoApps: [],
    alsoAppsCount: 0,
    alsoPeopleCount: 0,
  })
  assert.deepEqual([third!.alsoApps.map(({ id }) => id), third!.alsoAppsCount], [[second.id], 1])
  assert.deepEqual(
    [fourth!.alsoPeopleCount, fourth!.reasons],
    [3, [{ via: 'group', groupId: mates.id, groupName: mates.name, expiresAt: null }]],
  )
})

test('each act that hides an app names the reasons it ends; an app without permissions can be restricted', async () => {
  const asked = [await newPermission(), await newPermission()]
  const app = await newApp({ permissionIds: asked.map(({ id }) => id) })
  const role = await newRole([asked[0]!.name])
  const person = await newPerson({ roles: [role.name] })
  const group = await newGroup({ userIds: [person.id], roleIds: [role.id] })
  const acts = async (about = app) => (await waysOf(person.id, about.id)).map(({ act, reasons }) => [act, reasons.length])
  assert.deepEqual(await acts(), [
    ['permission.app.remove', 2],
    ['group.member.remove', 1],
    ['role.remove', 1],
  ])
  await portal.admin.delete(`/apps/${app.id}/permissions/${asked[1]!.id}`)
  assert.deepEqual(await acts(), [
    ['group.member.remove', 1],
    ['role.remove', 1],
  ])
  const open = await newApp()
  const restrictions = await waysOf(person.id, open.id)
  assert.ok(restrictions.length > 0 && restrictions.length <= 5)
  for (const { act, refs, alsoPeopleCount } of restrictions) {
    assert.deepEqual([act, refs.role, refs.group], ['permission.app', null, null])
    const before = (await read(`/apps/${open.id}/audience?limit=1`)).totalCount
    await portal.admin.post(`/apps/${open.id}/permissions`, { permissionId: refs.permission!.id })
    assert.equal(before - (await read(`/apps/${open.id}/audience?limit=1`)).totalCount, alsoPeopleCount + 1)
    await portal.admin.delete(`/apps/${open.id}/permissions/${refs.permission!.id}`)
  }
  const everyone = (await read('/groups')).find(({ isSystem }: { isSystem: boolean }) => isSystem)
  const granted = await newApp({ permissionIds: [asked[1]!.id] })
  await portal.admin.post(`/groups/${everyone.id}/apps`, { appId: granted.id })
  assert.deepEqual(await acts(granted), [['group.app.remove', 1]])
  await portal.admin.delete(`/groups/${group.id}?force=true`)
})

for (const path of [
  '/apps/2147483647/audience',
  '/roles/2147483647/holders',
  '/admin/access/ways?userId=1&appId=2147483647',
  '/admin/access/ways?userId=2147483647&appId=1',
])
  test(`${path} is not found`, async () => assert.equal((await portal.admin.get(path)).status, 404))
