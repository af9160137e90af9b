/** Requests that are known to break servers, the same for every endpoint. */

import type { Route } from '../running.ts'
import { inJson, nest } from './fitting.ts'
import { badIds, type Request } from './requests.ts'

const nestObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const DEPTH = 30_000
const TOO_MUCH = 1024 * 1024 + 1

const JSON_TYPE = 'application/json'
const manyIds = (bytes: number) => `[${'7,'.repeat(bytes / 2)}7]`
const notUtf8 = Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22])
const wrongTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  ';',
  '',
]

/** Bodies that could break a parser or a validator. */
function knownBodies(fields: string[]): (string | Buffer)[] {
  const inEach = (json: string) => inJson(fields.map((name) => [name, json]))
  const inFirst = (json: string) => inJson(fields.map((name, index) => [name, index ? '1' : json]))
  return [
    ...['', ' ', 'null', '[]', '""', '1', '{', '{"a":1}x', '\ufeff{}', '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}'],
    ...[nest(DEPTH), nestObjects(DEPTH), inEach(nest(DEPTH)), inEach(nestObjects(DEPTH)), '['.repeat(DEPTH)],
    ...[inEach('"\\u0000"'), inEach('"\\ud800"'), inEach('"\\u202e\\u0007"'), inEach('null')],
    ...[notUtf8, Buffer.concat([Buffer.from('{"q":'), notUtf8, Buffer.from('}')])],
    ...[
      manyIds(TOO_MUCH - 100),
      inFirst(manyIds(TOO_MUCH - 1000)),
      inFirst(manyIds(150_000)),
      inFirst(JSON.stringify('x'.repeat(TOO_MUCH - 1000))),
    ],
    'x'.repeat(TOO_MUCH),
  ]
}

/**
 * Invalid bodies, media types and ids, the same for every endpoint: all from a permitted caller, a few from every caller. `fields` are
 * the fields of the endpoint's body.
 */
export function knownRequestsOn(route: Route, fields: string[]): Request[] {
  const path = route.address(() => 1)
  const takesBody = route.method !== 'GET'
  const as = route.endpoint.allow === 'anyone' ? 'stranger' : 'admin'
  const inBodies = knownBodies(fields.length ? fields : ['field']).map((text) => ({ as, path, body: text, type: JSON_TYPE }) as const)
  const inTypes = wrongTypes.map((type) => ({ as, path, body: 'a=b', type }) as const)
  const inIds = route.parameters.flatMap((at) =>
    badIds.map(
      (bad): Request => ({ as, path: route.address((name) => (name === at ? bad : 1)), ...(takesBody && { body: '{}', type: JSON_TYPE }) }),
    ),
  )
  const fromAll = (['stranger', 'person', 'admin'] as const).flatMap((as): Request[] => [
    { as, path },
    ...(takesBody ? [nest(DEPTH), 'x'.repeat(TOO_MUCH)] : ['{"a":1}']).map((text) => ({ as, path, body: text, type: JSON_TYPE })),
    { as, path, body: 'a=b', type: 'text/plain' },
  ])
  return [...(takesBody ? [...inBodies, ...inTypes] : []), ...inIds, ...fromAll]
}
