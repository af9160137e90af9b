import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appsChangedFor, appsChangedForAll, makers, silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { appFields, holderOf, newApp, newGroup, newPerson, idsOfPermissions } = makers(portal)

test('a new app gets defaults for missing fields', async () => {
  const { status, body } = await portal.admin.post('/apps', { ...appFields(), slug: 'mail', isSystem: true, groupCount: 7 })
  assert.equal(status, 201)
  const { id, createdAt, updatedAt, ...rest } = body
  assert.deepEqual(rest, {
    ...appFields(),
    slug: 'mail',
    descriptionAr: null,
    descriptionEn: null,
    imageUrl: null,
    externalUrl: null,
    openMode: 'internal',
    isActive: true,
    isSystem: true,
    sortOrder: 0,
  })
  assert.deepEqual((await portal.admin.get(`/apps/${id}`)).body, body)
  assert.equal(createdAt, updatedAt)
})

test('creating an app with permissions audits each permission, writes one history, and sends an event to its audience', async () => {
  const [it, hr] = await idsOfPermissions('portal.it', 'portal.hr')
  const viewer = await holderOf('portal.hr')
  const fields = appFields()
  const { slug, nameAr, nameEn } = fields
  let target = 0
  const traces = await portal.traces(async () => {
    target = (await newApp({ ...fields, permissionIds: [hr, it, hr] })).id
  })
  assert.deepEqual(traces, {
    audit: [
      { action: 'app.create', type: 'app', target, metadata: { slug, nameAr, nameEn } },
      { action: 'app.permission.add', type: 'app', target, metadata: { permissionId: it, permissionName: 'portal.it' } },
      { action: 'app.permission.add', type: 'app', target, metadata: { permissionId: hr, permissionName: 'portal.hr' } },
    ],
    histories: [{ kind: 'app.permissions', target, added: [it, hr], removed: [] }],
    notices: [],
    events: [appsChangedFor(portal.admin, viewer)],
  })
})

test('everyone gets an event for an app for everyone, and nobody for an inactive one', async () => {
  assert.deepEqual((await portal.traces(() => newApp())).events, [appsChangedForAll])
  assert.deepEqual((await portal.traces(() => newApp({ isActive: false }))).events, [])
})

const without = (field: string) => Object.fromEntries(Object.entries(appFields()).filter(([name]) => name !== field))
for (const [what, fields, status, path] of [
  ...['slug', 'nameAr', 'nameEn', 'iconName', 'route', 'color'].map((field) => [`no ${field}`, without(field), 400, field] as const),
  ['a slug in capitals', { slug: 'Mail' }, 400, 'slug'],
  ['a slug with two hyphens', { slug: 'a--b' }, 400, 'slug'],
  ['a relative route', { route: 'app' }, 400, 'route'],
  ['a route to another host', { route: '//evil.example' }, 400, 'route'],
  ...['/a//b', '/./a', '/a/../b', '/..', '/a/%2e%2E/b', '/a/.%2e'].map((route) => [`the route ${route}`, { route }, 400, 'route'] as const),
  ['a route browsers take for another host', { route: '/\\evil.example' }, 400, 'route'],
  ['an unknown colour name', { color: 'sky' }, 400, 'color'],
  ['a colour of four digits', { color: '#abcd' }, 400, 'color'],
  ['an empty icon', { iconName: ' ' }, 400, 'iconName'],
  ['a long icon', { iconName: 'x'.repeat(101) }, 400, 'iconName'],
  ['an unknown mode', { openMode: 'popup' }, 400, 'openMode'],
  ['an external app without address', { openMode: 'external_tab' }, 400, 'externalUrl'],
  ['an external app with a null address', { openMode: 'external_iframe', externalUrl: null }, 400, 'externalUrl'],
  ['a script for an address', { openMode: 'external_tab', externalUrl: 'javascript:alert(1)' }, 400, 'externalUrl'],
  ['a wrong address though it is ignored', { openMode: 'internal', externalUrl: 'ftp://files.example' }, 400, 'externalUrl'],
  ['an invalid address', { openMode: 'external_tab', externalUrl: 'https://[' }, 400, 'externalUrl'],
  ['an image from anywhere', { imageUrl: 'http://example.org/x.png' }, 400, 'imageUrl'],
  ['a fractional order', { sortOrder: 1.5 }, 400, 'sortOrder'],
  ['a huge order', { sortOrder: 2147483648 }, 400, 'sortOrder'],
  ['a text for a boolean', { isActive: 'yes' }, 400, 'isActive'],
  ['permission 0', { permissionIds: [0] }, 400, 'permissionIds.0'],
  ['permission -1', { permissionIds: [1, -1] }, 400, 'permissionIds.1'],
  ['half a permission', { permissionIds: [1.5] }, 400, 'permissionIds.0'],
  ['a permission in words', { permissionIds: ['1'] }, 400, 'permissionIds.0'],
  ['an unknown permission', { permissionIds: [1, 2147483647] }, 404, undefined],
] as [string, object, number, string | undefined][]) {
  test(`an app with ${what} is refused and leaves no trace`, async () => {
    const body = what.startsWith('no ') ? fields : { ...appFields(), ...fields }
    const traces = await portal.traces(async () => {
      const answer = await portal.admin.post('/apps', body)
      assert.deepEqual([answer.status, answer.body.details?.[0].path], [status, path], answer.text)
    })
    assert.deepEqual(traces, silence)
  })
}

for (const fields of [
  { color: 'rebeccapurple' },
  { color: '#AbCdEf' },
  { route: '/' },
  { route: '/تطبيق?x=1#y' },
  { route: '/.well/a.b/...?x=//../' },
  { openMode: 'external_tab', externalUrl: 'HTTPS://example.org/a?b=c' },
  { openMode: 'external_iframe', externalUrl: 'http://intranet:8080' },
  { openMode: 'internal', externalUrl: 'https://example.org' },
  { sortOrder: -5, permissionIds: [] },
]) {
  test(`an app accepts ${JSON.stringify(fields)}`, async () => {
    const app = await newApp(fields)
    for (const [field, value] of Object.entries(fields)) if (field !== 'permissionIds') assert.equal((app as never)[field], value)
  })
}

test('a slug is unique', async () => {
  const { slug } = await newApp()
  const answer = await portal.admin.post('/apps', { ...appFields(), slug })
  assert.deepEqual([answer.status, answer.body.code], [409, 'slug_taken'])
})

test('an edit records what changed and moves updatedAt, and an edit that changes nothing writes nothing', async () => {
  const app = await newApp()
  const edit = { nameEn: 'Mail', sortOrder: 3, slug: 'ignored', isSystem: true }
  const traces = await portal.traces(async () => {
    const { body } = await portal.admin.patch(`/apps/${app.id}`, edit)
    assert.deepEqual([body.nameEn, body.sortOrder, body.slug, body.isSystem], ['Mail', 3, app.slug, false])
    assert.ok(body.updatedAt > app.updatedAt)
  })
  const changed = { nameEn: { from: 'App', to: 'Mail' }, sortOrder: { from: 0, to: 3 } }
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'app.update', type: 'app', target: app.id, metadata: { changed } }],
    events: [appsChangedForAll],
  })
  assert.deepEqual(await portal.traces(() => portal.admin.patch(`/apps/${app.id}`, edit)), silence)
  assert.deepEqual(await portal.traces(() => portal.admin.patch(`/apps/${app.id}`, {})), silence)
})

test('the mode and the address of an app must fit each other after an edit', async () => {
  const { id } = await newApp()
  const path = `/apps/${id}`
  assert.equal((await portal.admin.patch(path, { openMode: 'external_tab' })).status, 400)
  assert.equal((await portal.admin.patch(path, { externalUrl: 'https://example.org' })).status, 200)
  assert.equal((await portal.admin.patch(path, { openMode: 'external_tab' })).status, 200)
  assert.equal((await portal.admin.patch(path, { externalUrl: null })).status, 400)
  assert.equal((await portal.admin.patch(path, { openMode: 'internal', externalUrl: null })).status, 200)
  for (const field of ['nameEn', 'route', 'color', 'isActive', 'openMode', 'sortOrder', 'iconName'])
    assert.equal((await portal.admin.patch(path, { [field]: null })).status, 400, field)
})

test('hiding or showing an app sends an event to those who saw it or will see it', async () => {
  const viewer = await holderOf('portal.finance')
  const { id } = await newApp({ permissionIds: await idsOfPermissions('portal.finance') })
  const edit = async (isActive: boolean) => (await portal.traces(() => portal.admin.patch(`/apps/${id}`, { isActive }))).events
  assert.deepEqual(await edit(false), [appsChangedFor(portal.admin, viewer)])
  assert.deepEqual((await portal.traces(() => portal.admin.patch(`/apps/${id}`, { nameEn: 'Hidden' }))).events, [])
  assert.deepEqual(await edit(true), [appsChangedFor(portal.admin, viewer)])
})

test('an app without dependents is deleted without force', async () => {
  const { id, slug, nameAr, nameEn } = await newApp()
  const metadata = { slug, nameAr, nameEn, groupCount: 0, restrictionCount: 0, openCount: 0 }
  assert.deepEqual(await portal.traces(async () => assert.equal((await portal.admin.delete(`/apps/${id}?force=true`)).status, 204)), {
    ...silence,
    audit: [{ action: 'app.delete', type: 'app', target: id, metadata }],
    events: [appsChangedForAll],
  })
  assert.equal((await portal.admin.delete(`/apps/${id}`)).status, 404)
})

test('an app with dependents is deleted only by force, and histories record the end of its links', async () => {
  const [it] = await idsOfPermissions('portal.it')
  const { id, slug, nameAr, nameEn } = await newApp({ permissionIds: [it] })
  const member = await newPerson()
  const group = await newGroup({ appIds: [id], userIds: [member.id] })
  for (let n = 0; n < 3; n++) assert.equal((await member.post(`/apps/${id}/open`)).status, 204)
  const counts = { groupCount: 1, restrictionCount: 1, openCount: 3 }

  const refused = await portal.admin.delete(`/apps/${id}`)
  assert.equal(refused.status, 409)
  assert.deepEqual(
    { ...refused.body, error: '', messageAr: '', messageEn: '' },
    {
      error: '',
      code: 'has_dependents',
      messageAr: '',
      messageEn: '',
      ...counts,
    },
  )
  const admins = (await portal.admin.get(`/groups/${group.id}`)).body.userIds
  assert.deepEqual(admins, [member.id])
  const { audit, histories, events } = await portal.traces(() => portal.admin.delete(`/apps/${id}?force=true`))
  assert.deepEqual(audit, [{ action: 'app.force_delete', type: 'app', target: id, metadata: { slug, nameAr, nameEn, ...counts } }])
  assert.deepEqual(histories, [
    { kind: 'app.permissions', target: id, added: [], removed: [it] },
    { kind: 'group.apps', target: group.id, added: [], removed: [id] },
  ])
  assert.equal(events.length, 1)
  assert.ok(events[0]!.to!.includes(member.id) && events[0]!.to!.includes(portal.admin.id))
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.appIds, [])
  assert.equal((await portal.admin.delete(`/apps/${id}?force=maybe`)).status, 400)
})

test('adding or removing a permission of an app again writes nothing', async () => {
  const { id } = await newApp()
  const [permissionId] = await idsOfPermissions('portal.manager')
  const metadata = { permissionId, permissionName: 'portal.manager' }
  const add = () => portal.admin.post(`/apps/${id}/permissions`, { permissionId })
  const remove = () => portal.admin.delete(`/apps/${id}/permissions/${permissionId}`)

  const added = await portal.traces(async () => {
    const { status, body } = await add()
    assert.deepEqual([status, body], [201, { appId: id, permissionId }])
  })
  assert.deepEqual(added, {
    audit: [{ action: 'app.permission.add', type: 'app', target: id, metadata }],
    histories: [{ kind: 'app.permissions', target: id, added: [permissionId], removed: [] }],
    notices: [],
    events: [appsChangedForAll],
  })
  assert.deepEqual(await portal.traces(async () => assert.equal((await add()).status, 201)), silence)
  assert.deepEqual(
    (await portal.admin.get(`/apps/${id}/permissions`)).body.map(({ name }: { name: string }) => name),
    ['portal.manager'],
  )
  assert.deepEqual(await portal.traces(async () => assert.equal((await remove()).status, 204)), {
    audit: [{ action: 'app.permission.remove', type: 'app', target: id, metadata }],
    histories: [{ kind: 'app.permissions', target: id, added: [], removed: [permissionId] }],
    notices: [],
    events: [appsChangedForAll],
  })
  assert.deepEqual(await portal.traces(async () => assert.equal((await remove()).status, 204)), silence)
  assert.equal((await portal.admin.delete(`/apps/${id}/permissions/2147483647`)).status, 204)
  assert.equal((await portal.admin.post(`/apps/${id}/permissions`, { permissionId: 2147483647 })).status, 404)
  for (const wrong of [0, -1, 1.5, '1', null])
    assert.equal((await portal.admin.post(`/apps/${id}/permissions`, { permissionId: wrong })).status, 400)
})

test('the history of an app has pages like that of a role', async () => {
  const [it, hr] = await idsOfPermissions('portal.it', 'portal.hr')
  const { id } = await newApp({ permissionIds: [it] })
  await portal.admin.post(`/apps/${id}/permissions`, { permissionId: hr })
  const { body } = await portal.admin.get(`/apps/${id}/audit?limit=1`)
  assert.deepEqual([body.totalCount, body.limit, body.nextOffset], [2, 1, 1])
  const { id: _id, createdAt: _createdAt, actor, ...entry } = body.entries[0]
  assert.equal(actor.username, 'admin')
  assert.deepEqual(entry, {
    targetKind: 'app',
    targetId: id,
    changeKind: 'app.permissions',
    previousIds: [it],
    newIds: [it, hr],
    addedIds: [hr],
    removedIds: [],
    addedNames: ['portal.hr'],
    removedNames: [],
    ends: [],
    revertOf: null,
    refs: { permissions: { [hr!]: { name: 'portal.hr', descriptionAr: 'الموارد البشرية', descriptionEn: 'Human resources' } } },
  })
  assert.equal((await portal.admin.get('/apps/2147483647/audit')).status, 404)
  assert.equal((await portal.admin.get('/apps/2147483647/audit?from=2026-02-30')).status, 400)
})

test('only administrators can administer apps', async () => {
  const [{ id }, person] = [await newApp(), await newPerson()]
  for (const [method, path] of [
    ['GET', '/admin/apps'],
    ['POST', '/apps'],
    ['PATCH', `/apps/${id}`],
    ['DELETE', `/apps/${id}`],
    ['GET', `/apps/${id}/permissions`],
    ['POST', `/apps/${id}/permissions`],
    ['DELETE', `/apps/${id}/permissions/1`],
    ['POST', `/apps/${id}/permissions/impact-preview`],
    ['GET', `/apps/${id}/audit`],
  ] as const) {
    assert.equal((await person.send(method, path)).status, 403, `${method} ${path}`)
    assert.equal((await portal.stranger().send(method, path)).status, 401, `${method} ${path}`)
  }
  assert.equal((await portal.stranger().get('/apps')).status, 401)
  assert.equal((await portal.stranger().put('/me/app-order', { order: [] })).status, 401)
})

for (const [method, path, body] of [
  ['GET', '', undefined],
  ['PATCH', '', { nameEn: 'x' }],
  ['DELETE', '', undefined],
  ['GET', '/permissions', undefined],
  ['POST', '/permissions', { permissionId: 1 }],
  ['DELETE', '/permissions/1', undefined],
  ['POST', '/permissions/impact-preview', { permissionIds: [] }],
  ['POST', '/open', undefined],
] as const) {
  test(`${method} /apps/{id}${path} answers 404 for an unknown app and 400 for an impossible id`, async () => {
    assert.equal((await portal.admin.send(method, `/apps/2147483647${path}`, body)).status, 404)
    for (const id of ['0', '-1', 'x', '1.5', '2147483648'])
      assert.equal((await portal.admin.send(method, `/apps/${id}${path}`, body)).status, 400)
  })
}
