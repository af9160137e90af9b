/** Memberships and roles that end: the access that they give, and the traces of giving, changing and ending them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { accessChangedFor, makers, meChangedFor, silence, tracing } from '../../../test/makers.ts'
import { type Answer, Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced, silent } = tracing(portal)
const make = makers(portal)
const expire = () => runJob(portal, 'expire_grants')

const join = (group: number, userId: number, expiresAt?: string | null) =>
  portal.admin.post(`/groups/${group}/users`, { userId, ...(expiresAt !== undefined && { expiresAt }) })
const grant = (userId: number, roleName: string, expiresAt?: string | null) =>
  portal.admin.post(`/users/${userId}/roles`, { roleName, ...(expiresAt !== undefined && { expiresAt }) })
const read = async (path: string) => (await portal.admin.get(path)).body
const code = ({ status, body }: Answer) => [status, body.code]
const appsOf = async (person: Client) => (await person.get('/apps')).body.map(({ id }: { id: number }) => id)
/** A group that shows an app. */
async function openingGroup() {
  const group = await make.newGroup()
  const app = await make.newApp()
  const [permission] = await make.idsOfPermissions('portal.it')
  await portal.admin.put(`/apps/${app.id}/access`, { permissionIds: [permission], groupIds: [group.id] })
  return { id: group.id, name: group.name, appId: app.id }
}

test('giving, changing and removing the end of a membership leave their traces', async () => {
  const [person, { id }] = [await make.newPerson(), await make.newGroup()]
  const [first, later] = [inDays(10), inDays(20)]
  const sides = (added: number[], ends: [string | null, string | null]) => [
    {
      kind: 'group.users',
      target: id,
      added: added.length ? [person.id] : [],
      removed: [],
      ends: [{ id: person.id, from: ends[0], to: ends[1] }],
    },
    { kind: 'user.groups', target: person.id, added: added.length ? [id] : [], removed: [], ends: [{ id, from: ends[0], to: ends[1] }] },
  ]
  const given = await traced(() => join(id, person.id, first))
  assert.deepEqual(given.answer.body.memberEnds, [{ userId: person.id, expiresAt: first }])
  assert.deepEqual(given.audit, [
    { action: 'group.member.add', type: 'group', target: id, metadata: { userId: person.id, expiresAt: first } },
  ])
  assert.deepEqual([given.histories, given.events], [sides([id], [null, first]), accessChangedFor(person.id)])

  for (const again of [undefined, first]) assert.equal((await silent(() => join(id, person.id, again))).status, 201)
  for (const [from, to] of [
    [first, later],
    [later, first],
    [first, null],
  ] as const) {
    const { answer, audit, histories, events } = await traced(() => join(id, person.id, to))
    assert.deepEqual(answer.body.memberEnds, to ? [{ userId: person.id, expiresAt: to }] : [])
    const metadata = { userId: person.id, changed: { expiresAt: { from, to } } }
    assert.deepEqual(audit, [{ action: 'group.member.update', type: 'group', target: id, metadata }])
    assert.deepEqual([histories, events], [sides([], [from, to]), [meChangedFor(person.id)]])
  }
})

test('giving, changing and removing the end of a role leave their traces', async () => {
  const [person, role] = [await make.newPerson(), await make.newRole()]
  const [first, later] = [inDays(10), inDays(20)]
  const entry = (added: number[], from: string | null, to: string | null) => [
    { kind: 'user.roles', target: person.id, added, removed: [], ends: [{ id: role.id, from, to }] },
  ]
  const named = { roleId: role.id, roleName: role.name }
  const given = await traced(() => grant(person.id, role.name, first))
  assert.deepEqual(given.audit, [{ action: 'user.role.add', type: 'user', target: person.id, metadata: { ...named, expiresAt: first } }])
  assert.deepEqual([given.histories, given.events], [entry([role.id], null, first), accessChangedFor(person.id)])
  for (const again of [undefined, first]) assert.equal((await silent(() => grant(person.id, role.name, again))).status, 200)
  for (const [from, to] of [
    [first, later],
    [later, null],
  ] as const) {
    const { audit, histories, events } = await traced(() => grant(person.id, role.name, to))
    const metadata = { ...named, changed: { expiresAt: { from, to } } }
    assert.deepEqual(audit, [{ action: 'user.role.update', type: 'user', target: person.id, metadata }])
    assert.deepEqual([histories, events], [entry([], from, to), [meChangedFor(person.id)]])
  }
})

test('an end that is given at the moment when the present grant ends is that of a new grant', async () => {
  const [person, { id }] = [await make.newPerson(), await make.newGroup()]
  await join(id, person.id, inDays(1))
  // The grant ends once the portal has found that it has not ended. No command causes this, so no change of it is recorded.
  const which = `user_id = ${person.id} and group_id = ${id}`
  await portal.sql(`
    create function end_present() returns trigger language plpgsql as $$ begin
      update memberships set expires_at = now() - interval '1 minute' where ${which}; return new;
    end $$;
    create trigger end_present before insert on memberships for each row execute function end_present();
    alter table memberships disable trigger demand_change;
    alter table memberships disable trigger demand_history`)
  const end = inDays(3)
  const { answer, audit } = await traced(() => join(id, person.id, end))
  await portal.sql(`
    drop function end_present() cascade;
    alter table memberships enable trigger demand_change;
    alter table memberships enable trigger demand_history`)
  assert.deepEqual(answer.body.memberEnds, [{ userId: person.id, expiresAt: end }])
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['group.member.expire', 'group.member.add'],
  )
})

test('a new set of members keeps the ends of those who stay, and gives newcomers no end', async () => {
  const [stays, goes, comes] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const { id } = await make.newGroup()
  const end = inDays(3)
  for (const { id: person } of [stays, goes]) await join(id, person, end)
  const { answer, histories } = await traced(() => portal.admin.patch(`/groups/${id}`, { userIds: [stays.id, comes.id] }))
  assert.deepEqual(answer.body.memberEnds, [{ userId: stays.id, expiresAt: end }])
  assert.deepEqual(histories[0], {
    kind: 'group.users',
    target: id,
    added: [comes.id],
    removed: [goes.id],
    ends: [{ id: goes.id, from: end, to: null }],
  })
  await portal.admin.patch(`/users/${stays.id}`, { groupIds: [id, (await make.newGroup()).id] })
  await portal.admin.patch(`/groups/${id}`, { members: { remove: [comes.id] } })
  assert.deepEqual((await read(`/groups/${id}`)).memberEnds, [{ userId: stays.id, expiresAt: end }])
})

for (const [what, expiresAt, rule] of [
  ['over', inDays(-1), 'comingDays'],
  ['more than 1,826 days away', inDays(1827), 'comingDays'],
  ['in the year 9999', '9999-12-31T23:59:59Z', 'comingDays'],
  ['a day', '2031-01-01', 'pattern'],
  ['without a zone', '2031-01-01T00:00:00', 'pattern'],
  ['a day that the calendar lacks', '2027-02-30T00:00:00Z', 'pattern'],
  ['an hour that the day lacks', '2027-02-20T25:00:00Z', 'pattern'],
  ['a number', 1_800_000_000, 'type'],
  ['empty', '', 'pattern'],
] as const)
  test(`an end that is ${what} is refused`, async () => {
    const [person, role, { id }] = [await make.newPerson(), await make.newRole(), await make.newGroup()]
    for (const answer of [
      await silent(() => portal.admin.post(`/groups/${id}/users`, { userId: person.id, expiresAt })),
      await silent(() => portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name, expiresAt })),
    ])
      assert.deepEqual(
        [...code(answer), answer.body.details[0]].flatMap((one) => one.path ?? one),
        [400, 'validation_failed', 'expiresAt'],
        `${rule}: ${answer.text}`,
      )
  })

test('system groups and the role user take no end', async () => {
  const person = await make.newPerson()
  const everyone = (await make.list('/groups')).find(({ name }) => name === 'Everyone')!
  assert.deepEqual(code(await silent(() => join(everyone.id, person.id, inDays(1)))), [400, 'system_group'])
  assert.deepEqual(code(await silent(() => grant(person.id, 'user', inDays(1)))), [400, 'system_role'])
  assert.equal((await silent(() => join(everyone.id, person.id, null))).status, 201)
  assert.equal((await silent(() => grant(person.id, 'user', null))).status, 200)
})

test('a grant that has ended gives nothing anywhere, even before a job has removed it', async () => {
  const [person, group] = [await make.newPerson(), await openingGroup()]
  const other = await portal.another()
  await join(group.id, person.id, inDays(1))
  await grant(person.id, 'admin', inDays(1))
  const elsewhere = Object.assign(new Client(other.base), { cookie: person.cookie })
  for (const client of [person, elsewhere]) {
    assert.ok((await appsOf(client)).includes(group.appId))
    assert.equal((await client.get('/users')).status, 200)
  }
  assert.deepEqual((await person.get('/auth/me')).body.roles, ['admin', 'user'])
  await passDays(portal, 2)
  for (const client of [person, elsewhere]) {
    assert.ok(!(await appsOf(client)).includes(group.appId))
    assert.deepEqual(code(await client.get('/users')), [403, 'forbidden'])
    assert.deepEqual(code(await client.post('/groups', { name: 'Mine' })), [403, 'forbidden'])
    assert.deepEqual((await client.get('/auth/me')).body.roles, ['user'])
  }
  const { userIds, memberEnds } = await read(`/groups/${group.id}`)
  assert.deepEqual([userIds, memberEnds], [[], []])
  assert.equal((await read('/groups')).find(({ id }: { id: number }) => id === group.id).memberCount, 0)
  assert.deepEqual((await read(`/groups/${group.id}/members`)).items, [])
  assert.deepEqual((await read(`/apps/${group.appId}/audience?q=${person.username}`)).items, [])
  assert.equal((await read(`/admin/access?userId=${person.id}&appId=${group.appId}`)).visible, false)
  assert.deepEqual((await read(`/users/${person.id}`)).roleIds, (await read(`/users/${(await make.newPerson()).id}`)).roleIds)
  for (const path of [`/groups/${group.id}/users/${person.id}`, `/users/${person.id}/roles/admin`])
    assert.ok((await silent(() => portal.admin.delete(path))).status < 300)
})

test('the ETags of a group and of a person change when a grant ends', async () => {
  const [person, { id }] = [await make.newPerson(), await make.newGroup()]
  await join(id, person.id, inDays(1))
  const tagOf = async (path: string) => (await portal.admin.get(path)).headers.get('etag')
  const tags = async () => [await tagOf(`/groups/${id}`), await tagOf(`/users/${person.id}`)]
  const [group, account] = await tags()
  await passDays(portal, 2)
  const [groupNow, accountNow] = await tags()
  assert.ok(group !== groupNow && account !== accountNow)
  const stale = await portal.admin.send('PATCH', `/groups/${id}`, { userIds: [person.id] }, { 'if-match': group! })
  assert.deepEqual(code(stale), [412, 'changed_meanwhile'])
})

test('every source and reason has the end of the grant on which it rests', async () => {
  const [person, group, role] = [await make.newPerson(), await openingGroup(), await make.newRole(['portal.hr'])]
  const [short, long] = [inDays(1), inDays(5)]
  await portal.admin.post(`/groups/${group.id}/roles`, { roleId: role.id })
  await join(group.id, person.id, short)
  await grant(person.id, role.name, long)
  const { roles, permissions, apps } = await read(`/users/${person.id}/effective-access`)
  const of = (list: { name: string; from: object[] }[], name: string) => list.find((one) => one.name === name)!.from
  const [direct, through] = [
    { via: 'direct', expiresAt: long },
    { via: 'group', groupId: group.id, groupName: group.name, expiresAt: short },
  ]
  assert.deepEqual(of(roles, role.name), [direct, through])
  const by = { roleId: role.id, roleName: role.name }
  assert.deepEqual(
    of(permissions, 'portal.hr'),
    [direct, through].map((one) => ({ ...one, ...by })),
  )
  const reasons = [{ via: 'group', groupId: group.id, groupName: group.name, expiresAt: short }]
  assert.deepEqual(apps.find(({ id }: { id: number }) => id === group.appId).reasons, reasons)
  assert.deepEqual((await read(`/admin/access?userId=${person.id}&appId=${group.appId}`)).reasons, reasons)
  await portal.admin.delete(`/users/${person.id}?force=true`)
})

test('the job removes ended grants once, also of inactive people, each with the whole trace', async () => {
  await expire()
  const [person, idle, role, { id, name }] = [await make.newPerson(), await make.newPerson(), await make.newRole(), await make.newGroup()]
  const end = inDays(1)
  for (const one of [person, idle]) {
    await join(id, one.id, end)
    await grant(one.id, role.name, end)
  }
  await portal.admin.patch(`/users/${idle.id}`, { isActive: false })
  await passDays(portal, 2)
  const over = new Date(Date.parse(end) - 2 * 86_400_000).toISOString()
  const { audit, histories, notices, events } = await portal.traces(expire)
  assert.deepEqual(
    audit,
    [
      ...[person, idle].map((one) => ['group.member.expire', 'group', id, { userId: one.id, expiresAt: over }] as const),
      ...[person, idle].map(
        (one) => ['user.role.expire', 'user', one.id, { roleId: role.id, roleName: role.name, expiresAt: over }] as const,
      ),
    ].map(([action, type, target, metadata]) => ({ action, type, target, metadata })),
  )
  const lost = (member: number) => ({ ends: [{ id: member, from: over, to: null }], added: [], removed: [member] })
  assert.deepEqual(histories, [
    ...[person, idle].flatMap((one) => [
      { kind: 'group.users', target: id, ...lost(one.id) },
      { kind: 'user.groups', target: one.id, ...lost(id) },
    ]),
    ...[person, idle].map((one) => ({ kind: 'user.roles', target: one.id, ...lost(role.id) })),
  ])
  assert.deepEqual(
    notices,
    ['Your membership has ended', 'Your role has ended'].map((titleEn) => ({ user: person.id, type: 'system', titleEn })),
  )
  const [apps, me] = accessChangedFor(person.id, idle.id)
  assert.deepEqual(
    events.filter(({ event }) => event !== 'notification_created'),
    [apps, me],
  )
  const [entry] = (await read(`/groups/${id}/audit`)).entries
  assert.deepEqual([entry.actor, entry.removedIds, entry.previousIds], [null, [idle.id], [idle.id]])
  assert.deepEqual(await portal.traces(expire), silence)
  assert.deepEqual((await person.get('/notifications')).body.map(({ bodyEn }: { bodyEn: string }) => bodyEn).toSorted(), [
    `Your membership of “${name}” has ended.`,
    `Your role “${role.name}” has ended.`,
  ])
})
