/** How calls arrive: by navigation, and with bodies that are not JSON; tested with endpoints that exist only here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { unchanged } from '../server/platform/changes/outcome.ts'
import { command } from '../server/platform/http/endpoint.ts'
import { Line, Named, Nothing, Onward, Shape } from '../server/platform/http/shape.ts'
import { documentOf } from '../server/platform/openapi/document.ts'
import { testPortal } from './portal.ts'
import { servingOnly } from './serve-only.ts'

const serveOnly = servingOnly(() => portal.instance)
const portal = testPortal()

const callback = (status: 303 | 204 = 303) =>
  command('GET /callback', {
    summary: 'Come back',
    description: 'Comes back.',
    allow: 'anyone',
    status,
    reply: status === 303 ? Onward : Nothing,
    run: async () => unchanged(status === 303 ? '/' : null),
  })

const crossSite = { 'sec-fetch-site': 'cross-site' }
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const ways: [what: string, headers: Record<string, string>, isMade: boolean][] = [
  ['a navigation from another site', { ...crossSite, ...navigation }, true],
  ['a navigation from another site that names an origin', { ...crossSite, ...navigation, origin: 'null' }, true],
  ['a navigation from a sister site', { 'sec-fetch-site': 'same-site', ...navigation }, true],
  ['a browser that says nothing', {}, true],
  ['a page of the portal', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, true],
  ['a frame in another site', { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
  ['an object in another site', { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'object' }, false],
  ['a script of another site', { ...crossSite, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, false],
  ['a call of another site', { ...crossSite, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, false],
  ['a call of another origin', { origin: 'https://elsewhere.example' }, false],
]

test('an endpoint that redirects accepts a navigation from any site, but no other request from another site', async () => {
  const app = await serveOnly(callback())
  for (const [what, headers, isMade] of ways) {
    const { statusCode, body } = await app.inject({ url: '/api/callback', headers })
    assert.deepEqual([statusCode, body && JSON.parse(body).code], isMade ? [303, ''] : [403, 'foreign_origin'], what)
  }
})

test('a GET command that does not redirect refuses a navigation from another site', async () => {
  const app = await serveOnly(callback(204))
  const { statusCode } = await app.inject({ url: '/api/callback', headers: { ...crossSite, ...navigation } })
  assert.equal(statusCode, 403)
})

test('a POST command refuses a navigation from another site even if it redirects', async () => {
  const app = await serveOnly({ ...callback(), at: 'POST /callback' })
  const { statusCode } = await app.inject({ method: 'POST', url: '/api/callback', headers: { ...crossSite, ...navigation } })
  assert.equal(statusCode, 403)
})

test('a command that redirects answers 303 with the address and its cookies, and without a body', async () => {
  const onward = command('GET /callback', {
    summary: 'Come back',
    description: 'Comes back.',
    allow: 'anyone',
    status: 303,
    reply: Onward,
    run: async ({ cookie }) => {
      cookie.setEncrypted('portal_try', { n: 1 }, 60)
      return unchanged('/orders/7?from=%D9%86')
    },
  })
  const app = await serveOnly(onward)
  const { statusCode, headers, body } = await app.inject({ url: '/api/callback', headers: { ...crossSite, ...navigation } })
  assert.deepEqual([statusCode, headers.location, body, headers['content-type']], [303, '/orders/7?from=%D9%86', '', undefined])
  assert.match(String(headers['set-cookie']), /^portal_try=/)
  const { paths } = documentOf([{ ...onward, ...listed }], { cookie: 'portal_session' })
  const answers = paths['/callback']!['get']!['responses'] as Record<string, { headers: object; content?: object }>
  assert.deepEqual(Object.keys(answers['303']!.headers).toSorted(), ['Location', 'X-Request-Id'])
  assert.equal(answers['303']!.content, undefined)
})

const Tried = Named('Tried', Shape({ token: Line({ max: 20_000 }), more: Type.Optional(Line({ max: 10 })) }), { token: 'abc' })
const FORM = 'application/x-www-form-urlencoded'
const taking = (...takes: ('application/json' | typeof FORM)[]) =>
  command('POST /try', {
    summary: 'Try',
    description: 'Tries.',
    allow: 'anyone',
    ...(takes.length > 0 && { takes }),
    body: Tried,
    reply: Tried,
    run: async ({ body }) => unchanged(body),
  })

/** Serves the endpoint; returns a function that sends bodies to it. */
async function sendingTo(endpoint: ReturnType<typeof taking>) {
  const app = await serveOnly(endpoint)
  return async (type: string, payload: string) => {
    const answer = await app.inject({ method: 'POST', url: '/api/try', headers: { 'content-type': type }, payload })
    const body = JSON.parse(answer.body)
    return { status: answer.statusCode, body, outcome: [answer.statusCode, body.code, body.details?.[0].rule] }
  }
}

test('an endpoint that takes a form reads it and checks its shape', async () => {
  const send = await sendingTo(taking(FORM))
  const { status, body } = await send(`${FORM}; charset=UTF-8`, 'token=a%20b&more=%D9%86&unknown=1')
  assert.deepEqual([status, body], [200, { token: 'a b', more: 'ن' }])
  assert.deepEqual((await send(FORM.toUpperCase(), 'token=x')).status, 200)
  assert.deepEqual((await send(FORM, 'more=x')).outcome, [400, 'validation_failed', 'required'])
  assert.deepEqual((await send(FORM, 'token=x&more=12345678901')).outcome, [400, 'validation_failed', 'maxLength'])
  assert.deepEqual((await send(FORM, 'token=x&token=x')).outcome, [400, 'validation_failed', 'uniqueItems'])
  assert.deepEqual((await send(FORM, '')).outcome, [400, 'validation_failed', 'type'])
})

test('a form has at most 16 KiB and 20 fields', async () => {
  const send = await sendingTo(taking(FORM))
  const most = 16 * 1024 - 'token='.length
  assert.equal((await send(FORM, `token=${'x'.repeat(most)}`)).status, 200)
  assert.deepEqual((await send(FORM, `token=${'x'.repeat(most + 1)}`)).outcome, [413, 'too_large', undefined])
  const fields = (count: number) => ['token=x', ...Array.from({ length: count - 1 }, (_, n) => `f${n}=`)].join('&')
  assert.equal((await send(FORM, fields(20))).status, 200)
  assert.deepEqual((await send(FORM, fields(21))).outcome, [400, 'validation_failed', 'maxValues'])
})

test('other media types get 415, and the answer names those that are accepted', async () => {
  const refusalOf = async (...takes: Parameters<typeof taking>) => {
    const { outcome, body } = await (await sendingTo(taking(...takes)))('text/plain', 'token=x')
    return [...outcome.slice(0, 2), body.messageEn, body.messageAr]
  }
  const refused = [415, 'unsupported_media_type']
  assert.deepEqual(await refusalOf(), [...refused, 'Only JSON is accepted.', 'لا تُقبل البيانات إلا بصيغة JSON.'])
  assert.deepEqual(await refusalOf(FORM), [...refused, `Only ${FORM} is accepted.`, `لا تُقبل البيانات إلا بصيغة ${FORM}.`])
  const both = await sendingTo(taking('application/json', FORM))
  assert.deepEqual([(await both('application/json', '{"token":"x"}')).status, (await both(FORM, 'token=x')).status], [200, 200])
  assert.equal((await (await sendingTo(taking(FORM)))('application/json', '{"token":"x"}')).status, 415)
  assert.equal((await (await sendingTo(taking()))(FORM, 'token=x')).status, 415)
})

const listed = { operationId: 'try', tag: { name: 'try', description: 'Tried here' } }

test('the document names the accepted media types with their bounds, and the endpoints for navigations', () => {
  const { paths, components } = documentOf(
    [
      { ...taking('application/json', FORM), ...listed },
      { ...callback(), ...listed, operationId: 'callback' },
    ],
    { cookie: 'portal_session' },
  )
  const { content, description } = paths['/try']!['post']!['requestBody'] as { content: object; description: string }
  assert.deepEqual(Object.keys(content), ['application/json', FORM])
  const [refused] = Object.entries(components.responses).filter(([name]) => name.startsWith('UnsupportedMediaType'))
  assert.equal(
    (refused![1] as { description: string }).description,
    `\`unsupported_media_type\`: Only application/json or ${FORM} is accepted.`,
  )
  assert.match(description, /JSON on at most 16 levels\. A form has at most 16 KiB and 20 fields, none of them twice\.$/)
  assert.match(String(paths['/callback']!['get']!['description']), /may come from anywhere\.$/)
})
