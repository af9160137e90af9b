import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { type Algorithm, type Authenticator, type Lie, newAuthenticator } from '../../../test/authenticator.ts'
import { addPasskey, addTotp, assertionOf, ORIGIN } from '../../../test/factors.ts'
import { type Answer, Client, PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

mock.timers.enable({ apis: ['Date'], now: Date.now() })
const pass = (seconds: number) => mock.timers.setTime(Date.now() + seconds * 1000)

const signInWith = (browser: Client, assertion: object) => browser.post('/auth/passkeys/sign-in', { assertion })
/** Signs in with a passkey, by default in a new browser. */
async function signIn(authenticator: Authenticator, lie: Lie = {}, browser = portal.stranger()) {
  return signInWith(browser, await assertionOf(browser, authenticator, 'sign_in', lie))
}
const outcome = ({ status, body }: Answer) => (status < 300 ? String(status) : `${status} ${body.code}`)
const optionsFor = async (browser: Client, purpose: string) => (await browser.post('/auth/passkeys/options', { purpose })).body.options

test('the options for a new passkey contain neither the id nor the address of its person', async () => {
  const huda = await portal.person('huda', { displayNameEn: 'Huda' })
  const { status, body } = await huda.post('/auth/me/passkeys/options')
  const { challenge, user, ...options } = body.options
  assert.equal(status, 200)
  assert.match(challenge, /^[\w-]{43}$/)
  assert.equal(Buffer.from(user.id, 'base64url').length, 32)
  assert.deepEqual([user.name, user.displayName], ['huda', 'Huda'])
  assert.deepEqual(options, {
    rp: { id: 'localhost', name: options.rp.name },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  })
  const { authenticator } = await addPasskey(huda)
  const next = (await huda.post('/auth/me/passkeys/options')).body.options
  assert.deepEqual(next.excludeCredentials, [{ id: authenticator.id, type: 'public-key', transports: ['internal'] }])
  assert.equal((await addPasskey(huda)).passkey.recoveryCodes, null)
  const [{ handle }] = (await portal.sql<{ handle: Buffer }>(`select handle from users where id = ${huda.id}`)) as [{ handle: Buffer }]
  assert.equal(next.user.id, handle.toString('base64url'))
})

for (const algorithm of ['ES256', 'EdDSA', 'RS256'] satisfies Algorithm[])
  test(`a passkey that signs by ${algorithm} signs its person in with two factors`, async () => {
    const one = await portal.person(`signs-${algorithm}`)
    const { authenticator, passkey } = await addPasskey(one, newAuthenticator(ORIGIN, algorithm), 'مفتاحي')
    assert.deepEqual(await portal.sql(`select level from sessions where user_id = ${one.id}`), [{ level: 2 }])
    const browser = portal.stranger()
    const { status, body } = await signIn(authenticator, {}, browser)
    assert.deepEqual([status, body.id, browser.kept.size], [200, one.id, 0])
    const [session] = await portal.sql(
      `select level, confirmed_at is not null as "isConfirmed" from sessions where user_id = ${one.id} order by id desc limit 1`,
    )
    assert.deepEqual(session, { level: 2, isConfirmed: true })
    const [listed] = (await browser.get('/auth/me/passkeys')).body
    assert.deepEqual(
      [listed.id, listed.name, listed.isSynced, listed.transports, typeof listed.lastUsedAt],
      [passkey.id, 'مفتاحي', false, ['internal'], 'string'],
    )
  })

test('options for signing in name no passkey, and asking for them writes nothing', async () => {
  const before = await portal.sql('select pg_current_xact_id_if_assigned() as id, (select count(*) from used_once) as used')
  const { body } = await portal.stranger().post('/auth/passkeys/options', {})
  const { challenge, ...options } = body.options
  assert.match(challenge, /^[\w-]{43}$/)
  assert.deepEqual(options, { rpId: 'localhost', timeout: 300_000, userVerification: 'required', allowCredentials: [] })
  assert.deepEqual(await portal.sql('select pg_current_xact_id_if_assigned() as id, (select count(*) from used_once) as used'), before)
})

test('whatever is wrong with an assertion, the answer is the same', async () => {
  const [one, other, gone] = [await portal.person('one'), await portal.person('other'), await portal.person('gone')]
  const { authenticator } = await addPasskey(one)
  const { authenticator: others } = await addPasskey(other)
  const { authenticator: dismissed } = await addPasskey(gone)
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const stranger = newAuthenticator(ORIGIN)
  stranger.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: Buffer.alloc(32).toString('base64url') } })

  const browser = portal.stranger()
  const lies: [what: string, lie: Lie][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:3001' }],
    ['for another rpId', { rpId: 'evil.example' }],
    ['with another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['made for creating', { type: 'webauthn.create' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['without a verified person', { flags: 0b001 }],
    ['without a present person', { flags: 0b100 }],
    ['with impossible backup flags', { flags: 0b10101 }],
    ['with one bit turned', { turnsBit: true }],
    ['without a userHandle', { userHandle: null }],
    ['with the handle of somebody else', { userHandle: Buffer.alloc(32, 1).toString('base64url') }],
  ]
  const answers: [string, Answer][] = []
  for (const [what, lie] of lies) answers.push([what, await signIn(authenticator, lie, browser)])
  answers.push(['of an unknown credential', await signIn(stranger, {}, browser)])
  answers.push(['of an inactive person', await signIn(dismissed, {}, browser)])
  answers.push(['without a challenge', await signInWith(portal.stranger(), await assertionOf(browser, authenticator))])
  const swapped = await assertionOf(browser, authenticator)
  answers.push(['under the id of somebody else’s passkey', await signInWith(browser, { ...swapped, id: others.id, rawId: others.id })])
  answers.push(['with two ids', await signInWith(browser, { ...swapped, id: others.id })])
  for (const part of ['clientDataJSON', 'authenticatorData', 'signature'])
    for (const nonsense of ['AA', '!!', 'bnVsbA', 'e30']) {
      const broken = { ...swapped, response: { ...swapped.response, [part]: nonsense } }
      answers.push([`with ${nonsense} as ${part}`, await signInWith(browser, broken)])
    }
  const said = (await signInWith(portal.stranger(), swapped)).text
  for (const [what, { status, text, headers }] of answers) {
    assert.deepEqual([status, text], [401, said], what)
    assert.deepEqual(headers.getSetCookie(), [], what)
  }
  assert.equal(outcome(await signIn(authenticator, {}, browser)), '200')
})

test('an unknown passkey and an inactive person cost one check of a signature, as a known passkey does', async (t) => {
  const [one, gone] = [await portal.person('checked'), await portal.person('unchecked')]
  const [{ authenticator }, { authenticator: dismissed }] = [await addPasskey(one), await addPasskey(gone)]
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const stranger = newAuthenticator(ORIGIN)
  stranger.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'AA' } })
  const verify = t.mock.method(globalThis.crypto.subtle, 'verify')
  for (const [by, lie] of [
    [authenticator, {}],
    [authenticator, { turnsBit: true }],
    [stranger, {}],
    [dismissed, {}],
  ] as const) {
    verify.mock.resetCalls()
    await signIn(by, lie)
    assert.equal(verify.mock.callCount(), 1)
  }
})

test('a challenge is accepted once, at one instance or at two, and for five minutes', async () => {
  const one = await portal.person('hasty')
  // This passkey has no counter: otherwise the second use would be refused because of the counter.
  const { authenticator } = await addPasskey(one, newAuthenticator(ORIGIN), 'Phone', { counter: 0 })
  const other = await portal.another()
  for (let round = 0; round < 5; round++) {
    const browser = portal.stranger()
    const assertion = await assertionOf(browser, authenticator, 'sign_in', { counter: 0 })
    const copy = Object.assign(new Client(other.base), { kept: new Map(browser.kept) })
    const answers = await Promise.all([browser, copy].map((each) => signInWith(each, assertion)))
    assert.deepEqual(answers.map(outcome).toSorted(), ['200', '401 invalid_factor'])
    const late = Object.assign(portal.stranger(), { kept: new Map(copy.kept) })
    assert.equal(outcome(await signInWith(late, assertion)), '401 invalid_factor')
  }
  const [early, late] = [portal.stranger(), portal.stranger()]
  const [first, second] = [
    await assertionOf(early, authenticator, 'sign_in', { counter: 0 }),
    await assertionOf(late, authenticator, 'sign_in', { counter: 0 }),
  ]
  pass(299)
  assert.equal(outcome(await signInWith(early, first)), '200')
  pass(2)
  assert.equal(outcome(await signInWith(late, second)), '401 invalid_factor')
})

test('a challenge is accepted only for its purpose and in its session', async () => {
  const one = await portal.person('narrow')
  const { authenticator } = await addPasskey(one)
  assert.equal(outcome(await portal.stranger().post('/auth/passkeys/options', { purpose: 'confirm' })), '401 unauthorized')
  for (const purpose of ['second_factor', 'link'])
    assert.equal(outcome(await one.post('/auth/passkeys/options', { purpose })), '401 invalid_factor')
  const confirming = authenticator.get(await optionsFor(one, 'confirm'))
  assert.equal(outcome(await signInWith(one, confirming)), '401 invalid_factor')

  const elsewhere = portal.stranger()
  await signIn(authenticator, {}, elsewhere)
  const { options } = (await elsewhere.post('/auth/me/passkeys/options')).body
  const attestation = newAuthenticator(ORIGIN).create(options)
  const moved = Object.assign(portal.stranger(), { cookie: one.cookie, kept: new Map(elsewhere.kept) })
  assert.equal(outcome(await moved.post('/auth/me/passkeys', { name: 'Moved', attestation })), '400 invalid_factor')
  assert.equal(outcome(await elsewhere.post('/auth/me/passkeys', { name: 'Here', attestation })), '201')
  const asking = portal.stranger()
  const signing = newAuthenticator(ORIGIN).create({ ...(await optionsFor(asking, 'sign_in')), rp: { id: 'localhost' }, user: { id: 'AA' } })
  one.kept = new Map(asking.kept)
  assert.equal(outcome(await one.post('/auth/me/passkeys', { name: 'Other', attestation: signing })), '400 invalid_factor')
})

test('a forged or copied attestation makes no passkey', async () => {
  const one = await portal.person('liar')
  const lies: Lie[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { type: 'webauthn.get' },
    { crossOrigin: true },
    { flags: 0b001 },
    { flags: 0b100 },
  ]
  const add = async (attest: (options: Parameters<Authenticator['create']>[0]) => object) => {
    const { options } = (await one.post('/auth/me/passkeys/options')).body
    return outcome(await one.post('/auth/me/passkeys', { name: 'Lie', attestation: attest(options) }))
  }
  for (const lie of lies)
    assert.equal(await add((options) => newAuthenticator(ORIGIN).create(options, lie)), '400 invalid_factor', JSON.stringify(lie))
  const { id } = newAuthenticator(ORIGIN)
  assert.equal(await add((options) => ({ ...newAuthenticator(ORIGIN).create(options), id, rawId: id })), '400 invalid_factor')
  assert.deepEqual((await one.get('/auth/me/passkeys')).body, [])

  const { authenticator } = await addPasskey(one)
  const other = await portal.person('copier')
  const { options } = (await other.post('/auth/me/passkeys/options')).body
  const copied = authenticator.create(options)
  assert.equal(outcome(await other.post('/auth/me/passkeys', { name: 'Copy', attestation: copied })), '400 invalid_factor')
})

test('a challenge cannot make two passkeys', async () => {
  const one = await portal.person('maker')
  const { options } = (await one.post('/auth/me/passkeys/options')).body
  const kept = new Map(one.kept)
  const make = () => {
    one.kept = new Map(kept)
    return one.post('/auth/me/passkeys', { name: 'One', attestation: newAuthenticator(ORIGIN).create(options) })
  }
  assert.deepEqual([outcome(await make()), outcome(await make())], ['201', '400 invalid_factor'])
})

test('a passkey is refused if its counter does not grow, and accepted if it has no counter', async () => {
  const one = await portal.person('counting')
  const { authenticator } = await addPasskey(one)
  assert.equal(outcome(await signIn(authenticator, { counter: 10 })), '200')
  for (const counter of [9, 10, 1, 0]) assert.equal(outcome(await signIn(authenticator, { counter })), '401 invalid_factor')
  assert.equal(outcome(await signIn(authenticator, { counter: 11 })), '200')

  const { authenticator: synced } = await addPasskey(one, newAuthenticator(ORIGIN), 'Phone', { counter: 0, flags: 0b1_1101 })
  for (let n = 0; n < 3; n++) assert.equal(outcome(await signIn(synced, { counter: 0, flags: 0b1_1101 })), '200')
  const isSynced = async () => (await one.get('/auth/me/passkeys')).body.find(({ name }: { name: string }) => name === 'Phone').isSynced
  assert.equal(await isSynced(), true)
  assert.equal(outcome(await signIn(synced, { counter: 0, flags: 0b0_1101 })), '200')
  assert.equal(await isSynced(), false)
})

test('a second factor is completed by the person’s own passkey, but not by somebody else’s', async () => {
  const [one, other] = [await portal.person('holder'), await portal.person('intruder')]
  const { authenticator } = await addPasskey(one)
  const { authenticator: others } = await addPasskey(other)
  await addTotp(one)
  const browser = portal.stranger()
  const asked = await browser.post('/auth/login', { username: 'holder', password: PASSWORD })
  assert.deepEqual(asked.body.methods, ['totp', 'passkey', 'recovery_code'])
  const complete = async (by: Authenticator, purpose = 'second_factor') =>
    outcome(await browser.post('/auth/login/second-factor', { assertion: await assertionOf(browser, by, purpose) }))
  assert.equal(await complete(others), '401 invalid_factor')
  assert.equal(await complete(authenticator, 'sign_in'), '401 invalid_factor')
  assert.equal(await complete(authenticator), '200')
})

test('a challenge for a second factor is accepted only for the person and the purpose it was made for', async () => {
  const [one, other] = [await portal.person('first'), await portal.person('next')]
  const { authenticator } = await addPasskey(one)
  const { authenticator: others } = await addPasskey(other)
  for (const each of [one, other]) await addTotp(each)
  const browser = portal.stranger()
  const login = (username: string) => browser.post('/auth/login', { username, password: PASSWORD })
  const complete = async (assertion: object) => outcome(await browser.post('/auth/login/second-factor', { assertion }))
  await login('first')
  const forFirst = others.get(await optionsFor(browser, 'second_factor'))
  await login('next')
  assert.equal(await complete(forFirst), '401 invalid_factor')

  await login('first')
  const waiting = browser.kept.get('portal_pending')!
  const link = { for: 'link', id: 'x', userId: one.id, until: Date.now() + 600_000 }
  browser.kept.set('portal_pending', portal.instance.encryptedCookies.encrypt('portal_pending', link, 600))
  const forLink = authenticator.get(await optionsFor(browser, 'link'))
  browser.kept.set('portal_pending', waiting)
  assert.equal(await complete(forLink), '401 invalid_factor')
  assert.equal(await complete(authenticator.get(await optionsFor(browser, 'second_factor'))), '200')
})

test('somebody whose only factor is a passkey signs in by password alone, and is asked for the passkey when confirming', async () => {
  const one = await portal.person('both')
  await addPasskey(one)
  const browser = await portal.stranger().signIn('both', PASSWORD)
  const { level, confirmedUntil, methods } = (await browser.get('/auth/me/security')).body
  assert.deepEqual([level, confirmedUntil, methods], [1, null, ['passkey']])
  const { status, body } = await browser.post('/auth/me/passkeys/options')
  assert.deepEqual([status, body.code, body.methods], [403, 'confirmation_required', ['passkey']])
})

test('a removed passkey no longer signs in', async () => {
  const one = await portal.person('cleaner')
  const { authenticator, passkey } = await addPasskey(one)
  await one.delete(`/auth/me/passkeys/${passkey.id}`)
  assert.equal(outcome(await signIn(authenticator)), '401 invalid_factor')
})
