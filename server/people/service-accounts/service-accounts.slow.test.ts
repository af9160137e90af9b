import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from '../../../test/makers.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { tokenOf, withToken } from '../../../test/tokens.ts'

const portal = testPortal()
const dayFromNow = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
const make = makers(portal)
const code = ({ status, body }: Answer) => [status, body?.code]
const create = (fields: object) => portal.admin.post('/service-accounts', fields)

test('a service account is made with its roles and its contact, and can be read, changed and deleted', async () => {
  const [contact, role, other] = [await make.newPerson(), await make.newRole(), await make.newRole()]
  const fields = { nameAr: 'المخزون', nameEn: 'Stock', contactUserId: contact.id }
  const { answer, ...traces } = await (async () => {
    let answer!: Answer
    const traces = await portal.traces(async () => {
      answer = await create({ username: 'stock', roleNames: [role.name], ...fields })
    })
    return { answer, ...traces }
  })()
  const { id, createdAt, ...rest } = answer.body
  assert.deepEqual([answer.status, rest], [201, { username: 'stock', ...fields, roleNames: [role.name], isActive: true, tokenCount: 0 }])
  assert.ok(createdAt)
  assert.deepEqual(traces.audit, [
    { action: 'service_account.create', type: 'user', target: id, metadata: { username: 'stock', roleNames: [role.name] } },
  ])
  assert.deepEqual(traces.histories, [{ kind: 'user.roles', target: id, added: [role.id], removed: [] }])
  assert.deepEqual((await portal.admin.get('/service-accounts')).body, [answer.body])
  const read = await portal.admin.get(`/service-accounts/${id}`)
  assert.deepEqual(read.body, answer.body)
  const etag = read.headers.get('etag')!

  const patch = (body: object, headers = {}) => portal.admin.send('PATCH', `/service-accounts/${id}`, body, headers)
  const changed = await patch({ roleNames: [other.name], nameEn: 'Stores', contactUserId: null }, { 'if-match': etag })
  assert.deepEqual(
    [changed.status, changed.body.roleNames, changed.body.nameEn, changed.body.contactUserId],
    [200, [other.name], 'Stores', null],
  )
  assert.deepEqual(code(await patch({ nameEn: 'Late' }, { 'if-match': etag })), [412, 'changed_meanwhile'])
  assert.deepEqual(code(await patch({ contactUserId: 999_999 })), [400, 'unknown_ids'])
  const nothing = await portal.traces(async () => {
    assert.equal((await patch({ nameEn: 'Stores', roleNames: [other.name] })).status, 200)
  })
  assert.deepEqual(nothing, silence)

  assert.equal((await portal.admin.delete(`/service-accounts/${id}`)).status, 204)
  assert.deepEqual(code(await portal.admin.get(`/service-accounts/${id}`)), [404, 'not_found'])
  assert.deepEqual((await portal.admin.get('/service-accounts')).body, [])
})

for (const [what, fields, expected] of [
  ['without a username', {}, [400, 'validation_failed']],
  ['with a name that somebody has', { username: 'ADMIN' }, [409, 'username_taken']],
  ['with an unknown role', { username: 'x1', roleNames: ['nothing'] }, [400, 'validation_failed']],
  ['with the role admin', { username: 'x2', roleNames: ['Admin'] }, [400, 'grants_admin']],
  ['with an unknown contact', { username: 'x3', contactUserId: 999_999 }, [400, 'unknown_ids']],
] as const)
  test(`a service account ${what} is refused`, async () => {
    const traces = await portal.traces(async () => assert.deepEqual(code(await create(fields)), expected))
    assert.deepEqual(traces, silence)
  })

test('no group makes a service account an administrator', async () => {
  const { id } = await addProgram(portal, 'climber')
  const [admin] = (await make.list('/roles')).filter(({ name }) => name === 'admin')
  const [giving, free] = [await make.newGroup({ roleIds: [admin!.id] }), await make.newGroup()]
  assert.equal((await portal.admin.post(`/groups/${free.id}/users`, { userId: id })).status, 201)
  const refused = [400, 'grants_admin']
  const traces = await portal.traces(async () => {
    assert.deepEqual(code(await portal.admin.post(`/groups/${giving.id}/users`, { userId: id })), refused)
    assert.deepEqual(code(await portal.admin.patch(`/groups/${giving.id}`, { members: { add: [id] } })), refused)
    assert.deepEqual(code(await portal.admin.post(`/groups/${free.id}/roles`, { roleId: admin!.id })), refused)
    assert.deepEqual(code(await portal.admin.patch(`/groups/${free.id}`, { roleIds: [admin!.id] })), refused)
    assert.deepEqual(code(await portal.admin.patch(`/service-accounts/${id}`, { roleNames: ['admin'] })), refused)
    assert.deepEqual(code(await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })), [404, 'not_found'])
    const made = await portal.admin.post('/groups', { name: 'Both', roleIds: [admin!.id], userIds: [id] })
    assert.deepEqual(code(made), refused)
    assert.match(made.body.messageEn, /service account/)
  })
  assert.deepEqual(traces, silence)
})

test('GET /users lists service accounts only where they are asked for', async () => {
  const group = await make.newGroup()
  const { id } = await addProgram(portal, 'listed', { groupIds: [group.id] })
  const list = async (query: string) => (await portal.admin.get(`/users?${query}`)).body.map((one: { id: number }) => one.id)
  assert.ok(!(await list('')).includes(id))
  assert.ok(!(await list('kind=person')).includes(id))
  assert.ok((await list('kind=service')).includes(id))
  assert.ok(!(await list('kind=service')).includes(portal.admin.id))
  assert.deepEqual(await list(`kind=service&groupId=${group.id}`), [id])
  assert.equal(
    (await portal.admin.get('/users?kind=service&limit=1')).headers.get('x-total-count'),
    String((await list('kind=service')).length),
  )
})

test('a service account is never counted as a member, holder or dependent, and does not prevent the deletion of a role', async () => {
  const [person, role, group] = [await make.newPerson(), await make.newRole(), await make.newGroup()]
  await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id })
  const counts = async () => ({
    group: (await portal.admin.get(`/groups?q=${group.name}`)).body,
    detail: (await portal.admin.get(`/groups/${group.id}`)).body,
    members: (await portal.admin.get(`/groups/${group.id}/members`)).body,
    usage: (await portal.admin.get(`/roles/${role.id}/usage`)).body,
    roles: (await portal.admin.get(`/roles?q=${role.name}&sort=holders`)).body,
    holders: (await portal.admin.get(`/roles/${role.id}/dependents/users`)).body,
    effective: (await portal.admin.get(`/roles/${role.id}/holders?effective=true`)).body,
  })
  const before = await counts()
  const { id } = await addProgram(portal, 'uncounted', { roles: [role.name], groupIds: [group.id] })
  assert.deepEqual(await counts(), before)
  const review = {
    titleEn: 'R',
    ifSilent: 'keep',
    groupIds: [group.id],
    roleIds: [role.id],
    dueDate: dayFromNow(30),
    reviewerUserIds: [portal.admin.id],
  }
  const opened = await portal.admin.post('/access-reviews', review)
  assert.equal(opened.status, 201, opened.text)
  assert.equal(opened.body.counts.total, 4, 'a review lists its grants all the same')

  await portal.admin.delete(`/users/${person.id}/roles/${role.name}`)
  const { audit, histories } = await portal.traces(async () => {
    assert.equal((await portal.admin.delete(`/roles/${role.id}`)).status, 204)
  })
  assert.deepEqual(audit.map(({ action }) => action).toSorted(), ['role.delete', 'user.role.remove'])
  assert.ok(histories.some(({ kind, target }) => kind === 'user.roles' && target === id))
  assert.deepEqual((await portal.admin.get(`/service-accounts/${id}`)).body.roleNames, [])
})

test('a token of a service account acts in its name', async () => {
  const program = await create({ username: 'orderer', nameEn: 'Orderer' })
  const { status, body } = await portal.admin.post(`/service-accounts/${program.body.id}/tokens`, {
    name: 'Night run',
    scopes: ['profile:read', 'orders:write', 'orders:read'],
    expiresInDays: 1095,
  })
  assert.equal(status, 201)
  assert.match(body.token, /^bws_/)
  const token = withToken(portal, body.token)
  const service = await make.newService()
  const order = await token.post('/orders', { serviceId: service.id })
  assert.equal(order.status, 201, order.text)
  assert.deepEqual((await token.get('/orders/my')).body.length, 1)
  assert.equal((await token.get('/auth/me')).body.username, 'orderer')
  const [row] = await portal.sql<{ by: string }>(
    `select actor_username as by from ledger where kind = 'order.placed' order by id desc limit 1`,
  )
  assert.equal(row!.by, 'orderer')
  assert.equal((await portal.admin.get(`/service-accounts/${program.body.id}`)).body.tokenCount, 1)

  const refused = await portal.admin.delete(`/service-accounts/${program.body.id}`)
  assert.deepEqual([...code(refused), refused.body.orderCount], [409, 'has_dependents', 1])
  assert.equal((await portal.admin.delete(`/service-accounts/${program.body.id}?force=true`)).status, 204)
  assert.equal((await token.get('/auth/me')).status, 401)
})

test('a service account reads people and the audit log with `directory.read` and `audit.read`, which give people no access', async () => {
  const role = await make.newRole(['directory.read', 'audit.read'])
  const program = await addProgram(portal, 'reader', { roles: [role.name] })
  const person = await make.newPerson({ roles: [role.name] })
  const token = await tokenOf(portal, program.id, { scopes: ['people:read', 'audit:read'], kind: 'service' })
  for (const path of [
    '/users',
    `/users/${person.id}`,
    '/groups',
    '/groups/1',
    '/roles',
    '/permissions',
    '/admin/audit-logs',
    '/users/1/audit',
  ]) {
    assert.equal((await token.get(path)).status, 200, path)
    assert.equal((await person.get(path)).status, 403, path)
  }
  assert.equal((await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [] })).status, 200)
  assert.deepEqual(code(await token.get('/users')), [403, 'forbidden'])
  const made = await portal.admin.post(`/service-accounts/${program.id}/tokens`, { name: 'x', scopes: ['people:read'] })
  assert.deepEqual([...code(made), made.body.details[0].rule], [400, 'validation_failed', 'ownerRights'])
})

test('deactivating a service account ends its tokens', async () => {
  const program = await addProgram(portal, 'paused')
  const token = await tokenOf(portal, program.id, { kind: 'service' })
  assert.equal((await portal.admin.patch(`/service-accounts/${program.id}`, { isActive: false })).status, 200)
  assert.equal((await portal.admin.patch(`/service-accounts/${program.id}`, { isActive: true })).status, 200)
  assert.equal((await token.get('/auth/me')).status, 401)
  assert.deepEqual((await portal.admin.get(`/service-accounts/${program.id}/tokens`)).body, [])
})

test('a service account has at most 10 tokens', async () => {
  const program = await addProgram(portal, 'many')
  const path = `/service-accounts/${program.id}/tokens`
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => portal.admin.post(path, { name: `No. ${n}`, scopes: ['profile:read'] })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  const { body } = await portal.admin.get(path)
  assert.equal((await portal.admin.delete(`${path}/${body[0].id}`)).status, 204)
  assert.deepEqual(code(await portal.admin.delete(`${path}/${body[0].id}`)), [404, 'not_found'])
  const other = await addProgram(portal, 'less')
  assert.deepEqual(code(await portal.admin.delete(`/service-accounts/${other.id}/tokens/${body[1].id}`)), [404, 'not_found'])
})

test('the endpoints of service accounts answer 404 for a person', async () => {
  const person = await make.newPerson()
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/tokens'],
    ['POST', '/tokens'],
  ] as const) {
    const body = { PATCH: { isActive: false }, POST: { name: 'x', scopes: ['profile:read'] }, GET: undefined, DELETE: undefined }[method]
    assert.deepEqual(code(await portal.admin.send(method, `/service-accounts/${person.id}${path}`, body)), [404, 'not_found'], method)
  }
})

test('there are at most 200 service accounts', async () => {
  const accounts = (await portal.admin.get('/service-accounts')).body.length as number
  for (let n = accounts; n < 200; n++) assert.equal((await create({ username: `program-${n}` })).status, 201)
  const answer = await create({ username: 'too-many' })
  assert.deepEqual([...code(answer), answer.body.used, answer.body.allowed], [409, 'quota_exceeded', 200, 200])
})
