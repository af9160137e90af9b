import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { addPasskey, addTotp, codeOf } from '../../../test/factors.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { type Answer, Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { giveToken } from '../../../test/tokens.ts'
import { hashRecoveryCode, newRecoveryCodes } from './rules.ts'

const SECRETS_KEY = Buffer.alloc(32, 'k').toString('base64url')
const mailbox = await openMailbox()
const portal = testPortal({ SECRETS_KEY, SMTP_URL: mailbox.url })

mock.timers.enable({ apis: ['Date'], now: Date.now() })

const login = (client: Client, { username }: Client, password = PASSWORD) => client.post('/auth/login', { username, password })
async function waiting(person: Client, base = portal.base) {
  const browser = new Client(base)
  assert.equal((await login(browser, person)).body.code, 'second_factor_required')
  return browser
}
const recover = (browser: Client, recoveryCode: string) => browser.post('/auth/login/second-factor', { recoveryCode })
const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : body.code)
const mailsTo = (person: Client) => mailbox.received.filter(({ recipients }) => recipients.includes(`${person.username}@example.org`))

test('there are ten recovery codes of 80 bits each, in characters that nobody confuses', () => {
  const codes = newRecoveryCodes()
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10])
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
})

test('a recovery code is read in any case, without hyphens and spaces, and with letters that look like digits', () => {
  const stored = hashRecoveryCode('0123-4567-1111-ABCD')
  for (const typed of [
    '0123-4567-1111-abcd',
    '0123 4567 1111 ABCD',
    'o12345671111abcd',
    'O123-4567-IlLi-ABCD',
    ' 01-23456711-11ABCD ',
    '\u200f0123-4567-1111-ABCD\u200e',
    '٠١٢٣–٤٥٦٧—۱۱۱۱‐ABCD',
    '0123\u22124567\u00ad11\u200b11ABCD',
  ])
    assert.equal(hashRecoveryCode(typed), stored, typed)
  assert.notEqual(hashRecoveryCode('0123-4567-1111-ABCE'), stored)
})

test('a recovery code completes a sign-in once, and its person is told by notice and mail', async () => {
  const huda = await portal.person('huda', { preferredLanguage: 'en' })
  const { recoveryCodes } = await addTotp(huda)
  const [code, other] = recoveryCodes as [string, string]
  const browser = await waiting(huda)
  const traces = await portal.traces(async () => assert.equal(outcome(await recover(browser, code)), 200))
  assert.deepEqual(traces.notices, [{ user: huda.id, type: 'system', titleEn: 'A recovery code was used' }])
  const [notice] = (await huda.get('/notifications?limit=1')).body
  assert.deepEqual([notice.bodyEn.includes('Codes left: 9.'), notice.isRead], [true, false])
  const mail = await until('the mail has come', () => mailsTo(huda).find(({ subject }) => subject === 'A recovery code was used'))
  assert.ok(mail.text!.includes('Codes left: 9.') && mail.text!.includes('/account/security'))

  assert.equal(outcome(await recover(await waiting(huda), code)), 'invalid_factor')
  assert.equal(outcome(await recover(await waiting(huda), other.toLowerCase().replaceAll('-', ''))), 200)
})

test('of two simultaneous sign-ins with one recovery code at two instances, one succeeds', async () => {
  const second = await portal.another()
  for (let round = 0; round < 5; round++) {
    const one = await portal.person(`shared${round}`)
    const { recoveryCodes } = await addTotp(one)
    const browsers = [await waiting(one), await waiting(one, second.base)]
    const answers = await Promise.all(browsers.map((browser) => recover(browser, recoveryCodes![0]!)))
    assert.deepEqual(answers.map(outcome).toSorted(), [200, 'invalid_factor'])
  }
})

test('the database holds no recovery code, and a code opens nobody else’s account', async () => {
  const [one, other] = [await portal.person('owner'), await portal.person('other')]
  const { recoveryCodes } = await addTotp(one)
  await addTotp(other)
  const rows = JSON.stringify(await portal.sql(`select * from recovery_codes where user_id = ${one.id}`))
  for (const code of recoveryCodes!) assert.ok(!rows.includes(code) && !rows.includes(code.replaceAll('-', '')))
  assert.equal(outcome(await recover(await waiting(other), recoveryCodes![0]!)), 'invalid_factor')
})

test('new recovery codes replace the old ones, and only somebody with a factor can ask for them', async () => {
  const one = await portal.person('renewing')
  assert.equal((await one.post('/auth/me/recovery-codes')).body.code, 'invalid_transition')
  const { recoveryCodes: old } = await addTotp(one)
  const traces = await portal.traces(async () => assert.equal((await one.post('/auth/me/recovery-codes')).status, 200))
  assert.deepEqual(
    [traces.audit, traces.notices, traces.events],
    [
      [{ action: 'recovery_codes.replace', type: 'user', target: one.id, metadata: {} }],
      [],
      [{ event: 'security_changed', data: {}, to: [one.id] }],
    ],
  )
  const { body } = await one.post('/auth/me/recovery-codes')
  assert.equal(body.recoveryCodes.length, 10)
  assert.equal(outcome(await recover(await waiting(one), old![0]!)), 'invalid_factor')
  assert.equal(outcome(await recover(await waiting(one), body.recoveryCodes[9])), 200)
})

test('recovery codes come with the first factor and go with the last one', async () => {
  const one = await portal.person('manifold')
  const { passkey } = await addPasskey(one)
  assert.equal(passkey.recoveryCodes!.length, 10)
  assert.equal((await addTotp(one)).recoveryCodes, null)
  assert.equal((await addPasskey(one)).passkey.recoveryCodes, null)
  const left = async () => (await portal.sql(`select from recovery_codes where user_id = ${one.id}`)).length
  for (const path of ['totp', ...(await one.get('/auth/me/passkeys')).body.map(({ id }: { id: number }) => `passkeys/${id}`)]) {
    assert.equal(await left(), 10)
    assert.equal((await one.delete(`/auth/me/${path}`)).status, 204)
  }
  assert.equal(await left(), 0)
})

test('a password reset keeps the factors', async () => {
  const one = await portal.person('forgetful')
  const { secret } = await addTotp(one)
  await addPasskey(one)
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${one.id}/issue-reset-link`)).body
  const browser = portal.stranger()
  await browser.post('/auth/reset-password', { token: new URL(resetUrl).searchParams.get('token'), newPassword: 'another one' })
  const asked = await login(browser, one, 'another one')
  assert.deepEqual([asked.body.code, asked.body.methods], ['second_factor_required', ['totp', 'passkey', 'recovery_code']])
  assert.equal((await browser.post('/auth/login/second-factor', { code: codeOf(secret) })).status, 200)
})

test('an administrator removes every factor of a person, which ends all their sessions and tokens and notifies them', async () => {
  const one = await portal.person('lost', { preferredLanguage: 'ar' })
  await addTotp(one)
  await addPasskey(one)
  const token = await giveToken(portal, one.id)
  const second = await portal.another()
  const stream = await Object.assign(new Client(second.base), { cookie: one.cookie }).listen()
  const traces = await portal.traces(async () => assert.equal((await portal.admin.delete(`/users/${one.id}/factors`)).status, 204))
  assert.deepEqual((await stream.next('session_ended')).data, { reason: 'factors_changed' })
  assert.equal((await one.get('/auth/me')).status, 401)
  assert.deepEqual(await portal.sql(`select ended_at is not null as "isOver" from sessions where id = ${token.sessionId}`), [
    { isOver: true },
  ])
  assert.deepEqual(traces.notices, [{ user: one.id, type: 'system', titleEn: 'Your second factors were removed' }])
  assert.deepEqual(traces.audit, [
    {
      action: 'factor.reset',
      type: 'user',
      target: one.id,
      metadata: { username: 'lost', factors: [{ name: 'Laptop', factor: 'passkey' }, { factor: 'totp' }] },
    },
  ])
  await until('the mail has come', () => mailsTo(one).find(({ subject }) => subject === 'أُزيلت وسائل التحقق من حسابك'))
  assert.equal((await login(portal.stranger(), one)).status, 200)
  for (const table of ['totp', 'passkeys', 'recovery_codes'])
    assert.deepEqual(await portal.sql(`select from ${table} where user_id = ${one.id}`), [], table)
})

test('when an administrator removes the factors of somebody without any, the person stays signed in', async () => {
  const one = await portal.person('plain')
  const traces = await portal.traces(async () => assert.equal((await portal.admin.delete(`/users/${one.id}/factors`)).status, 204))
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
  assert.equal((await one.get('/auth/me')).status, 200)
  assert.equal((await portal.admin.delete('/users/2147483647/factors')).status, 404)
})

test('an administrator who removes their own factors is signed out', async () => {
  const chief = await portal.person('chief', { roles: ['admin'] })
  await addTotp(chief)
  assert.equal((await chief.delete(`/users/${chief.id}/factors`)).status, 204)
  assert.equal(chief.cookie, '')
})

test('deleting a person deletes their factors', async () => {
  const one = await portal.person('leaver')
  await addTotp(one)
  await addPasskey(one)
  assert.equal((await portal.admin.delete(`/users/${one.id}?force=true`)).status, 204)
  for (const table of ['totp', 'passkeys', 'recovery_codes'])
    assert.deepEqual(await portal.sql(`select from ${table} where user_id = ${one.id}`), [], table)
})
