/** Snapshots to review the API by: every route and every role on one page. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { nameOf } from '../server/platform/auth/actor.ts'
import { refusals } from '../server/platform/errors/refusal.ts'
import { assertPage } from './one-page.ts'
import { testPortal } from './portal.ts'
import { hasHead, routes } from './running.ts'

/** The routes that are registered with the router. */
const served: string[] = []
const watch = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) served.push(`${one} ${url}`)
  })
}
subscribe('fastify.initialization', watch)
after(() => unsubscribe('fastify.initialization', watch))

const portal = testPortal()

test('test/api.txt shows every endpoint with its callers and summary', (t) => {
  const lines = routes
    .toSorted((one, other) => (one.path === other.path ? one.method.localeCompare(other.method) : one.path < other.path ? -1 : 1))
    .map(({ method, path, endpoint }) => `${method.padEnd(7)}${path.padEnd(46)} ${nameOf(endpoint.allow).padEnd(26)} ${endpoint.summary}`)
  assertPage(t, lines, new URL('api.txt', import.meta.url))
})

test('test/roles.txt shows the permissions of each role', async (t) => {
  const roles = await portal.sql<{ name: string }>('select name from roles where is_system order by id')
  const held = await portal.sql<{ name: string; holders: string[] }>(
    `select p.name, array_remove(array_agg(r.name), null) as holders
     from permissions p left join role_permissions rp on rp.permission_id = p.id left join roles r on r.id = rp.role_id
     where p.is_system group by p.id order by p.id`,
  )
  const line = (title: string, cell: (role: string) => string) =>
    `${title.padEnd(28)}${roles.map(({ name }) => cell(name).padEnd(name.length + 2)).join('')}`.trimEnd()
  const rows = held.map(({ name, holders }) => line(name, (role) => (holders.includes(role) ? 'x' : '')))
  assertPage(t, [line('', (role) => role), ...rows], new URL('roles.txt', import.meta.url))
})

const sorted = (lines: string[]) => lines.toSorted()
const placeholders = (text: string) => sorted([...text.matchAll(/\{(\w+)\}/g)].map(([whole]) => whole))

test('every refusal has a text in both languages, with the same placeholders', () => {
  for (const [code, [status, en, ar]] of Object.entries(refusals)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(status >= 400 && status <= 503, code)
    assert.match(en, /^[A-Z][\x20-\x7e’]*\.$/, code)
    assert.match(ar, /^[\u0600-\u06ff][^a-zA-Z]*[.؟]$|JSON/, code)
    assert.deepEqual(placeholders(ar), placeholders(en), code)
  }
})

test('the server answers its endpoints, their HEADs, the document and its page, and nothing else', () => {
  const own = [...routes.map(({ at }) => at), ...routes.filter(hasHead).map(({ path }) => `HEAD ${path}`)].map((at) =>
    at.replace(' ', ' /api'),
  )
  const others = served.filter((one) => !own.includes(one))
  assert.deepEqual(sorted(served.filter((one) => own.includes(one))), sorted(own))
  assert.deepEqual(
    others.filter((one) => !/^(GET|HEAD) \/api\/(openapi\.json|docs(\/.*)?)$/.test(one)),
    [],
  )
})

/** The paths of objects in a shape that accept undeclared fields. */
function openObjects(schema: unknown, path: string): string[] {
  if (!schema || typeof schema !== 'object') return []
  const { type, additionalProperties } = schema as { type?: unknown; additionalProperties?: unknown }
  const own = [type].flat().includes('object') && additionalProperties !== false ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => openObjects(inner, `${path}.${key}`))]
}

test('no request shape accepts undeclared fields, except answers to forms and the bodies of SCIM', () => {
  const open = routes.flatMap(({ endpoint: { at, body, query, params } }) => openObjects({ body, query, params }, at))
  const [scim, others] = [open.filter((at) => at.includes(' /scim/v2/')), open.filter((at) => !at.includes(' /scim/v2/'))]
  assert.deepEqual(others, ['POST /orders.body.properties.answers'])
  assert.ok(scim.every((at) => at.endsWith('.body')))
})
