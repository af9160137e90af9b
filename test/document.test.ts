/** The document against the running portal, and the page that shows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalsOf } from '../server/platform/http/openapi.ts'
import { house } from './house.ts'
import { type Document, documented, isPublic, operationOf, routes } from './running.ts'

const portal = house()
const readDocument = async (): Promise<Document> => (await portal.stranger().get('/openapi.json')).body

const sorted = (lines: string[]) => lines.toSorted()

test('the document lists the endpoints and nothing else', async () => {
  const document = await readDocument()
  const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  assert.deepEqual(sorted(listed), sorted(routes.map((route) => `${route.method.toLowerCase()} ${documented(route)}`)))
})

test('every operation says what it does, what it takes, who may call it and how it can end', async () => {
  const document = await readDocument()
  for (const route of routes) {
    const { summary, tags, parameters = [], requestBody, responses, security } = operationOf(document, route)!
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    assert.ok(summary && tags?.length === 1, route.at)
    assert.deepEqual(sorted(inPath.map(({ name }) => name)), sorted(route.parameters), route.at)
    assert.ok(
      inPath.every(({ required }) => required),
      route.at,
    )
    assert.equal(requestBody !== undefined, route.endpoint.body !== undefined, route.at)
    assert.deepEqual(security ?? [], isPublic(route) ? [] : [{ session: [] }], route.at)
    assert.equal(Object.keys(responses).filter((status) => status.startsWith('2')).length, 1, route.at)
    const refused = Object.keys(responses).filter((status) => !status.startsWith('2'))
    assert.deepEqual(refused, sorted([...refusalsOf(route.endpoint).keys()].map(String)), route.at)
  }
})

function* nodesOf(value: unknown, path = '#'): Generator<[path: string, node: Record<string, unknown>]> {
  if (!value || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}
const follow = (document: Document, ref: string) =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

const keywords = new Set(
  `$ref type enum const default description format pattern minimum maximum minLength maxLength minItems maxItems uniqueItems items properties
   required additionalProperties patternProperties anyOf oneOf allOf not title examples`.split(/\s+/),
)
const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

function checkSchema(path: string, schema: Record<string, unknown>) {
  for (const keyword of Object.keys(schema)) assert.ok(keywords.has(keyword), `${path} has the keyword ${keyword}`)
  const {
    type,
    properties,
    required = [],
    items,
    pattern,
    additionalProperties,
  } = schema as {
    type?: string | string[]
    properties?: Record<string, Record<string, unknown>>
    required?: string[]
    items?: Record<string, unknown>
    pattern?: string
    additionalProperties?: unknown
  }
  for (const one of [type ?? []].flat()) assert.ok(types.includes(one), `${path} is a ${one}`)
  for (const name of required) assert.ok(properties?.[name], `${path} requires ${name}`)
  if (pattern !== undefined) new RegExp(pattern, 'u')
  if ([type].flat().includes('array')) assert.ok(items, `${path} does not say what is in it`)
  for (const [name, inner] of Object.entries(properties ?? {})) checkSchema(`${path}/properties/${name}`, inner)
  for (const [index, inner] of [schema['anyOf'] ?? [], schema['oneOf'] ?? [], schema['allOf'] ?? []].flat().entries())
    checkSchema(`${path}/${index}`, inner as Record<string, unknown>)
  if (items) checkSchema(`${path}/items`, items)
  if (additionalProperties && typeof additionalProperties === 'object')
    checkSchema(`${path}/additional`, additionalProperties as Record<string, unknown>)
}

test('the document is OpenAPI 3.1: every reference leads somewhere, and every schema is one', async () => {
  const document = await readDocument()
  assert.match(document.openapi, /^3\.1\./)
  assert.ok(document.info.title && document.info.version && document.servers[0]!.url)
  assert.ok(document.components.securitySchemes['session'])
  for (const [path, node] of nodesOf(document)) {
    if (typeof node['$ref'] === 'string') assert.ok(follow(document, node['$ref']), `${path}: ${node['$ref']}`)
    if (node['schema']) checkSchema(path, node['schema'] as Record<string, unknown>)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) checkSchema(name, schema as Record<string, unknown>)
  for (const operations of Object.values(document.paths))
    for (const { responses } of Object.values(operations))
      for (const [status, { description }] of Object.entries(responses)) assert.ok(/^[2-5]\d\d$/.test(status) && description)
})

test('the page and the program that read the document read the same one', async () => {
  assert.deepEqual((await portal.stranger().get('/docs/json')).body, await readDocument())
})

/** The values of a content policy by directive. */
const policyOf = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => {
        const [directive, ...sources] = part.split(/\s+/)
        return [directive, sources]
      }),
  )

test('the page that shows the document needs no other server, and may not ask one', async () => {
  const visitor = portal.stranger()
  const page = await visitor.get('/docs/')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type')!, /^text\/html/)
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => new URL(address!, `${portal.base}/api/docs/`))
  assert.ok(assets.length > 3)
  for (const { origin, pathname } of assets) {
    assert.equal(origin, portal.base)
    const { status, text, headers } = await visitor.get(pathname.replace(/^\/api/, ''))
    assert.deepEqual([status, headers.get('x-content-type-options')], [200, 'nosniff'], pathname)
    if (pathname.endsWith('.css')) assert.doesNotMatch(text, /(url\(|@import)\s*["']?(https?:)?\/\//, pathname)
  }
  const { 'default-src': fallback, 'img-src': images, ...policy } = policyOf(page.headers)
  assert.deepEqual(fallback, ["'self'"])
  assert.deepEqual(images, ["'self'", 'data:'])
  for (const [directive, sources] of Object.entries(policy)) assert.match(sources!.join(' '), /^'(self|none)'$/, directive)
  assert.doesNotMatch(page.text, /<script>|<style>| style=| on\w+=/)
})
