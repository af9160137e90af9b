import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Type } from 'typebox'
import { endpoints } from '../../lists/features.ts'
import { messages } from '../../record/webhooks/types.ts'
import { query } from '../http/endpoint.ts'
import { Named, Shape } from '../http/shape.ts'
import { documentOf } from './document.ts'

const COOKIE = 'portal_session'
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

test('`openapi.json` is up to date', () => {
  const committed = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  assert.deepEqual(plain(documentOf(endpoints, { cookie: COOKIE }, messages)), committed)
})

test('in a portal below a path, the server of the document has that path', () => {
  assert.deepEqual(documentOf([], { cookie: COOKIE, base: '/portal' }).servers, [{ url: '/portal/api' }])
})

/** An endpoint with one parameter. */
const asking = (path: string, q: object) => ({
  ...query(`GET /${path}`, {
    summary: 'Try',
    description: 'Tries.',
    allow: 'signed-in',
    query: Type.Object({ q: Type.Optional(Type.Unsafe<string>(q)) }),
    reply: Named('Tried', Shape({ ok: Type.Boolean() }), { ok: true }),
    run: async () => ({ ok: true }),
  }),
  operationId: path,
  tag: { name: 'try', description: 'Tried here' },
})

test('of several parameters with one name, the most frequent becomes a component, and the rest stay where they are used', () => {
  const [short, long] = [
    { type: 'string', maxLength: 5 },
    { type: 'string', maxLength: 9 },
  ]
  const list = [asking('a', short), asking('b', long), asking('c', long), asking('d', short), asking('e', long)]
  const { paths, components } = plain(documentOf(list, { cookie: COOKIE }))
  assert.deepEqual(components.parameters, { q: { name: 'q', in: 'query', schema: long } })
  const shared = { $ref: '#/components/parameters/q' }
  const own = { name: 'q', in: 'query', schema: short }
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((path) => paths[`/${path}`].get.parameters),
    [[own], [shared], [shared], [own], [shared]],
  )
  assert.deepEqual(plain(documentOf([asking('a', short)], { cookie: COOKIE })).components.parameters, {})
})
