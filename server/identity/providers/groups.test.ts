/** Groups that follow from the claims of a provider. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inDays } from '../../../test/grants.ts'
import { makers, silence } from '../../../test/makers.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { newSource } from '../../../test/scim.ts'
import { slowTest } from '../../../test/suite.ts'

const { portal, signIn, change, at, link } = lyingPortal({ createPeople: true })
const make = makers(portal)
const code = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const groupsOf = async (id: number) =>
  ((await portal.admin.get(`/users/${id}`)).body.groups as { name: string }[]).map(({ name }) => name).toSorted()

/** Somebody with an identity, and three groups that the provider fills by the values a, b and c. */
async function ruled(groupMode: 'add' | 'manage', count = 3) {
  const groups: Awaited<ReturnType<typeof make.newGroup>>[] = []
  for (let n = 0; n < count; n++) groups.push(await make.newGroup())
  await change({ groupMode, groupRules: groups.map(({ id }, n) => ({ value: 'abc'[n], groupId: id })) })
  const person = await make.newPerson()
  const sub = `sub-${person.id}`
  await link(person, sub)
  const come = async (claims: object) => {
    const { path } = await signIn({ sub, ...claims })
    assert.equal(path, '/')
    const names = new Set(groups.map(({ name }) => name))
    return (await groupsOf(person.id)).filter((name) => names.has(name))
  }
  return { groups, names: groups.map(({ name }) => name), person, come }
}

test('in the mode `add`, people join the groups of their values, and leave none', async () => {
  const { groups, names, person, come } = await ruled('add')
  const { audit, histories, events } = await portal.traces(() => come({ groups: ['a', 'b', 'a', 'unknown'] }))
  assert.deepEqual(
    audit.map(({ action, target, metadata }) => [action, target, metadata]),
    groups.slice(0, 2).map(({ id }) => ['group.member.add', id, { userId: person.id, provider: 'liar' }]),
  )
  assert.equal(histories.length, 4)
  assert.ok(events.some(({ event, to }) => event === 'apps_changed' && to?.includes(person.id)))
  assert.deepEqual(await come({ groups: 'c' }), names)
  assert.deepEqual(await come({ groups: [] }), names)
  assert.equal((await portal.admin.delete(`/groups/${groups[0]!.id}/users/${person.id}`)).status, 204)
})

test('in the mode `manage`, membership follows the claim exactly; an absent claim and an overage change nothing', async () => {
  const { names, come } = await ruled('manage')
  const [a, b, c] = names
  assert.deepEqual(await come({ groups: ['a', 'b'] }), [a, b])
  assert.deepEqual(await come({ groups: ['b', 'c'] }), [b, c])
  assert.deepEqual(await come({}), [b, c])
  const before = (await portal.admin.get(at())).body.overage24h
  for (const claims of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }]) assert.deepEqual(await come(claims), [b, c])
  await portal.instance.providers.note()
  assert.equal((await portal.admin.get(at())).body.overage24h, before + 2)
  assert.deepEqual(await come({ groups: [] }), [])
})

slowTest('5,000 values of a claim are read; 5,001 values, or one that is no text, are refused', async () => {
  const { names, come, person } = await ruled('add')
  const many = Array.from({ length: 4999 }, (_, n) => `g${n}`)
  assert.deepEqual(await come({ groups: [...many, 'b'] }), [names[1]])
  for (const groups of [[...many, 'a', 'b'], [7], [['a']], ['x'.repeat(4097)]])
    assert.equal((await signIn({ sub: `sub-${person.id}`, groups })).path, '/sign-in?failed=claims')
})

test('the members of a managed group cannot be changed by hand', async () => {
  const { groups, person, come } = await ruled('manage')
  await come({ groups: ['a'] })
  const [a, b] = groups.map(({ id }) => id) as [number, number]
  const source = { kind: 'provider', id: Number(at().split('/').at(-1)), name: 'liar' }
  const { groupIds } = (await portal.admin.get(`/users/${person.id}`)).body
  const tries = [
    () => portal.admin.delete(`/groups/${a}/users/${person.id}`),
    () => portal.admin.post(`/groups/${b}/users`, { userId: person.id }),
    () => portal.admin.patch(`/groups/${a}`, { userIds: [] }),
    () => portal.admin.patch(`/groups/${b}`, { members: { add: [person.id] } }),
    () => portal.admin.patch(`/users/${person.id}`, { groupIds: [...(groupIds ?? []), b] }),
    () => portal.admin.post('/users/bulk-change', { ids: [person.id], set: { addGroupIds: [b] } }),
    () => portal.admin.post('/users', { username: 'by-hand', email: 'by-hand@example.org', password: 'battery staple', groupIds: [b] }),
  ]
  for (const [n, act] of tries.entries()) {
    const traces = await portal.traces(async () => {
      const answer = await act()
      assert.deepEqual([n, ...code(answer)], [n, 409, 'managed_elsewhere'])
      assert.deepEqual(answer.body.source, source)
    })
    assert.deepEqual(traces, silence)
  }
  assert.equal((await portal.admin.patch(`/groups/${a}`, { descriptionEn: 'Still edited' })).status, 200)
  await change({ groupMode: 'add' })
  assert.equal((await portal.admin.delete(`/groups/${a}/users/${person.id}`)).status, 204)
})

test('a provider puts nobody into a group that a source manages', async () => {
  const { names, come } = await ruled('add')
  const source = await newSource(portal)
  const { id } = await source.group(names[0]!)
  assert.deepEqual(await come({ groups: ['a', 'b'] }), [names[1]])
  assert.deepEqual((await source.get(`/Groups/${id}`)).body.members, [])
  assert.equal((await source.call('DELETE', `/Groups/${id}`)).status, 204)
})

test('a group in a rule takes no end and cannot be asked for, also in the mode `add`', async () => {
  const asked = await make.newGroup()
  await portal.admin.put(`/groups/${asked.id}/request-policy`, { requestable: true })
  const { groups, person } = await ruled('add')
  await change({
    groupRules: [
      { value: 'a', groupId: groups[0]!.id },
      { value: 'z', groupId: asked.id },
    ],
  })
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  assert.deepEqual(code(await portal.admin.post(`/groups/${groups[0]!.id}/users`, { userId: person.id, expiresAt })), [
    409,
    'managed_elsewhere',
  ])
  assert.equal((await portal.admin.post(`/groups/${groups[0]!.id}/users`, { userId: person.id })).status, 201)
  assert.equal((await portal.admin.get(`/groups/${asked.id}/request-policy`)).body.requestable, false)
  assert.deepEqual(code(await portal.admin.put(`/groups/${asked.id}/request-policy`, { requestable: true })), [400, 'not_requestable'])
})

test('memberships lose their ends when a provider comes to manage their group, and keep them in the mode `add`', async () => {
  const [group, person, from] = [await make.newGroup(), await make.newPerson(), inDays(1)]
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: from })
  const groupRules = [{ value: 'a', groupId: group.id }]
  const endsOf = async () => (await portal.admin.get(`/groups/${group.id}`)).body.memberEnds
  await change({ groupMode: 'add', groupRules })
  assert.deepEqual(await endsOf(), [{ userId: person.id, expiresAt: from }])
  const { audit, histories } = await portal.traces(() => change({ groupMode: 'manage', groupRules }))
  assert.deepEqual(
    audit.flatMap(({ action, target, metadata }) => (action === 'group.member.update' ? [[target, metadata]] : [])),
    [[group.id, { userId: person.id, changed: { expiresAt: { from, to: null } } }]],
  )
  assert.deepEqual([histories.length, await endsOf()], [2, []])
  await change({ groupMode: 'add', groupRules: [] })
})

test('a rule cannot name a system group, another provider’s group, or, without `grantsAdmin`, a group of administrators', async () => {
  const { groups } = await ruled('manage', 1)
  const roles = (await portal.admin.get('/roles')).body as { id: number; name: string }[]
  const admin = roles.find(({ name }) => name === 'admin')!.id
  const other = { nameAr: 'آخر', nameEn: 'Other', issuer: 'https://login.example.org', clientId: 'portal' }
  const add = (slug: string, fields: object) => portal.admin.post('/admin/sign-in/providers', { ...other, slug, ...fields })
  const { id } = (await add('other', {})).body
  const edit = (fields: object) => portal.admin.patch(`/admin/sign-in/providers/${id}`, fields)
  const rules = (groupId: number, more = {}) => ({ groupRules: [{ value: 'a', groupId, ...more }] })
  const admins = await make.newGroup()
  await portal.admin.post(`/groups/${admins.id}/roles`, { roleId: admin })
  const broken: [fields: object, expected: [number, string]][] = [
    [rules(1), [400, 'system_group']],
    [rules(2147483647), [400, 'unknown_ids']],
    [{ ...rules(groups[0]!.id), groupMode: 'manage' }, [409, 'managed_elsewhere']],
    [rules(admins.id), [400, 'grants_admin']],
  ]
  for (const [fields, expected] of broken)
    for (const act of [() => add('another', fields), () => edit(fields)]) assert.deepEqual(code(await act()), expected)
  for (const act of [add('another', rules(admins.id, { grantsAdmin: true })), edit(rules(admins.id, { grantsAdmin: true }))])
    assert.ok((await act).status < 300)
  assert.deepEqual(code(await portal.admin.post(`/groups/${groups[0]!.id}/roles`, { roleId: admin })), [400, 'grants_admin'])
  assert.deepEqual(code(await portal.admin.patch(`/groups/${groups[0]!.id}`, { roles: { add: [admin] } })), [400, 'grants_admin'])
})

test('a group that is deleted leaves the rules, and its value is ignored', async () => {
  const { groups, names, come } = await ruled('manage')
  await come({ groups: ['a', 'b'] })
  const { audit } = await portal.traces(() => portal.admin.delete(`/groups/${groups[0]!.id}?force=true`))
  assert.deepEqual(audit.map(({ action }) => action).toSorted(), ['group.force_delete', 'provider.update'])
  assert.deepEqual(await come({ groups: ['a', 'c'] }), [names[2]])
})

test('the last administrator stays in the group that makes them one, and administrators are told', async () => {
  const { groups, person, come } = await ruled('manage', 1)
  const roles = (await portal.admin.get('/roles')).body as { id: number; name: string }[]
  await change({ groupRules: [{ value: 'a', groupId: groups[0]!.id, grantsAdmin: true }] })
  await portal.admin.post(`/groups/${groups[0]!.id}/roles`, { roleId: roles.find(({ name }) => name === 'admin')!.id })
  assert.deepEqual(await come({ groups: ['a'] }), [groups[0]!.name])
  await portal.meddle('user', portal.admin.id, `update users set is_active = false where id = ${portal.admin.id}`)
  const { notices, audit } = await portal.traces(() => signIn({ sub: `sub-${person.id}`, groups: [] }))
  await portal.meddle('user', portal.admin.id, `update users set is_active = true where id = ${portal.admin.id}`)
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[person.id, 'The last administrator stayed in a group']],
  )
  assert.deepEqual(audit, [])
  assert.deepEqual(await come({ groups: [] }), [], 'with another administrator, the claim counts again')
})

test('claims move an exception into no group', async () => {
  const { person, come, names } = await ruled('manage')
  await portal.meddle('user', person.id, `update users set is_exception = true where id = ${person.id}`)
  assert.deepEqual(await come({ groups: ['a'] }), [])
  await portal.meddle('user', person.id, `update users set is_exception = false where id = ${person.id}`)
  assert.deepEqual(await come({ groups: ['a'] }), [names[0]])
})

test('a managed group that is deleted and restored can be changed by hand', async () => {
  const { body: group } = await portal.admin.post('/groups', { name: 'Undone' })
  await change({ groupMode: 'manage', groupRules: [{ value: 'undone', groupId: group.id }] })
  assert.equal((await portal.admin.delete(`/groups/${group.id}`)).status, 204)
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=group&targetId=${group.id}&limit=1`)).body
  assert.equal((await portal.admin.post(`/admin/undo/${entries[0].id}`)).status, 200)
  const person = await portal.person('by-hand')
  const { status, text } = await portal.admin.patch(`/groups/${group.id}`, { userIds: [person.id] })
  assert.equal(status, 200, text)
  await change({ groupMode: 'add', groupRules: [] })
})
