import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { addPasskey, addTotp, assertionOf, codeOf, wrongCode } from '../../../test/factors.ts'
import { Client, PASSWORD, testPortal } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'

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

test('the fifth wrong code silently ends the waiting sign-in, and the person can begin a new one', async () => {
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

test('ten wrong codes within a quarter of an hour block an account’s codes at all instances, also after a password reset', async () => {
  const [one, other] = [await portal.person('besieged'), await portal.another()]
  const { secret } = await addTotp(one)
  for (const base of [portal.base, other.base]) {
    const browser = await waiting(one, PASSWORD, base)
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => answerOf(browser, wrongCode(secret))))
    assert.ok(answers.every(isRefused))
  }
  assert.ok(isRefused(await answerOf(await waiting(one), codeOf(secret))))

  for (const mailed of [true, false]) {
    const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${one.id}/issue-reset-link`)).body
    await portal.meddle('user', one.id, `update password_resets set mailed = ${mailed} where user_id = ${one.id}`)
    const token = new URL(resetUrl).searchParams.get('token')
    await portal.stranger().post('/auth/reset-password', { token, newPassword: 'another one' })
    assert.ok(isRefused(await answerOf(await waiting(one, 'another one'), codeOf(secret))))
  }
})

test('an administrator who removes a person’s factors also resets their counted tries', async () => {
  const one = await portal.person('freed')
  const { secret } = await addTotp(one)
  for (const browser of [await waiting(one), await waiting(one)]) for (let n = 0; n < 5; n++) await answerOf(browser, wrongCode(secret))
  assert.equal((await portal.admin.delete(`/users/${one.id}/factors`)).status, 204)
  const again = await portal.stranger().signIn('freed')
  assert.ok((await addTotp(again)).secret)
})

test('a used code that is sent again does not count as a wrong try, even many times at once', async () => {
  const one = await portal.person('eager')
  const { secret, recoveryCodes } = await addTotp(one)
  const statuses = async (act: () => Promise<{ status: number }>) =>
    (await Promise.all(Array.from({ length: 12 }, act))).filter(({ status }) => status === 200).length
  const code = codeOf(secret)
  const browsers = await Promise.all(Array.from({ length: 4 }, () => waiting(one)))
  const signIns = browsers.flatMap((browser) => [1, 2, 3].map(() => browser.post('/auth/login/second-factor', { code })))
  assert.equal((await Promise.all(signIns)).filter(({ status }) => status === 200).length, 1)
  mock.timers.setTime(Date.now() + 30_000)
  const next = codeOf(secret)
  assert.equal(await statuses(() => one.post('/auth/me/confirm', { code: next })), 1)
  assert.equal(await statuses(() => one.post('/auth/me/confirm', { recoveryCode: recoveryCodes![0] })), 1)
  mock.timers.setTime(Date.now() + 30_000)
  assert.equal(await answerOf(await waiting(one), codeOf(secret)), 200)

  const enrolling = await portal.person('keen')
  const fresh = (await enrolling.post('/auth/me/totp')).body.secret
  const proof = codeOf(fresh, -1)
  assert.equal(await statuses(() => enrolling.post('/auth/me/totp/confirm', { code: proof })), 1)
  assert.equal(await answerOf(await waiting(enrolling), codeOf(fresh)), 200)
})

test('a passkey answer that is sent again does not count as a wrong try, nor as a sign of a copied passkey', async () => {
  const one = await portal.person('tapping')
  const { authenticator } = await addPasskey(one)
  const assertion = await assertionOf(one, authenticator, 'confirm', { counter: 7 })
  const answers = await Promise.all(Array.from({ length: 12 }, () => one.post('/auth/me/confirm', { assertion })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const again = await assertionOf(one, authenticator, 'confirm', { counter: 8 })
  assert.equal((await one.post('/auth/me/confirm', { assertion: again })).status, 200)
})

test('each kind of act on one’s own factors, password, tokens and sessions is limited to a hundred an hour', async () => {
  const one = await portal.person('untiring', { roles: ['admin'] })
  const program = await addProgram(portal, 'printing')
  const { passkey } = await addPasskey(one)
  const name = () => crypto.randomUUID().slice(0, 20)
  const acts: Record<string, () => Promise<{ status: number }>> = {
    rename: () => one.patch(`/auth/me/passkeys/${passkey.id}`, { name: name() }),
    codes: () => one.post('/auth/me/recovery-codes'),
    totp: () => one.post('/auth/me/totp'),
    password: () => one.post('/auth/me/password', { newPassword: PASSWORD }),
    token: async () => {
      const made = await one.post('/auth/me/tokens', { name: name(), scopes: ['profile:read'] })
      if (made.status === 201) await one.delete(`/auth/me/tokens/${made.body.id}`)
      return made
    },
  }
  for (const [kind, act] of Object.entries(acts)) {
    const statuses: number[] = []
    for (let n = 0; n < 101; n++) statuses.push((await act()).status)
    assert.deepEqual([kind, statuses.indexOf(429)], [kind, 100])
  }
  const ofProgram = await one.post(`/service-accounts/${program.id}/tokens`, { name: 'CI', scopes: ['profile:read'] })
  assert.deepEqual([ofProgram.status, ofProgram.body.code], [429, 'rate_limited'])
  const directory = (await one.post('/admin/provisioning/sources', { name: 'directory' })).body
  const ofSource = await one.post(`/admin/provisioning/sources/${directory.id}/tokens`, { name: 'Directory' })
  assert.deepEqual([ofSource.status, ofSource.body.code], [429, 'rate_limited'])
  const other = await portal.person('confirming')
  const confirm = () => other.post('/auth/me/confirm', { password: PASSWORD })
  for (let n = 0; n < 100; n++) assert.equal((await confirm()).status, 200)
  assert.equal((await confirm()).status, 429)
})

test('right codes are not counted', async () => {
  const one = await portal.person('frequent')
  const { secret } = await addTotp(one)
  for (let n = 0; n < 12; n++) {
    assert.equal(await answerOf(await waiting(one), codeOf(secret)), 200)
    mock.timers.setTime(Date.now() + 30_000)
  }
})

test('a hundred wrong passkeys block the address they come from', async () => {
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

test('after ten wrong codes for a new app, even the right one is refused', async () => {
  const one = await portal.person('enrolling')
  const { secret } = (await one.post('/auth/me/totp')).body
  const prove = async (code: string) => (await one.post('/auth/me/totp/confirm', { code })).body.code
  for (let n = 0; n < 10; n++) assert.equal(await prove(wrongCode(secret)), 'invalid_factor')
  assert.equal(await prove(codeOf(secret)), 'rate_limited')
})

test('after a hundred sign-ins within an hour, another sign-in is refused even with a second factor', async () => {
  const one = await portal.person('busy')
  const { secret } = await addTotp(one)
  await portal.sql(
    `insert into sessions (token_hash, user_id, expires_at) select 'busy-' || n, ${one.id}, now() + interval '1 day' from generate_series(1, 100) as n`,
  )
  const answer = await (await waiting(one)).post('/auth/login/second-factor', { code: codeOf(secret) })
  assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
})
