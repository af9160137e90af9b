import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Act, acts, changeOf, deeds } from '../../../test/deeds.ts'
import { makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { randomWorlds, type Stage } from '../../../test/random-access.ts'
import { consequences, inShort, type Preview, type Standing, standingOf } from '../../../test/standing.ts'
import { scale } from '../../../test/suite.ts'

const portal = testPortal()
const make = makers(portal)
const inRandomWorlds = randomWorlds(portal)
const preview = async (...changes: object[]) => {
  const answer = await portal.admin.post('/admin/impact', { changes })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const nothing = {
  loses: [],
  losesCount: 0,
  gains: [],
  gainsCount: 0,
  keeps: [],
  keepsCount: 0,
  ordersReturned: [],
  ordersReturnedCount: 0,
  ordersLapsedCount: 0,
  sessionsEnded: 0,
  becomesAdmin: [],
  becomesAdminCount: 0,
  lastAdmin: false,
  self: { losesAdmin: false },
  unaffectedCount: 0,
  noChange: false,
}
const personOf = ({ id, username }: { id: number; username: string }) => ({
  id,
  username,
  displayNameAr: null,
  displayNameEn: null,
  avatarUrl: null,
})
const appRef = ({ id, slug, nameAr, nameEn }: Awaited<ReturnType<typeof make.newApp>>) => ({ id, slug, nameAr, nameEn })
const roleRef = ({ id, name }: { id: number; name: string }) => ({ id, name, descriptionAr: null, descriptionEn: null })

test('a person who leaves a group loses what only the group gave, and keeps what they have in another way as well', async () => {
  const [permission] = await make.idsOfPermissions('portal.finance')
  const [role, accounting, payslips] = [
    await make.newRole(['portal.finance']),
    await make.newApp({ permissionIds: [permission] }),
    await make.newApp({ permissionIds: [permission] }),
  ]
  const [majed, rania, sara, stays] = [
    await make.newPerson(),
    await make.newPerson(),
    await make.newPerson({ roles: [role.name] }),
    await make.newPerson(),
  ]
  const finance = await make.newGroup({ roleIds: [role.id], userIds: [majed.id, rania.id, sara.id, stays.id] })
  const hr = await make.newGroup({ name: 'People and pay', appIds: [payslips.id], userIds: [rania.id] })
  const change = { kind: 'group', id: finance.id, remove: { userIds: [majed.id, rania.id, sara.id] } }

  const traces = await portal.traces(async () => {
    const lost = { roles: [roleRef(role)], rolesCount: 1, keeps: [], keepsCount: 0 }
    const throughHr = { app: appRef(payslips), via: { via: 'group', groupId: hr.id, groupName: 'People and pay' }, role: null }
    const direct = { via: 'permission', permissionId: permission, permissionName: 'portal.finance', roleId: role.id, roleName: role.name }
    assert.deepEqual(await preview(change), {
      ...nothing,
      loses: [
        { user: personOf(majed), ...lost, apps: [appRef(accounting), appRef(payslips)], appsCount: 2 },
        { user: personOf(rania), ...lost, apps: [appRef(accounting)], appsCount: 1, keeps: [throughHr], keepsCount: 1 },
      ],
      losesCount: 2,
      keeps: [
        {
          ...{ user: personOf(sara), roles: [], rolesCount: 0, apps: [], appsCount: 0 },
          keeps: [accounting, payslips].map((app) => ({ app: appRef(app), via: direct, role: roleRef(role) })),
          keepsCount: 2,
        },
      ],
      keepsCount: 1,
      unaffectedCount: 2,
    })
    const whole = { kind: 'group', id: finance.id, set: { userIds: [stays.id] } }
    assert.deepEqual(await preview(whole), await preview(change))
    assert.deepEqual(await preview({ kind: 'group', id: hr.id, add: { userIds: [rania.id] } }), {
      ...nothing,
      unaffectedCount: 1,
      noChange: true,
    })
  })
  assert.deepEqual(traces, silence)
})

test('the preview says who becomes an administrator, and whether the last administrator or the caller ceases to be one', async () => {
  const adminRole = (await make.roleNamed('admin')).id
  const [one, other] = [await make.newPerson(), await make.newPerson()]
  const { id } = await make.newGroup({ userIds: [one.id, other.id] })
  const demoted = { kind: 'user', id: portal.admin.id, remove: { roleIds: [adminRole] } }
  const promoted = { kind: 'group', id, add: { roleIds: [adminRole] } }
  const summary = ({ becomesAdmin, becomesAdminCount, lastAdmin, self }: Awaited<ReturnType<typeof preview>>) => ({
    becomesAdmin: becomesAdmin.map((person: { id: number }) => person.id),
    becomesAdminCount,
    lastAdmin,
    ...self,
  })
  const none = { becomesAdmin: [], becomesAdminCount: 0 }
  const both = { becomesAdmin: [one.id, other.id], becomesAdminCount: 2 }
  assert.deepEqual(summary(await preview(demoted)), { ...none, lastAdmin: true, losesAdmin: true })
  assert.deepEqual(summary(await preview(promoted)), { ...both, lastAdmin: false, losesAdmin: false })
  assert.deepEqual(summary(await preview(promoted, demoted)), { ...both, lastAdmin: false, losesAdmin: true })
  const off = [one, other].map((person) => ({ kind: 'user', id: person.id, set: { isActive: false } }))
  assert.deepEqual(summary(await preview(...off, promoted, demoted)), { ...none, lastAdmin: true, losesAdmin: true })
})

test('changes are applied in their order', async () => {
  const [role, better, person] = [await make.newRole(), await make.newRole(), await make.newPerson()]
  const { id } = await make.newGroup({ userIds: [person.id], roleIds: [role.id] })
  const direct = { kind: 'user', id: person.id, add: { roleIds: [role.id] } }
  const taken = { kind: 'role', id: role.id, remove: { userIds: [person.id] } }
  const moved = { kind: 'group', id, set: { roleIds: [better.id] } }
  const deleted = { kind: 'role', id: role.id, delete: true }
  const { loses, gains } = await preview(direct, moved, taken, deleted)
  const of = (gain: { user: { id: number }; roles: { id: number }[] }) => [gain.user.id, gain.roles.map(({ id }) => id)]
  assert.deepEqual([loses.map(of), gains.map(of)], [[[person.id, [role.id]]], [[person.id, [better.id]]]])
  assert.deepEqual((await preview(direct, taken)).noChange, true)
  const cleared = { kind: 'user', id: person.id, set: { roleIds: [] } }
  const whole = { kind: 'role', id: role.id, set: { userIds: [person.id] } }
  assert.deepEqual(await preview(direct, cleared, direct, cleared), await preview(cleared))
  for (const changes of [
    [whole, cleared],
    [cleared, whole, cleared],
    [whole, taken, cleared],
  ])
    assert.deepEqual((await preview(...changes)).loses, (await preview(cleared)).loses)
  assert.deepEqual((await preview(taken, direct)).gainsCount, 0)
  assert.equal((await preview({ kind: 'group', id, delete: true }, direct)).noChange, false)

  for (const [changes, status, code, counts] of [
    [[deleted], 409, 'has_dependents', { userCount: 0, groupCount: 1 }],
    [[direct, moved, deleted, taken], 409, 'has_dependents', { userCount: 1, groupCount: 0 }],
    [[moved, deleted, direct], 400, 'unknown_ids', { unknownIds: [role.id] }],
    [[moved, deleted, taken], 404, 'not_found', {}],
    [
      [
        { kind: 'user', id: person.id, delete: true },
        { kind: 'group', id, set: { userIds: [person.id] } },
      ],
      400,
      'unknown_ids',
      { unknownIds: [person.id] },
    ],
  ] as const) {
    const { status: got, body } = await portal.admin.post('/admin/impact', { changes })
    assert.deepEqual([got, body.code, { ...counts, ...body }], [status, code, body], JSON.stringify(changes))
  }
})

test('a person who is deactivated loses everything, including their sessions and the orders they work on', async () => {
  const role = await make.roleNamed('order_receiver')
  const [worker, asker, service] = [await make.newPerson({ roles: [role.name] }), await make.newPerson(), await make.newService()]
  const { body: order } = await asker.post('/orders', { serviceId: service.id })
  await worker.patch(`/orders/${order.id}/confirm-receipt`)
  const returned = {
    ordersReturned: [
      { orderId: order.id, service: { id: service.id, nameAr: service.nameAr, nameEn: service.nameEn }, user: personOf(worker) },
    ],
    ordersReturnedCount: 1,
  }
  const summary = async (change: object) => {
    const { losesCount, ordersReturned, ordersReturnedCount, sessionsEnded } = await preview(change)
    return { losesCount, ordersReturned, ordersReturnedCount, sessionsEnded }
  }
  const user = { kind: 'user', id: worker.id }
  assert.deepEqual(await summary({ ...user, set: { isActive: false } }), { losesCount: 1, ...returned, sessionsEnded: 1 })
  assert.deepEqual(await summary({ ...user, delete: true }), { losesCount: 1, ...returned, sessionsEnded: 1 })
  assert.deepEqual(await summary({ ...user, remove: { roleIds: [role.id] } }), { losesCount: 1, ...returned, sessionsEnded: 0 })
  // Orders that a deleted person placed are deleted with them.
  assert.deepEqual((await summary({ kind: 'user', id: asker.id, delete: true })).ordersReturned, [])
  const idle = { losesCount: 0, ordersReturned: [], ordersReturnedCount: 0, sessionsEnded: 0 }
  assert.deepEqual(await summary({ ...user, set: { isActive: true } }), idle)
  const { loses } = await preview({ ...user, set: { isActive: false } })
  assert.deepEqual(
    loses[0].roles.map(({ name }: { name: string }) => name),
    ['order_receiver', 'user'],
  )
})

const given = { kind: 'user', id: 1, add: { roleIds: [1] } }
const kindless = { kind: 'group', id: 1, set: { permissionIds: [1] } }
for (const [what, change, status, code, path] of [
  ['an unknown kind of record', { kind: 'service', id: 1 }, 400, 'validation_failed', 'changes.0.kind'],
  ['a set that its kind does not have', kindless, 400, 'validation_failed', 'changes.0.set.permissionIds'],
  ['the activity of a group', { kind: 'group', id: 1, set: { isActive: true } }, 400, 'validation_failed', 'changes.0.set.isActive'],
  ['a set beside its difference', { ...given, set: { roleIds: [] } }, 400, 'validation_failed', 'changes.0.set.roleIds'],
  ['a deletion beside a set', { ...given, delete: true }, 400, 'validation_failed', 'changes.0.add.roleIds'],
  ['an unknown record', { kind: 'app', id: 2147483647, delete: true }, 404, 'not_found'],
  ['an unknown person', { kind: 'group', id: 1, add: { userIds: [2147483647] } }, 400, 'unknown_ids'],
  ['an unknown role', { kind: 'user', id: 1, add: { roleIds: [2147483647] } }, 400, 'unknown_ids'],
  ['an unknown permission', { kind: 'role', id: 1, add: { permissionIds: [2147483647] } }, 404, 'not_found'],
  ['permissions of a system role', { kind: 'role', id: 1, add: { permissionIds: [1] } }, 400, 'system_role_permissions'],
  ['a permission for a system role', { kind: 'permission', id: 7, add: { roleIds: [2] } }, 400, 'system_role_permissions'],
  ['the deletion of a system role', { kind: 'role', id: 1, delete: true }, 400, 'system_role'],
  ['the deletion of a system group', { kind: 'group', id: 1, delete: true }, 400, 'system_group'],
  ['the deletion of a built-in permission', { kind: 'permission', id: 1, delete: true }, 400, 'system_permission'],
  ['the deactivation of oneself', { kind: 'user', id: 1, set: { isActive: false } }, 400, 'cannot_deactivate_self'],
  ['the deletion of oneself', { kind: 'user', id: 1, delete: true }, 400, 'cannot_delete_self'],
] as const) {
  test(`a preview of ${what} is refused`, async () => {
    const { status: got, body } = await portal.admin.post('/admin/impact', { changes: [change] })
    assert.deepEqual([got, body.code, body.details?.[0].path], [status, code, path])
  })
}

const WALK = scale(12, 30)
test(`a preview of a random change matches the effects of saving it, ${WALK} changes in each world`, async (t) => {
  const { id: serviceId } = await make.newService()
  const adminRole = (await make.roleNamed('admin')).id
  const { save, handOut, replace, reinstate } = deeds(portal)
  const seen = { changes: 0, refused: 0, losesAdmin: 0, orders: 0, sessions: 0, kept: 0, loses: 0, gains: 0, same: 0 }

  async function checkKept(body: Preview, before: Standing, what: string) {
    const one = [...body.keeps, ...body.loses, ...body.gains].find(({ keeps }) => keeps.length)
    if (!one) return
    const { app, via } = one.keeps[0]!
    assert.ok(before.people.get(one.user.id)!.apps.includes(app.id), what)
    const { reasons } = (await portal.admin.get(`/admin/access?userId=${one.user.id}&appId=${app.id}`)).body
    assert.ok(
      reasons.some(({ expiresAt: _, ...reason }: { expiresAt: null }) => isDeepStrictEqual(reason, via)),
      `${what}\n${JSON.stringify(reasons)}`,
    )
    seen.kept++
  }

  async function check(stage: Stage, _world: unknown, walk: Act[]) {
    let now = await standingOf(portal)
    for (const act of walk) {
      const before = await handOut(now, serviceId)
      const worker = before.orders.find(({ assignedTo }) => assignedTo !== null)?.assignedTo ?? null
      const change = changeOf(act, stage, { adminRole, self: portal.admin.id, worker })
      if (!change) continue
      const { status, body, text } = await portal.admin.post('/admin/impact', { changes: [change] })
      const refused = (await save(change)).find((answer) => answer.status >= 400)?.body.code
      now = await standingOf(portal)
      seen.changes++
      const what = `${JSON.stringify(change)}\n${text}`
      if (status !== 200 || body.lastAdmin) {
        assert.equal(status === 200 ? 'last_admin' : body.code, refused, what)
        seen.refused++
        continue
      }
      assert.equal(refused, undefined, what)
      assert.deepEqual(inShort(body), consequences(before, now, [change], portal.admin.id), what)
      seen.losesAdmin += Number(body.self.losesAdmin)
      seen.orders += body.ordersReturned.length
      seen.sessions += body.sessionsEnded
      seen.loses += body.losesCount
      seen.gains += body.gainsCount
      seen.same += Number(body.noChange)

      if (!body.self.losesAdmin) await checkKept(body, before, what)
      else await reinstate(adminRole)
      if (change.delete) await replace(stage, change)
      if (change.delete || body.self.losesAdmin) now = await standingOf(portal)
    }
  }
  // After a failure the world is not reusable, so no other walk starts from it.
  await inRandomWorlds(fc.array(acts, { minLength: WALK, maxLength: WALK }), check, { endOnFailure: true })
  // A short walk may miss some kinds of effects.
  for (const [what, times] of Object.entries(seen)) assert.ok(times >= scale(0, 1), `nothing of ${what} was seen: ${JSON.stringify(seen)}`)
  t.diagnostic(JSON.stringify(seen))
})

test('lists name the first fifty, by the names that the reader sees, beside the full counts', async () => {
  const app = await make.newApp()
  await portal.sql(`begin;
    insert into users (username, email, password_hash, display_name_ar)
      select 'crowd' || n, 'crowd' || n || '@example.org', '', 'أ' || lpad((100 - n)::text, 3, '0') from generate_series(1, 60) as n;
    insert into ledger (kind, target_type, target_id, facts) select 'test.settled', 'user', id, '{}' from users;
    commit`)
  const ids = (await portal.sql<{ id: number }>(`select id from users where username like 'crowd%' order by id desc`)).map(({ id }) => id)
  const { losesCount, loses, unaffectedCount } = await preview({ kind: 'app', id: app.id, set: { isActive: false } })
  const active = await portal.sql('select from users where is_active')
  assert.deepEqual([losesCount, loses.length, unaffectedCount], [active.length, 50, 0])
  assert.deepEqual(
    loses.map(({ user }: { user: { id: number } }) => user.id).filter((id: number) => ids.includes(id)),
    ids.slice(0, 50),
  )
})
