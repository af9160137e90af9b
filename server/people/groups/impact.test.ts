import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ascending, makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { oneOf, randomWorlds, someOf } from '../../../test/random-access.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const portal = testPortal()
const { newApp, newGroup, newPerson, newRole, idsOfPermissions, roleNamed } = makers(portal)
const inRandomWorlds = randomWorlds(portal)
const preview = async (id: number, body: object) => (await portal.admin.post(`/groups/${id}/impact-preview`, body)).body
const nothing = { lostRoles: [], lostApps: [], affectedUserCount: 0 }

test('members who leave lose what only the group granted', async () => {
  const [hr] = await idsOfPermissions('portal.hr')
  const [given, asking] = [await newApp({ permissionIds: [hr] }), await newApp({ permissionIds: [hr] })]
  const [role, held] = [await newRole(['portal.hr']), await newRole()]
  const [leaver, stayer, away] = [await newPerson({ roles: [held.name] }), await newPerson(), await newPerson()]
  await portal.admin.patch(`/users/${away.id}`, { isActive: false })
  const userIds = [leaver.id, stayer.id, away.id]
  const { id } = await newGroup({ userIds, roleIds: [role.id, held.id], appIds: [given.id] })

  const traces = await portal.traces(async () => {
    assert.deepEqual(await preview(id, { userIds: [stayer.id] }), {
      lostRoles: [{ userId: leaver.id, roleNames: [role.name] }],
      lostApps: [{ userId: leaver.id, appIds: [given.id, asking.id] }],
      affectedUserCount: 1,
      noChange: false,
    })
    // The group itself still shows the app `given`.
    assert.deepEqual(
      (await preview(id, { roleIds: [held.id] })).lostApps,
      [leaver, stayer].map((one) => ({ userId: one.id, appIds: [asking.id] })),
    )
    assert.deepEqual(await preview(id, { appIds: [] }), { ...nothing, noChange: false })
    assert.deepEqual(await preview(id, { userIds: userIds.toReversed(), name: 'Other' }), { ...nothing, noChange: true })
    assert.deepEqual(await preview(id, {}), { ...nothing, noChange: true })
  })
  assert.deepEqual(traces, silence)
})

test('anything that the same change grants in another way is not lost', async () => {
  const [it] = await idsOfPermissions('portal.it')
  const app = await newApp({ permissionIds: [it] })
  const [one, other, person] = [await newRole(['portal.it']), await newRole(['portal.it']), await newPerson()]
  const { id } = await newGroup({ userIds: [person.id], roleIds: [one.id] })
  const lostRoles = [{ userId: person.id, roleNames: [one.name] }]
  for (const body of [{ roleIds: [other.id] }, { roleIds: [], appIds: [app.id] }])
    assert.deepEqual(await preview(id, body), { lostRoles, lostApps: [], affectedUserCount: 1, noChange: false })
})

const byPerson = <Loss extends { userId: number }>(losses: Loss[]) => losses.toSorted((one, other) => one.userId - other.userId)

test('the preview of a group’s change agrees with a naive recount', () =>
  inRandomWorlds(
    fc.record({
      group: oneOf('groups'),
      users: fc.option(someOf('users', 8)),
      roles: fc.option(someOf('roles', 3)),
      apps: fc.option(someOf('apps', 3)),
      isAdminGroup: fc.boolean(),
    }),
    async (stage, world, { group, ...change }) => {
      const adminRole = (await roleNamed('admin')).id
      const names = new Map(
        (await portal.sql<{ id: number; name: string }>('select id, name from roles')).map(({ id, name }) => [id, name]),
      )
      const { users, roles, apps, isAdminGroup } = change
      const idsOf = (ids: number[], indices: number[] | null) => indices?.map((index) => ids[index]!)
      const roleIds = idsOf(stage.roles, roles)
      const body = {
        userIds: idsOf(stage.users, users),
        roleIds: roleIds && [...roleIds, ...(isAdminGroup ? [adminRole] : [])],
        appIds: idsOf(stage.apps, apps),
      }
      const expected = world.groupImpact(group, change)
      const { lostRoles, lostApps, affectedUserCount } = await preview(stage.groups[group]!, body)
      const nameOf = (role: number | 'admin') => names.get(role === 'admin' ? adminRole : stage.roles[role]!)
      assert.deepEqual(
        lostRoles.map(({ userId, roleNames }: { userId: number; roleNames: string[] }) => ({ userId, roleNames: roleNames.toSorted() })),
        byPerson(expected.lostRoles.map(([user, lost]) => ({ userId: stage.users[user]!, roleNames: lost.map(nameOf).toSorted() }))),
      )
      // People who lose the role `admin` also lose apps of other tests.
      const ofTheWorld = lostApps
        .map(({ userId, appIds }: { userId: number; appIds: number[] }) => ({
          userId,
          appIds: appIds.filter((id) => stage.apps.includes(id)),
        }))
        .filter(({ appIds }: { appIds: number[] }) => appIds.length)
      assert.deepEqual(
        ofTheWorld,
        byPerson(
          expected.lostApps.map(([user, lost]) => ({ userId: stage.users[user]!, appIds: ascending(lost.map((app) => stage.apps[app]!)) })),
        ),
      )
      assert.equal(affectedUserCount, new Set([...expected.lostRoles, ...expected.lostApps].map(([user]) => user)).size)
    },
  ))

test('a preview says that a difference removes a service account, and that a set of people neither adds nor removes it', async () => {
  const [{ id }, person] = [await newGroup(), await newPerson()]
  const { id: program } = await addProgram(portal, 'robot', { groupIds: [id] })
  await portal.admin.post(`/groups/${id}/users`, { userId: person.id })
  for (const [body, noChange] of [
    [{ userIds: [person.id] }, true],
    [{ userIds: [person.id, program] }, true],
    [{ members: { add: [program] } }, true],
    [{ members: { remove: [program] } }, false],
  ] as const) {
    assert.deepEqual(await preview(id, body), { ...nothing, noChange }, JSON.stringify(body))
    const { audit } = await portal.traces(() => portal.admin.patch(`/groups/${id}`, body))
    assert.equal(audit.length === 0, noChange, JSON.stringify(body))
  }
})

for (const [what, path, body, status, code, unknownIds] of [
  ['an unknown group', '2147483647', {}, 404, 'not_found', undefined],
  ['a group that is no number', 'x', {}, 400, 'validation_failed', undefined],
  ['an unknown person', '1', { userIds: [1, 2147483647, 2147483646] }, 400, 'unknown_ids', [2147483646, 2147483647]],
  ['an unknown role', '1', { roleIds: [2147483647] }, 400, 'unknown_ids', [2147483647]],
  ['an unknown app', '1', { appIds: [2147483647] }, 400, 'unknown_ids', [2147483647]],
  ['an invalid id', '1', { appIds: [0] }, 400, 'validation_failed', undefined],
] as const) {
  test(`a preview for ${what} is refused`, async () => {
    const answer = await portal.admin.post(`/groups/${path}/impact-preview`, body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.unknownIds], [status, code, unknownIds])
  })
}
