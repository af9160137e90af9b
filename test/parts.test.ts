/** Every list that can grow is returned whole or as the requested page. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { partOf } from '../server/platform/http/page.ts'
import { makers } from './makers.ts'
import { MEETINGS } from './meetings.ts'
import { send, writeNote } from './notes.ts'
import { signedIn } from './people.ts'
import { testPortal, until } from './portal.ts'
import { documented, follow, operationOf, type Route, routes } from './running.ts'
import { addProgram } from './service-accounts.ts'

const portal = testPortal()
const { newApp, newCategory, newGroup, newPermission, newPerson, newRole, newService } = makers(portal)

/** The ids of the records whose lists are requested. */
let known: { person: number; role: number; app: number; program: number }

before(async () => {
  await portal.ready
  const { admin } = portal
  const [person, service, role, app] = [await newPerson(), await newService(), await newRole(), await newApp()]
  const program = await addProgram(portal, 'robot')
  known = { person: person.id, role: role.id, app: app.id, program: program.id }
  for (let n = 0; n < 3; n++) {
    await Promise.all([newApp(), newGroup(), newRole(), newService(), newCategory(), newPerson({ roles: ['order_receiver'] })])
    for (const who of [admin, person]) await signedIn(portal.instance, who)
    await addProgram(portal, `robot${n}`)
    await admin.post('/auth/me/tokens', { name: `Token ${n}`, scopes: ['profile:read'] })
    await admin.post(`/service-accounts/${program.id}/tokens`, { name: `Token ${n}`, scopes: ['profile:read'] })
    const permission = await newPermission()
    for (const holder of [`/roles/${role.id}`, `/apps/${app.id}`])
      await admin.post(`${holder}/permissions`, { permissionId: permission.id })
    await admin.post('/orders', { serviceId: service.id })
    await admin.post('/notes/folders', { name: 'Folder' })
    await admin.post('/notes/labels', { name: 'Label' })
    await admin.post(`${MEETINGS}/tasks`, { titleEn: `Task ${n}` })
    await admin.post(MEETINGS, { date: DAY, titleEn: `Meeting ${n}`, ...(n && { startTime: '10:00' }) })
    await admin.post(MEETINGS, { date: `2031-01-1${n}`, titleEn: 'Alone' })
    await admin.post(`${MEETINGS}/pdf-archives`, { date: DAY, language: 'en' })
    await send(admin, await writeNote(admin), person)
    await send(person, await writeNote(person), admin)
  }
  await until('all PDFs are made', async () =>
    (await admin.get(`${MEETINGS}/pdf-archives`)).body.every(({ status }: { status: string }) => status === 'ready'),
  )
  // Otherwise a request could record a new time of use, which is done once a minute, and so change the order of sessions.
  await portal.sql('update sessions set last_used_at = now()')
})

const DAY = '2031-02-03'

/** The lists in the OpenAPI document, by path, with the parameters that they need. */
const lists: Record<string, (path: string) => string> = {
  '/users': (path) => path,
  '/users/{id}/sessions': () => `/users/${known.person}/sessions`,
  '/auth/me/sessions': (path) => path,
  '/auth/me/grants': (path) => path,
  '/auth/me/tokens': (path) => path,
  '/service-accounts': (path) => path,
  '/service-accounts/{id}/tokens': () => `/service-accounts/${known.program}/tokens`,
  '/groups': (path) => path,
  '/roles': (path) => path,
  '/roles/{id}/permissions': () => `/roles/${known.role}/permissions`,
  '/permissions': (path) => path,
  '/apps': (path) => path,
  '/apps/{id}/permissions': () => `/apps/${known.app}/permissions`,
  '/admin/apps': (path) => path,
  '/services': (path) => path,
  '/service-catalogue': (path) => path,
  '/service-categories': (path) => path,
  '/orders/my': (path) => path,
  '/orders/receivers': (path) => path,
  '/orders/incoming': (path) => path,
  [MEETINGS]: (path) => `${path}?date=${DAY}`,
  [`${MEETINGS}/dates`]: (path) => `${path}?from=2031-01-01&to=2031-12-31`,
  [`${MEETINGS}/tasks`]: (path) => path,
  [`${MEETINGS}/pdf-archives`]: (path) => path,
  '/notes': (path) => path,
  '/notes/folders': (path) => path,
  '/notes/labels': (path) => path,
  '/notes/recipients': (path) => path,
  '/notes/sent': (path) => path,
  '/notes/received': (path) => path,
}

test('every list in the OpenAPI document takes a limit and an offset, or has a reason not to', async () => {
  const others = {
    'GET /auth/me/passkeys': 'at most 20',
    'GET /service-teams': 'at most 200',
    'GET /working-calendars': 'at most 20',
    'GET /services/{id}/people': 'the first 50',
    'GET /working-calendars/{id}/spans': 'at most 92 days',
    'GET /service-teams/names': 'at most 200',
    'GET /notifications': 'it has `before`, and is tried with them',
    'POST /users/resolve': 'it has as many items as were sent',
    'GET /admin/access/ways': 'the narrowest 50',
    'GET /admin/audit-logs/counts': '92 days at most',
    'PUT /roles/{id}/permissions': 'what was sent, as it is now',
    'PUT /admin/apps/order': 'what was sent, as it is now',
    'PUT /services/order': 'what was sent, as it is now',
    'PUT /service-categories/order': 'what was sent, as it is now',
    'PUT /admin/presence': 'the first 50 who are there',
    [`PUT ${MEETINGS}/presence`]: 'the first 50 who are there',
    [`GET ${MEETINGS}/people`]: 'the first 500',
    [`GET ${MEETINGS}/fonts`]: 'those that come with the portal',
    'GET /admin/sign-in/providers': '20 at most',
    'GET /admin/provisioning/sources': '10 at most',
    'GET /webhooks': '50 at most',
    'POST /users/imports/{id}/links': 'all of them, once',
    'GET /auth/me/identities': 'one of each provider',
    'GET /users/{id}/identities': 'one of each provider',
    'PUT /me/app-order': 'what was sent, as it is now',
    [`PUT ${MEETINGS}/order`]: 'what was sent, as it is now',
  }
  const { body: document } = await portal.admin.get('/openapi.json')
  const isList = (route: Route) => {
    const { schema } = operationOf(document, route).responses[route.endpoint.status ?? 200]?.content?.['application/json'] ?? {}
    return schema !== undefined && follow(document, schema)['type'] === 'array'
  }
  const expected = [...Object.keys(lists).map((path) => `GET ${path}`), ...Object.keys(others)]
  assert.deepEqual(
    routes
      .filter(isList)
      .map((route) => `${route.method} ${documented(route)}`)
      .sort(),
    expected.sort(),
  )
})

for (const [documented, asked] of Object.entries(lists))
  test(`GET ${documented} returns the requested page, and without parameters the whole list`, async () => {
    const path = asked(documented)
    const mark = path.includes('?') ? '&' : '?'
    const read = async (query = '') => {
      const { status, body, text } = await portal.admin.get(query ? `${path}${mark}${query}` : path)
      assert.equal(status, 200, text)
      return body as object[]
    }
    const whole = await read()
    assert.ok(whole.length >= 3)
    assert.deepEqual(await read('limit=2'), whole.slice(0, 2))
    assert.deepEqual(await read('limit=1&offset=1'), whole.slice(1, 2))
    assert.deepEqual(await read('offset=2'), whole.slice(2))
    assert.deepEqual(await read('limit=500'), whole)
    assert.deepEqual(await read('offset=1000'), [])
    for (const wrong of ['limit=0', 'limit=501', 'offset=-1', 'limit=all'])
      assert.equal((await portal.admin.get(`${path}${mark}${wrong}`)).body.code, 'validation_failed', wrong)
  })

for (const path of ['/users', '/groups', '/roles', '/permissions', '/admin/apps', '/services'])
  test(`a page of ${path} comes with the total`, async () => {
    const countOf = async (query: string) => (await portal.admin.get(path + query)).headers.get('x-total-count')
    const { body: whole } = await portal.admin.get(path)
    assert.equal(await countOf('?limit=1'), String(whole.length))
    assert.equal(await countOf('?limit=2&offset=1000'), String(whole.length))
    assert.deepEqual([await countOf(''), await countOf('?offset=1')], [null, null])
    if (path === '/services') return
    const { username, slug, name } = whole.at(-1)
    const q = encodeURIComponent(username ?? slug ?? name)
    const { body: found } = await portal.admin.get(`${path}?q=${q}`)
    assert.ok(found.length > 0 && found.length < whole.length)
    assert.equal(await countOf(`?q=${q}&limit=1`), String(found.length))
  })

test('a launcher without counts is also returned in pages', async () => {
  const person = await newPerson()
  const { body: whole } = await person.get('/apps')
  assert.ok(whole.length >= 3)
  assert.deepEqual((await person.get('/apps?limit=2&offset=1')).body, whole.slice(1, 3))
})

test('a page of a batched list is part of the whole list, and no batch beyond it is read', async () => {
  const all = Array.from({ length: 10 }, (_, n) => n)
  for (const page of [{}, { limit: 3 }, { offset: 4 }, { limit: 3, offset: 2 }, { limit: 4, offset: 8 }, { offset: 20 }, { limit: 20 }]) {
    let read = 0
    async function* batches() {
      for (let n = 0; n < all.length; n += 3) {
        read++
        yield all.slice(n, n + 3)
      }
    }
    const given = (await Array.fromAsync(partOf(batches(), page))).flat()
    const { limit, offset = 0 } = page as { limit?: number; offset?: number }
    assert.deepEqual(given, all.slice(offset, limit && offset + limit), JSON.stringify(page))
    if (limit && limit + offset < all.length) assert.equal(read, Math.ceil((limit + offset) / 3))
  }
})
