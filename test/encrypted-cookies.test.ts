/** Cookies that only the portal can read and write, set and read by commands that exist only here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { unchanged } from '../server/platform/changes/outcome.ts'
import { refuse } from '../server/platform/errors/refusal.ts'
import { command } from '../server/platform/http/endpoint.ts'
import { Line, Nothing, Shape } from '../server/platform/http/shape.ts'
import { testPortal } from './portal.ts'
import { servingOnly } from './serve-only.ts'

const serveOnly = servingOnly(() => portal.instance)
const serveOnlySecurely = servingOnly(() => secure.instance)
const portal = testPortal()
const secure = testPortal({ PUBLIC_URL: 'https://portal.example.org', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

/** Stores a value in a cookie, refuses after that, clears the cookie, or answers with its value. */
const trying = command('POST /try', {
  summary: 'Try',
  allow: 'anyone',
  body: Shape({
    keep: Type.Optional(Line({ max: 10 })),
    isRefused: Type.Optional(Type.Boolean()),
    refusalKeeps: Type.Optional(Type.Boolean()),
    clears: Type.Optional(Type.Boolean()),
  }),
  reply: Shape({ kept: Type.Union([Type.String(), Type.Null()]) }),
  run: async ({ body: { keep, isRefused, refusalKeeps, clears }, cookie, request }) => {
    if (refusalKeeps) cookie.set('a session that begins')
    if (refusalKeeps) refuse('forbidden', { cookies: { portal_try: keep ? { value: { keep }, seconds: 300 } : null } })
    if (keep) cookie.setEncrypted('portal_try', { keep }, 300)
    if (isRefused) refuse('forbidden')
    if (clears) cookie.clearEncrypted('portal_try')
    const value = request.encryptedCookie('portal_try') as { keep: string } | undefined
    return unchanged({ kept: value?.keep ?? null })
  },
})

for (const [what, serve, name, attributes] of [
  ['a key of the database', serveOnly, 'portal_try', 'Max-Age=300; Path=/; HttpOnly; SameSite=Lax'],
  ['SECRETS_KEY', serveOnlySecurely, '__Host-portal_try', 'Max-Age=300; Path=/; HttpOnly; Secure; SameSite=Lax'],
] as const)
  test(`with ${what}, a command stores a value in the browser and reads it again`, async () => {
    const app = await serve(trying)
    const send = async (payload: object, cookie = '') => {
      const { headers, body } = await app.inject({ method: 'POST', url: '/api/try', payload, headers: { cookie } })
      return { set: [headers['set-cookie'] ?? []].flat(), body: JSON.parse(body) }
    }
    const { set, body } = await send({ keep: 'hunter2' })
    assert.equal(body.kept, null)
    const [pair, ...rest] = set[0]!.split('; ')
    assert.deepEqual([set.length, rest.join('; ')], [1, attributes])
    assert.match(pair!, new RegExp(`^${name}=[\\w-]+$`))
    assert.ok(!Buffer.from(pair!.split('=')[1]!, 'base64url').includes('hunter2'))

    assert.equal((await send({}, pair)).body.kept, 'hunter2')
    assert.equal((await send({}, `${pair}x`)).body.kept, null)
    assert.equal((await send({}, pair!.replace('portal_try', 'portal_other'))).body.kept, null)

    const refused = await send({ keep: 'other', isRefused: true }, pair)
    assert.deepEqual([refused.body.code, refused.set], ['forbidden', []])
    const kept = await send({ keep: 'other', refusalKeeps: true }, pair)
    assert.deepEqual([kept.body.code, kept.set.length], ['forbidden', 1])
    assert.equal((await send({}, kept.set[0]!.split(';')[0])).body.kept, 'other')
    const emptied = await send({ refusalKeeps: true }, pair)
    assert.match(emptied.set.join(), new RegExp(`^${name}=; .*Expires=Thu, 01 Jan 1970`))
    const cleared = await send({ clears: true }, pair)
    assert.match(cleared.set.join(), new RegExp(`^${name}=; .*Expires=Thu, 01 Jan 1970`))
  })

test('an instance reads the cookies of other instances of its portal, but not of another portal', async () => {
  const other = await portal.another()
  const text = portal.instance.encryptedCookies.encrypt('portal_try', 'x', 60)
  assert.equal(other.encryptedCookies.decrypt('portal_try', text), 'x')
  assert.equal(secure.instance.encryptedCookies.decrypt('portal_try', text), undefined)
})

test('without SECRETS_KEY, a command that stores an encrypted value answers 503', async () => {
  const storing = command('POST /try', {
    summary: 'Try',
    allow: 'anyone',
    status: 204,
    reply: Nothing,
    run: async ({ secrets }) => {
      secrets.encrypt({ table: 'things', column: 'secret', row: 1 }, 'hunter2')
      return unchanged(null)
    },
  })
  const answerOf = async (serve: typeof serveOnly) => {
    const { statusCode, body } = await (await serve(storing)).inject({ method: 'POST', url: '/api/try' })
    return [statusCode, body && JSON.parse(body).code]
  }
  assert.deepEqual(await answerOf(serveOnly), [503, 'secrets_not_configured'])
  assert.deepEqual(await answerOf(serveOnlySecurely), [204, ''])
})
