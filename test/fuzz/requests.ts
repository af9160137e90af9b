/** Generates requests from the operations of the document: valid, nearly valid and hostile ones. */
import fc from 'fast-check'
import { type Document, operationOf, type Route } from '../running.ts'
import { type Caller, kinds } from './callers.ts'
import { nasty, oddNames, openFitting, type Schema } from './fitting.ts'
import { collectionOf, type KnownValues, singular } from './known-values.ts'

export interface Request {
  as: Caller
  /** The path and query, as sent. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  type?: string
}

export const badIds =
  `99999999999999999999 2147483648 0 -1 -0 1.5 1e3 0x10 +1 01 %00 %ff %ED%A0%80 %E2%80%AE a %20 1%20 true null undefined NaN __proto__ %27 ;
  ${'9'.repeat(300)} ${'9'.repeat(2000)} %D9%A1 1,2 1%2F2 * . .. %2e%2E`.split(/\s+/)
const rawValues = fc.oneof(
  fc.constantFrom(...badIds, '', '+', '%', '%zz', 'a%', '-1', '201', '0', '1', 'true', 'x'.repeat(3000)),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
)

const callers = (weightOfAdmin: number) =>
  fc.oneof(...kinds.map((kind) => ({ weight: kind === 'admin' ? weightOfAdmin : 1, arbitrary: fc.constant(kind) })))

const DATE = 'Sun, 01 Mar 2026 08:30:00 GMT'
/** Values of the headers in the document, and of some other headers. */
const headerValues: Record<string, string[]> = {
  'idempotency-key': ['a', 'b', 'c', ' ', 'é', 'x'.repeat(255), 'x'.repeat(256)],
  'if-match': ['*', '"x"', 'W/"x"', '""', '"a", "b"', 'x'],
  'if-none-match': ['*', '"x"', 'W/"x"', '"a", "b"', 'x'],
  'if-range': ['"x"', DATE, 'x'],
  'if-modified-since': [DATE, 'yesterday'],
  range: ['bytes=0-1', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'lines=1-2', 'bytes='],
}
const oddHeaders: [name: string, value: string][] = [
  ['origin', 'null'],
  ['origin', 'https://elsewhere.example'],
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['x-forwarded-for', '203.0.113.9, %00'],
  ['x-forwarded-proto', 'javascript'],
  ['x-http-method-override', 'DELETE'],
  ['x-request-id', 'é'.repeat(300)],
  ['accept', 'text/plain;q=x'],
  ['accept-encoding', 'gzip;q=0, *;q=0'],
  ['accept-language', 'ar-*;q=9'],
  ['last-event-id', '99999999999999999999'],
  ['user-agent', 'é\t'.repeat(1000)],
]

/** The input of an operation according to the document. */
function inputsOf(document: Document, route: Route) {
  const { parameters, requestBody } = operationOf(document, route)
  const inPlace = (place: string) =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema as Schema]))
  const content = requestBody?.content ?? {}
  return {
    params: inPlace('path'),
    query: inPlace('query'),
    headers: Object.keys(inPlace('header')).map((name) => name.toLowerCase()),
    body: content['application/json']?.schema as Schema | undefined,
    takesBytes: '*/*' in content,
  }
}

export function openRequests(document: Document, known: KnownValues) {
  const { read, fitting, mangled } = openFitting(document, known)
  const encoded = (schema: Schema, name: string, isValid: boolean) =>
    fitting(schema, isValid, name).map((value) => encodeURIComponent(String(value)))

  /** A name that tells the kind of record of a parameter: the segment before it, and the parameter's own name. */
  const nameOf = ({ path }: Route, parameter: string) =>
    `${singular(collectionOf(path.slice(0, path.indexOf(`/:${parameter}`))))}-${parameter}`

  function addressesOf(route: Route, params: Record<string, Schema>, isHostile: boolean) {
    const values = route.parameters.map((name) => {
      // An empty parameter would make a different path.
      const fits = encoded(params[name]!, nameOf(route, name), !isHostile).filter((text) => text !== '')
      return isHostile ? fc.oneof({ weight: 5, arbitrary: fits }, fc.constantFrom(...badIds)) : fits
    })
    return fc.tuple(...values).map((filled) => {
      const rest = [...filled]
      return route.address(() => rest.shift()!)
    })
  }

  const join = (pairs: (readonly [string, string])[]) => (pairs.length ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : '')
  /** A query whose parameters are all valid. */
  const fittingQuery = (query: Record<string, Schema>) =>
    fc
      .record(Object.fromEntries(Object.entries(query).map(([name, schema]) => [name, encoded(schema, name, true)])), { requiredKeys: [] })
      .map((values) => join(Object.entries(values) as [string, string][]))
  /** A query whose parameters are valid, invalid, duplicated or undeclared. */
  function anyQuery(query: Record<string, Schema>) {
    const known = Object.entries(query).map(([name, schema]) =>
      fc.tuple(fc.constant(name), fc.oneof({ weight: 2, arbitrary: encoded(schema, name, false) }, rawValues)),
    )
    const unknown = fc.tuple(fc.constantFrom(...oddNames.map(encodeURIComponent), 'x'), rawValues)
    return fc.array(fc.oneof(...known, unknown), { maxLength: 5 }).map(join)
  }

  /** Usually no header; otherwise one that the operation reads, or one that it must not trust. */
  function headersFor(names: string[]): fc.Arbitrary<Record<string, string>> {
    const own = names.flatMap((name) => (headerValues[name] ?? []).map((value) => [name, value] as const))
    const tags = fc.nat().map((n) => {
      const tags = known.tags()
      return tags[n % tags.length] ?? '"x"'
    })
    const byTag = names.filter((name) => name.startsWith('if-') && !name.endsWith('since'))
    return fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom(...oddHeaders).map((one) => Object.fromEntries([one])) },
      ...(own.length ? [{ weight: 3, arbitrary: fc.constantFrom(...own).map((one) => Object.fromEntries([one])) }] : []),
      ...(byTag.length
        ? [{ weight: 2, arbitrary: fc.tuple(fc.constantFrom(...byTag), tags).map((one) => Object.fromEntries([one])) }]
        : []),
    )
  }

  const bytes = {
    body: fc.constantFrom('', 'x', 'x'.repeat(1000), '\u0000', '{}'),
    type: fc.constantFrom('image/png', 'text/plain', 'application/json', 'x/y;', ''),
  }

  /** Requests by every kind of caller: valid ones, and ones with an invalid part. */
  function requestsOn(route: Route): fc.Arbitrary<Request> {
    const { params, query, headers, body, takesBytes } = inputsOf(document, route)
    const valid = fc.record({
      as: callers(6),
      path: fc.tuple(addressesOf(route, params, false), fittingQuery(query)).map((parts) => parts.join('')),
      headers: headersFor(headers),
      ...(body && { body: fitting(body, true).map((value) => JSON.stringify(value)), type: fc.constant('application/json') }),
      ...(takesBytes && bytes),
    })
    const hostile = fc.record({
      as: callers(2),
      path: fc.tuple(addressesOf(route, params, true), anyQuery(query)).map((parts) => parts.join('')),
      headers: headersFor(headers),
      ...(body && {
        body: fc.oneof(
          { weight: 3, arbitrary: fitting(body, false).map((value) => JSON.stringify(value)) },
          { weight: 7, arbitrary: mangled(body) },
          { weight: 1, arbitrary: nasty },
          { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
        ),
        type: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'application/json;charset=latin1'),
      }),
      ...(takesBytes && bytes),
    })
    return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: hostile })
  }

  /** The fields that the body of an operation may have. */
  function fieldsOf(route: Route) {
    const { body } = inputsOf(document, route)
    return body ? Object.keys(read(body).properties ?? {}) : []
  }
  return { requestsOn, fieldsOf }
}
