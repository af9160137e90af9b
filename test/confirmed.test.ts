/** Calls all endpoints that need a fresh confirmation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_PASSWORD, type Client, testPortal } from './portal.ts'
import { type Document, documented, type Route, routes } from './running.ts'
import { giveToken } from './tokens.ts'

const portal = testPortal()
const confirmed = routes.filter(({ endpoint }) => endpoint.confirm === 'person')
const names = (some: Route[]) => some.map(({ at }) => at)

const confirmedAgo = (sessionsOf: Client, ago: string) =>
  portal.sql('update sessions set confirmed_at = now() - $2::interval where user_id = $1', [sessionsOf.id, ago])
/** Makes an invalid call, if the endpoint takes anything that can be invalid. */
const ask = (who: Client, route: Route) =>
  who.send(route.method, `${route.address(() => 'nonsense')}?limit=nonsense`, route.method === 'GET' ? undefined : '{"nonsense": [')

test('the document marks exactly the endpoints that need a fresh confirmation', async () => {
  const { body } = await portal.stranger().get('/openapi.json')
  const { paths } = body as Document
  const marked = routes.filter((route) => 'x-confirmed' in paths[documented(route)]![route.method.toLowerCase()]!)
  assert.deepEqual(names(marked), names(confirmed))
  assert.ok(confirmed.length > 0)
  for (const { at, endpoint } of confirmed) assert.equal(endpoint.allow === 'anyone', false, at)
})

test('sixteen minutes after the last confirmation, each call is refused before the request is looked at', async () => {
  await confirmedAgo(portal.admin, '16 minutes')
  for (const route of confirmed) {
    const { status, body } = await ask(portal.admin, route)
    assert.deepEqual([status, body.code, body.methods], [403, 'confirmation_required', ['password']], route.at)
  }
  assert.equal((await portal.admin.post('/auth/me/confirm', { password: ADMIN_PASSWORD })).status, 200)
  for (const route of confirmed) assert.notEqual((await ask(portal.admin, route)).body?.code, 'confirmation_required', route.at)
})

test('a confirmation in another session of the same person does not count', async () => {
  const other = await portal.stranger().signIn('admin', ADMIN_PASSWORD)
  await confirmedAgo(portal.admin, '16 minutes')
  await other.post('/auth/me/confirm', { password: ADMIN_PASSWORD })
  for (const route of confirmed) assert.equal((await ask(portal.admin, route)).body?.code, 'confirmation_required', route.at)
})

test('strangers and people without the right are refused without a hint of the confirmation', async () => {
  const powerless = await portal.person('powerless')
  await confirmedAgo(powerless, '16 minutes')
  for (const route of confirmed) {
    assert.equal((await ask(portal.stranger(), route)).body?.code, 'unauthorized', route.at)
    if (route.endpoint.allow !== 'signed-in') assert.equal((await ask(powerless, route)).body?.code, 'forbidden', route.at)
  }
})

test('an API token is never confirmed', async () => {
  const { text } = await giveToken(portal, portal.admin.id)
  for (const route of confirmed) {
    const answer = await portal.stranger().send(
      route.method,
      route.address(() => 1),
      '{}',
      { authorization: `Bearer ${text}` },
    )
    assert.ok([401, 403].includes(answer.status), route.at)
  }
})
