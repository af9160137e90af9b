import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { addTotp, codeOf, wrongCode } from '../../test/factors.ts'
import { Client, PASSWORD, testPortal } from '../../test/portal.ts'

const portal = testPortal({ RATE_LIMITS: 'on', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

mock.timers.enable({ apis: ['Date'], now: Date.now() })

async function waiting({ username }: Client, password = PASSWORD, base = portal.base) {
  const browser = new Client(base)
  assert.equal((await browser.post('/auth/login', { username, password })).body.code, 'second_factor_required')
  return browser
}
const answerOf = async (browser: Client, code: string) => {
  const { status, text, body } = await browser.post('/auth/login/second-factor', { code })
  return status === 200 ? 200 : { status, text, code: body.code }
}
const isRefused = (answer: Awaited<ReturnType<typeof answerOf>>) => typeof answer === 'object' && answer.code === 'invalid_factor'

test('the fifth wrong code silently ends the waiting sign-in, and another one can begin', async () => {
  const one = await portal.person('guessing')
  const { secret } = await addTotp(one)
  const browser = await waiting(one)
  const answers: Awaited<ReturnType<typeof answerOf>>[] = []
  for (let n = 0; n < 5; n++) answers.push(await answerOf(browser, wrongCode(secret)))
  answers.push(await answerOf(browser, codeOf(secret)))
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.ok(isRefused(answers[0]!))
  assert.equal(await answerOf(await waiting(one), codeOf(secret)), 200)
})

test('ten wrong codes of an account are the most in a quarter of an hour, over all sign-ins and instances, until a reset', async () => {
  const [one, other] = [await portal.person('besieged'), await portal.another()]
  const { secret } = await addTotp(one)
  for (const base of [portal.base, other.base]) {
    const browser = await waiting(one, PASSWORD, base)
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => answerOf(browser, wrongCode(secret))))
    assert.ok(answers.every(isRefused))
  }
  assert.ok(isRefused(await answerOf(await waiting(one), codeOf(secret))))

  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${one.id}/issue-reset-link`)).body
  const token = new URL(resetUrl).searchParams.get('token')
  await portal.stranger().post('/auth/reset-password', { token, newPassword: 'another one' })
  assert.equal(await answerOf(await waiting(one, 'another one'), codeOf(secret)), 200)
})

test('right codes are not counted', async () => {
  const one = await portal.person('frequent')
  const { secret } = await addTotp(one)
  for (let n = 0; n < 12; n++) {
    assert.equal(await answerOf(await waiting(one), codeOf(secret)), 200)
    mock.timers.setTime(Date.now() + 30_000)
  }
})

test('a hundred passkeys that are not right block their address', async () => {
  const browser = portal.stranger()
  const assertion = {
    id: 'AA',
    rawId: 'AA',
    type: 'public-key',
    response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
  }
  const send = () => browser.post('/auth/passkeys/sign-in', { assertion })
  const answers = await Promise.all(Array.from({ length: 100 }, send))
  assert.ok(answers.every(({ body }) => body.code === 'invalid_factor'))
  assert.equal((await send()).body.code, 'rate_limited')
})

test('ten wrong codes are the most in proving a new app, too', async () => {
  const one = await portal.person('enrolling')
  const { secret } = (await one.post('/auth/me/totp')).body
  const prove = async (code: string) => (await one.post('/auth/me/totp/confirm', { code })).body.code
  for (let n = 0; n < 10; n++) assert.equal(await prove(wrongCode(secret)), 'invalid_factor')
  assert.equal(await prove(codeOf(secret)), 'rate_limited')
})

test('a hundred sign-ins within an hour are the most with a second factor, too', async () => {
  const one = await portal.person('busy')
  const { secret } = await addTotp(one)
  await portal.sql(
    `insert into sessions (token_hash, user_id, expires_at) select 'busy-' || n, ${one.id}, now() + interval '1 day' from generate_series(1, 100) as n`,
  )
  const answer = await (await waiting(one)).post('/auth/login/second-factor', { code: codeOf(secret) })
  assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
})
