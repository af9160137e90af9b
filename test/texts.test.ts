/** Changes of names, looks and order wait for no change of access; every other change of these records is a change of access. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { statementsDuring } from './counting.ts'
import { makers } from './makers.ts'
import { SSO_ENV } from './oidc/lying-portal.ts'
import { type Answer, type Client, testPortal } from './portal.ts'
import { routes } from './running.ts'

const portal = testPortal(SSO_ENV)
const make = makers(portal)

interface Case {
  path: string
  /** A value for each field that counts as a text: a change of it takes no access lock. */
  texts: Record<string, unknown>
  /** A field that does not count as a text; absent if all fields do. */
  access?: Record<string, unknown>
  /** Puts fields in their place in the body. */
  within?: (fields: object) => object
  /** The most statements of a call with one text. */
  most: number
}

const names = { nameAr: 'اسم', nameEn: 'Name' }
const described = { descriptionAr: 'وصف', descriptionEn: 'Description' }
const looks = {
  iconName: 'star',
  color: '#fff',
  route: '/new',
  externalUrl: 'https://x.example.org/',
  openMode: 'external_tab',
  sortOrder: 7,
}

async function provider() {
  const fields = { slug: 'entra', nameAr: 'قديم', nameEn: 'Old', issuer: 'http://127.0.0.1:9', clientId: 'portal' }
  const { body } = await portal.admin.post('/admin/sign-in/providers', fields)
  return body.id as number
}
const program = async () => (await portal.admin.post('/service-accounts', { username: 'program' })).body.id as number

/** For each command, makes a record to change. */
const cases: Record<string, () => Promise<Case>> = {
  'PATCH /users/:id': async () => ({
    path: `/users/${(await make.newPerson()).id}`,
    texts: { displayNameAr: 'اسم', displayNameEn: 'Name', avatarUrl: null, preferredLanguage: 'en' },
    access: { isActive: false },
    most: 9,
  }),
  'POST /users/bulk-change': async () => {
    const ids = [(await make.newPerson()).id, (await make.newPerson()).id]
    return {
      path: '/users/bulk-change',
      texts: { preferredLanguage: 'en' },
      access: { isActive: false },
      within: (set) => ({ ids, set }),
      most: 10,
    }
  },
  'PATCH /groups/:id': async () => ({
    path: `/groups/${(await make.newGroup()).id}`,
    texts: { name: 'Another name of a group', ...described },
    access: { userIds: [portal.admin.id] },
    most: 10,
  }),
  'PATCH /roles/:id': async () => ({
    path: `/roles/${(await make.newRole()).id}`,
    texts: { name: 'another.name', ...described },
    most: 9,
  }),
  'PATCH /permissions/:id': async () => ({ path: `/permissions/${(await make.newPermission()).id}`, texts: described, most: 8 }),
  'PATCH /apps/:id': async () => ({
    path: `/apps/${(await make.newApp({ externalUrl: 'https://old.example.org/' })).id}`,
    texts: { ...names, ...described, ...looks, imageUrl: null },
    access: { isActive: false },
    most: 10,
  }),
  'PUT /admin/apps/order': async () => {
    await make.newApp()
    await make.newApp()
    const ids: number[] = (await portal.admin.get('/admin/apps')).body.map(({ id }: { id: number }) => id)
    return { path: '/admin/apps/order', texts: { ids: ids.toReversed() }, most: 9 }
  },
  'PATCH /admin/sign-in/providers/:id': async () => ({
    path: `/admin/sign-in/providers/${await provider()}`,
    texts: { ...names, iconName: 'star', sortOrder: 7 },
    access: { createPeople: true },
    most: 14,
  }),
  'PATCH /service-accounts/:id': async () => ({
    path: `/service-accounts/${await program()}`,
    texts: names,
    access: { isActive: false },
    most: 13,
  }),
}

const isOfAccess = (statement: string) =>
  /"access_epoch" for update/.test(statement) || /pg_advisory_xact_lock\(hashtext\('access'\)/.test(statement)
const epoch = async () => (await portal.sql<{ value: string }>('select value::text from access_epoch'))[0]!.value

const either = routes.filter(({ endpoint }) => {
  const locks = endpoint.does === 'command' && endpoint.allow === 'admin' ? endpoint.locks : undefined
  return locks === 'texts' || (typeof locks === 'object' && 'when' in locks)
})

test('every command that may change only texts is tried here', () => {
  // A revert takes the locks of the command that it reverts; a test below tries it.
  const known = [...Object.keys(cases), 'POST /admin/history/:kind/:entryId/revert']
  assert.deepEqual(either.map(({ at }) => at).toSorted(), known.toSorted())
})

for (const { at, method, endpoint } of either.filter((route) => route.at in cases))
  test(`${at}: a change of texts takes no access lock; a change of any other field does`, async (t) => {
    const { path, texts, access, within = (fields) => fields, most } = await cases[at]!()
    const locks = endpoint.does === 'command' && typeof endpoint.locks === 'object' && 'when' in endpoint.locks ? endpoint.locks : null
    const { properties } = endpoint.body as unknown as { properties: Record<string, { properties: object }> }
    const fields = Object.keys(at.endsWith('bulk-change') ? properties['set']!.properties : properties)
    const call = { params: {}, query: {}, prepared: undefined } as unknown as Parameters<NonNullable<typeof locks>['when']>[0]
    const areTexts = fields.filter((field) => !locks || locks.when({ ...call, body: within({ [field]: [] }) }) === 'texts')
    assert.deepEqual(areTexts.toSorted(), Object.keys(texts).toSorted())

    const send = async (body: object) => {
      let answer!: Answer
      const statements = await statementsDuring(async () => (answer = await portal.admin.send(method, path, within(body))))
      assert.equal(answer.status, 200, answer.text)
      return statements
    }
    for (const [field, value] of Object.entries(texts)) {
      const before = await epoch()
      const statements = await send({ [field]: value })
      assert.deepEqual(statements.filter(isOfAccess), [], field)
      assert.equal(await epoch(), before, field)
      if (value !== null)
        assert.ok(
          statements.some((one) => one.includes('ledger')),
          `${field} has changed`,
        )
      t.diagnostic(`${field}: ${statements.length} statements`)
      assert.ok(statements.length <= most, `${field}: ${statements.length} statements\n${statements.join('\n')}`)
    }
    if (!access) return
    const statements = await send({ ...texts, ...access })
    assert.equal(statements.filter((one) => /"access_epoch" for update/.test(one)).length, 1)
  })

test('reverting a name takes no access lock; reverting a membership does', async () => {
  const { id } = await make.newGroup()
  const entry = async () => (await portal.admin.get(`/admin/audit-logs?targetType=group&targetId=${id}&limit=1`)).body.entries[0].id
  for (const [body, locks] of [
    [{ name: 'Wrong name' }, 0],
    [{ userIds: [portal.admin.id] }, 1],
  ] as const) {
    assert.equal((await portal.admin.patch(`/groups/${id}`, body)).status, 200)
    const path = `/admin/history/audit/${await entry()}/revert`
    const statements = await statementsDuring(async () => assert.equal((await portal.admin.post(path, {})).status, 200))
    assert.equal(statements.filter((one) => /"access_epoch" for update/.test(one)).length, locks)
  }
})

test('administrators can change texts of their own accounts', async () => {
  const path = `/users/${portal.admin.id}`
  const own = { displayNameAr: 'المدير', displayNameEn: 'Administrator' }
  const changed = await portal.admin.patch(path, own)
  assert.deepEqual([changed.status, changed.body.displayNameEn], [200, 'Administrator'])
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=user&targetId=${portal.admin.id}&limit=1`)).body
  assert.equal((await portal.admin.post(`/admin/history/audit/${entries[0].id}/revert`, {})).status, 200)
  const both = { ids: [portal.admin.id, (await make.newPerson()).id], set: { preferredLanguage: 'en' } }
  const answer = await portal.admin.post('/users/bulk-change', both)
  assert.deepEqual(answer.body.doneIds, both.ids)
  assert.equal((await portal.admin.get(path)).body.preferredLanguage, 'en')
})

test('a name is changed while a change of access is under way', async () => {
  const [person, group, app] = [await make.newPerson(), await make.newGroup(), await make.newApp()]
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin; select from access_epoch for update')
    const answers = [
      await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Meanwhile' }),
      await portal.admin.patch(`/groups/${group.id}`, { name: 'Renamed meanwhile' }),
      await portal.admin.patch(`/apps/${app.id}`, { nameEn: 'Meanwhile' }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
  } finally {
    await client.end()
  }
})

test('names and rights of the same records are changed at the same time without a deadlock', async () => {
  const [one, other] = [await make.newPerson({ roles: ['admin'] }), await make.newPerson({ roles: ['admin'] })]
  const [role, group] = [await make.newRole(), await make.newGroup()]
  const before = await portal.deadlocks()
  const rename = (who: Client, path: string, field: string, n: number) => who.patch(path, { [field]: `Name.${n}` })
  for (let n = 0; n < 5; n++) {
    const answers = await Promise.all([
      rename(one, `/users/${other.id}`, 'displayNameEn', n),
      rename(other, `/users/${one.id}`, 'displayNameEn', n),
      portal.admin.patch(`/users/${one.id}`, { groupIds: n % 2 ? [] : [group.id] }),
      rename(one, `/groups/${group.id}`, 'name', n),
      portal.admin.patch(`/groups/${group.id}`, { roleIds: n % 2 ? [] : [role.id] }),
      rename(other, `/roles/${role.id}`, 'name', n),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
  }
  assert.equal(await portal.deadlocks(), before)
})

test('of two texts sent with the same If-Match, one is refused', async () => {
  const { id } = await make.newRole()
  const { headers } = await portal.admin.get(`/roles/${id}`)
  const answers = await Promise.all(
    ['one', 'other'].map((name) =>
      portal.admin.send('PATCH', `/roles/${id}`, { descriptionEn: name }, { 'if-match': headers.get('etag')! }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412])
})
