import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { addPasskey, addTotp, assertionOf, codeOf, wrongCode } from '../../../test/factors.ts'
import { type Answer, type Client, PASSWORD, testPortal } from '../../../test/portal.ts'

const env = { SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') }
const portal = testPortal(env)
const limited = testPortal({ ...env, RATE_LIMITS: 'on' })

mock.timers.enable({ apis: ['Date'], now: Date.now() })

const outcome = ({ status, body }: Answer) => (status < 300 ? String(status) : `${status} ${body.code}`)
const confirm = (one: Client, body: object) => one.post('/auth/me/confirm', body)
const security = async (one: Client) => (await one.get('/auth/me/security')).body
const unconfirm = ({ id }: Client) =>
  portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes', level = 1 where user_id = ${id}`)

test('somebody with a factor confirms by code, recovery code or passkey, not by password, and the session then has two factors', async () => {
  const huda = await portal.person('huda')
  const { secret, recoveryCodes } = await addTotp(huda)
  const { authenticator } = await addPasskey(huda)
  const proofs: [with_: string, prove: () => Promise<object>][] = [
    ['totp', async () => ({ code: codeOf(secret) })],
    ['recovery_code', async () => ({ recoveryCode: recoveryCodes![0] })],
    ['passkey', async () => ({ assertion: await assertionOf(huda, authenticator, 'confirm') })],
  ]
  for (const [way, prove] of proofs) {
    await unconfirm(huda)
    const refused = await huda.delete('/auth/me/totp')
    assert.deepEqual([outcome(refused), refused.body.methods], ['403 confirmation_required', ['passkey', 'totp']])
    const byPassword = await confirm(huda, { password: PASSWORD })
    assert.deepEqual([outcome(byPassword), byPassword.body.methods], ['403 confirmation_required', ['passkey', 'totp']])
    assert.equal(outcome(await confirm(huda, await prove())), '200', way)
    const { level, confirmedUntil } = await security(huda)
    assert.deepEqual([level, typeof confirmedUntil], [2, 'string'])
    const [{ facts }] = (await portal.sql<{ facts: object }>(
      `select facts from ledger where kind = 'session.confirmed' and target_id = ${huda.id} order by id desc limit 1`,
    )) as [{ facts: object }]
    assert.deepEqual(facts, { with: way })
  }
  const { passkeyCount, totpSince, recoveryCodesLeft } = await security(huda)
  assert.deepEqual([passkeyCount, typeof totpSince, recoveryCodesLeft], [1, 'string', 9])
})

test('a factor that is wrong, used or somebody else’s confirms nothing, and leaves the session as it is', async () => {
  const [one, other] = [await portal.person('one'), await portal.person('other')]
  const { secret, recoveryCodes } = await addTotp(one)
  const { authenticator } = await addPasskey(one)
  const { authenticator: others } = await addPasskey(other)
  await confirm(one, { code: codeOf(secret) })
  await confirm(one, { recoveryCode: recoveryCodes![0] })
  await unconfirm(one)
  for (const body of [
    { code: codeOf(secret) },
    { code: wrongCode(secret) },
    { recoveryCode: recoveryCodes![0] },
    { assertion: await assertionOf(one, others, 'confirm') },
    { assertion: await assertionOf(one, authenticator, 'sign_in') },
    { assertion: await assertionOf(one, authenticator, 'confirm', { turnsBit: true }) },
  ])
    assert.equal(outcome(await confirm(one, body)), '400 invalid_factor', JSON.stringify(body))
  assert.equal((await one.get('/auth/me')).status, 200)
  assert.deepEqual([(await security(one)).confirmedUntil, (await security(one)).level], [null, 1])
})

test('a passkey confirms the session that asked for it, and no other session of its person', async () => {
  const one = await portal.person('desk')
  const { authenticator } = await addPasskey(one)
  const phone = portal.stranger()
  await phone.post('/auth/passkeys/sign-in', { assertion: await assertionOf(phone, authenticator) })
  await unconfirm(one)
  const assertion = await assertionOf(one, authenticator, 'confirm')
  phone.kept = new Map(one.kept)
  assert.equal(outcome(await confirm(phone, { assertion })), '400 invalid_factor')
  assert.equal(outcome(await confirm(one, { assertion })), '200')
  assert.deepEqual([(await security(phone)).confirmedUntil, (await security(phone)).level], [null, 1])
})

test('a confirmation with two proofs, or with a malformed one, is refused', async () => {
  const one = await portal.person('undecided')
  await addTotp(one)
  for (const body of [{ code: '000000', password: PASSWORD }, { code: '000000', recoveryCode: 'x' }, { assertion: {} }])
    assert.equal(outcome(await confirm(one, body)), '400 validation_failed', JSON.stringify(body))
})

test('of two simultaneous confirmations with one code, one succeeds', async () => {
  const other = await portal.another()
  const one = await portal.person('shared')
  const { secret } = await addTotp(one)
  const copy = Object.assign(portal.stranger(), { base: other.base, cookie: one.cookie })
  const answers = await Promise.all([one, copy].map((each) => confirm(each, { code: codeOf(secret) })))
  assert.deepEqual(answers.map(outcome).toSorted(), ['200', '400 invalid_factor'])
})

test('after ten wrong codes in a quarter of an hour, in confirmations and sign-ins, the right one is refused as well', async () => {
  const one = await limited.person('guessing')
  const { secret } = await addTotp(one)
  const browser = limited.stranger()
  await browser.post('/auth/login', { username: 'guessing', password: PASSWORD })
  for (let n = 0; n < 4; n++) await browser.post('/auth/login/second-factor', { code: wrongCode(secret) })
  for (let n = 0; n < 6; n++) assert.equal(outcome(await confirm(one, { code: wrongCode(secret) })), '400 invalid_factor')
  const spent = await confirm(one, { code: codeOf(secret) })
  assert.equal(outcome(spent), '429 rate_limited')
  assert.ok(Number(spent.headers.get('retry-after')) > 800)
  assert.equal(outcome(await browser.post('/auth/login/second-factor', { code: codeOf(secret) })), '401 invalid_factor')
})
