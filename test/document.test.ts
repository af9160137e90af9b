/** Compares the OpenAPI document with the running portal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalsOf } from '../server/platform/openapi/refusals.ts'
import { answerCheckerOf, checkerOf } from './document-schemas.ts'
import { type Client, PASSWORD, testPortal } from './portal.ts'
import { type Document, documented, follow, isPublic, type Json, operationOf, type Route, routes } from './running.ts'

const portal = testPortal()
const readDocument = async (): Promise<Document> => (await portal.stranger().get('/openapi.json')).body

const sorted = (lines: string[]) => lines.toSorted()

test('the document lists exactly the endpoints', async () => {
  const document = await readDocument()
  const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  assert.deepEqual(sorted(listed), sorted(routes.map((route) => `${route.method.toLowerCase()} ${documented(route)}`)))
})

test('every operation documents its name, purpose, input, callers and outcomes', async () => {
  const document = await readDocument()
  const named = routes.map((route) => operationOf(document, route).operationId)
  assert.equal(new Set(named).size, named.length)
  for (const route of routes) {
    const operation = operationOf(document, route)
    const { operationId, summary, description, tags, parameters, requestBody, responses, security } = operation
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    assert.match(operationId, /^[a-z][a-zA-Z0-9]+$/, route.at)
    assert.ok(summary && description && description !== summary, route.at)
    assert.deepEqual(
      tags.filter((tag) => document.tags.some(({ name, description }) => name === tag && description)),
      [route.endpoint.tag.name],
      route.at,
    )
    assert.deepEqual(sorted(inPath.map(({ name }) => name)), sorted(route.parameters), route.at)
    assert.ok(
      inPath.every(({ required }) => required),
      route.at,
    )
    const { body, does } = route.endpoint
    assert.equal(requestBody !== undefined, body !== undefined || does === 'upload', route.at)
    const ways = [{ session: [] }, ...(route.endpoint.scope ? [{ bearer: [] }] : [])]
    assert.deepEqual(security ?? document.security, isPublic(route) ? [] : ways, route.at)
    assert.deepEqual((operation as { 'x-scope'?: unknown })['x-scope'], route.endpoint.scope, route.at)
    const fine = Object.keys(responses).filter((status) => status < '400')
    assert.equal(fine.length, does === 'file' ? 3 : 1, route.at)
    const refused = Object.keys(responses).filter((status) => status >= '400')
    assert.deepEqual(refused, sorted([...refusalsOf(route.endpoint).keys()].map(String)), route.at)
    for (const [status, { description, headers }] of Object.entries(responses))
      assert.ok(description && headers['X-Request-Id'], `${route.at} ${status}`)
  }
})

const isText = (type: string) =>
  ['application/json', 'application/scim+json', 'application/x-www-form-urlencoded', 'text/event-stream'].includes(type)
const bodiesOf = ({ requestBody, responses }: ReturnType<typeof operationOf>) =>
  [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap((content) => Object.entries(content ?? {}))

test('every JSON body is a component or a list of components', async () => {
  const document = await readDocument()
  for (const route of routes)
    for (const [type, { schema }] of bodiesOf(operationOf(document, route))) {
      if (!isText(type)) continue
      const named = [schema, schema['items'] ?? {}, ...((schema['oneOf'] as Json[]) ?? [])].some((one) => '$ref' in (one as Json))
      assert.ok(named, `${route.at} ${JSON.stringify(schema)}`)
    }
})

test('every body has an example, and every example is valid', async () => {
  const document = await readDocument()
  const check = checkerOf(document)
  for (const route of routes)
    for (const [type, { schema, example, examples = {} }] of bodiesOf(operationOf(document, route))) {
      if (!isText(type)) {
        assert.ok(schema['format'] === 'binary' || example, route.at)
        continue
      }
      const values = Object.values(examples).map((one) => follow(document, one)['value'])
      assert.ok(values.length > 0, `${route.at} ${type}`)
      for (const value of values) {
        assert.deepEqual(check(schema, value), [], `${route.at} ${JSON.stringify(value)}`)
        const isEmpty = typeof value === 'object' && Object.keys(value as Json).length === 0
        assert.ok(!isEmpty, `${route.at} ${JSON.stringify(schema)}`)
      }
    }
})

test('every component is used', async () => {
  const document = await readDocument()
  const text = JSON.stringify(document)
  const { securitySchemes: _, ...components } = document.components
  for (const [kind, some] of Object.entries(components))
    for (const name of Object.keys(some)) assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`)
})

function* nodesOf(value: unknown, path = '#'): Generator<[path: string, node: Json]> {
  if (!value || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [path, value as Json]
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${path}/${key}`)
}

test('every reference resolves', async () => {
  const document = await readDocument()
  assert.match(document.openapi, /^3\.1\./)
  for (const [path, node] of nodesOf(document)) if (typeof node['$ref'] === 'string') assert.ok(follow(document, node), path)
})

test('every status, header and field of every answer to every kind of caller is in the document', async () => {
  const document = await readDocument()
  const wrongWith = answerCheckerOf(document)
  const callers = [portal.stranger(), await portal.person('asking'), portal.admin]
  const wrong: unknown[] = []
  const ask = async (route: Route, cookie: string, body: string | undefined) => {
    const response = await fetch(`${portal.base}/api${route.address(() => 1)}`, {
      redirect: 'manual',
      method: route.method,
      headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })
    const found = await wrongWith(route.method, documented(route), response)
    if (found.length > 0) wrong.push([route.at, response.status, found])
    await response.body?.cancel()
  }
  // Endpoints that set or clear cookies, such as signing out, come last. The administrator makes only GET calls.
  const inOrder = routes.toSorted((one, other) => Number('cookies' in one.endpoint) - Number('cookies' in other.endpoint))
  for (const route of inOrder)
    for (const caller of callers) {
      if (route.method === 'GET') await ask(route, caller.cookie, undefined)
      else if (caller !== portal.admin) for (const body of ['{}', '[', undefined]) await ask(route, caller.cookie, body)
    }
  assert.deepEqual(wrong, [])
})

test('the document names the cookies of every operation that begins or ends a session', async () => {
  const document = await readDocument()
  const wrongWith = answerCheckerOf(document)
  const signedIn = () => portal.stranger().signIn('cookied')
  const { id } = await portal.person('cookied')
  const currentSession = async (client: Client) => (await client.get('/auth/me/sessions')).body[0].id
  const send = async (client: Client, method: string, path: string, shown: string, body?: unknown) => {
    const answer = await client.send(method, path, body)
    const response = new Response(answer.text || null, { status: answer.status, headers: answer.headers })
    assert.deepEqual([answer.status < 300, await wrongWith(method, shown, response)], [true, []], `${method} ${path}`)
    const route = routes.find((one) => one.method === method && documented(one) === shown)!
    const { headers } = operationOf(document, route).responses[answer.status]!
    const meant = String(follow(document, headers['Set-Cookie'] as Json)['description'])
    const sent = answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]!)
    assert.ok(sent.length > 0 && sent.every((name) => meant.includes(`\`${name}\``)), `${sent} ${meant}`)
    return client
  }
  const newcomer = { username: 'newcomer', email: 'newcomer@example.org', password: PASSWORD }
  await send(portal.stranger(), 'POST', '/auth/register', '/auth/register', newcomer)
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  const token = new URL(resetUrl).searchParams.get('token')
  await send(portal.stranger(), 'POST', '/auth/reset-password', '/auth/reset-password', { token, newPassword: PASSWORD })
  const browser = await send(portal.stranger(), 'POST', '/auth/login', '/auth/login', { username: 'cookied', password: PASSWORD })
  await send(browser, 'DELETE', `/auth/me/sessions/${await currentSession(browser)}`, '/auth/me/sessions/{id}')
  await send(await signedIn(), 'POST', '/auth/logout', '/auth/logout')
  const other = await portal.person('leaving', { roles: ['admin'] })
  await send(other, 'DELETE', `/users/${other.id}/sessions`, '/users/{id}/sessions')
})
