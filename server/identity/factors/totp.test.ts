import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Secret } from 'otpauth'
import { addTotp, codeOf, wrongCode } from '../../../test/factors.ts'
import { runJob } from '../../../test/jobs.ts'
import { Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { holdNextTransaction } from '../../../test/race.ts'
import { fingerprintOf, totpUri } from './rules.ts'
import { stepOf } from './totp.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

// Time stands still unless a test moves it, so that no code expires during a test.
mock.timers.enable({ apis: ['Date'], now: Date.now() })
const pass = (seconds: number) => mock.timers.setTime(Date.now() + seconds * 1000)

const login = (client: Client, { username }: Client) => client.post('/auth/login', { username, password: PASSWORD })
const second = (client: Client, body: object) => client.post('/auth/login/second-factor', body)
/** A browser in which the person has signed in by password, and still has to show a factor. */
async function waiting(person: Client) {
  const browser = portal.stranger()
  assert.equal((await login(browser, person)).body.code, 'second_factor_required')
  return browser
}
const answerOf = async (browser: Client, body: object) => {
  const { status, body: answer } = await second(browser, body)
  return status === 200 ? 200 : answer.code
}
const levelOf = async (client: Client) => {
  const { body } = await client.get('/auth/me/sessions')
  const { id } = body.find(({ current }: { current: boolean }) => current)
  const [session] = await portal.sql(`select level, confirmed_at is not null as "isConfirmed" from sessions where id = ${id}`)
  return session
}

test('codes are those of RFC 6238', async () => {
  const secret = new Secret({ buffer: new Uint8Array(Buffer.from('12345678901234567890')).buffer }).base32
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(await stepOf(secret, code, null, seconds * 1000), Math.floor(seconds / 30), code)
})

test('codes are read with the digits and spaces of any keyboard, and nothing else is a code', async () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const typed of ['287082', ' 287 082 ', '٢٨٧٠٨٢', '۲۸۷۰۸۲']) assert.equal(await stepOf(secret, typed, null, 59_000), 1, typed)
  for (const typed of ['', '28708', '2870820', '287o82', '２８７０８２', '-287082', '2.87082'])
    assert.equal(await stepOf(secret, typed, null, 59_000), undefined, typed)
})

test('the address for the app names the site and the person, in any script', () => {
  assert.equal(
    totpUri({ site: 'Our: portal', username: 'sara', secret: 'AAAA' }),
    'otpauth://totp/Our%20%20portal:sara?secret=AAAA&issuer=Our%20%20portal&algorithm=SHA1&digits=6&period=30',
  )
  const uri = new URL(totpUri({ site: 'بوابة', username: 'سارة', secret: 'AAAA' }))
  assert.deepEqual([decodeURIComponent(uri.pathname), uri.searchParams.get('issuer')], ['/بوابة:سارة', 'بوابة'])
})

test('once a secret is proven, a sign-in asks for a code and begins a session of two factors', async () => {
  const huda = await portal.person('huda')
  const { body } = await huda.post('/auth/me/totp')
  assert.match(body.secret, /^[A-Z2-7]{32}$/)
  assert.equal(new URL(body.uri).searchParams.get('secret'), body.secret)
  assert.equal((await login(portal.stranger(), huda)).status, 200)
  assert.deepEqual(await levelOf(huda), { level: 1, isConfirmed: true })

  const proven = await huda.post('/auth/me/totp/confirm', { code: codeOf(body.secret) })
  assert.equal(proven.body.recoveryCodes.length, 10)
  assert.deepEqual(await levelOf(huda), { level: 2, isConfirmed: true })

  const browser = portal.stranger()
  const tenMinutesOn = async () => (await portal.sql<{ at: Date }>(`select clock_timestamp() + interval '10 minutes' as at`))[0]!.at
  const earliest = await tenMinutesOn()
  const asked = await login(browser, huda)
  assert.deepEqual([asked.status, asked.body.code, asked.body.methods], [401, 'second_factor_required', ['totp', 'recovery_code']])
  const expiresAt = new Date(asked.body.expiresAt)
  assert.ok(earliest <= expiresAt && expiresAt <= (await tenMinutesOn()))
  assert.deepEqual([browser.cookie, [...browser.kept.keys()]], ['', ['portal_pending']])
  const signedIn = await second(browser, { code: codeOf(body.secret, 1) })
  assert.deepEqual([signedIn.status, signedIn.body.id, [...browser.kept.keys()]], [200, huda.id, []])
  assert.deepEqual(await levelOf(browser), { level: 2, isConfirmed: true })
})

test('a code is accepted one step early or late, and no more', async () => {
  const one = await portal.person('punctual')
  const { secret } = await addTotp(one)
  const browser = await waiting(one)
  for (const steps of [-2, 2]) assert.equal(await answerOf(browser, { code: codeOf(secret, steps) }), 'invalid_factor')
  assert.equal(await answerOf(browser, { code: codeOf(secret, 1) }), 200)
  pass(60)
  assert.equal(await answerOf(await waiting(one), { code: codeOf(secret, 0) }), 200)
})

test('each code is accepted once, also the one that proved the secret, and no earlier code after it', async () => {
  const one = await portal.person('repeating')
  const { body } = await one.post('/auth/me/totp')
  await one.post('/auth/me/totp/confirm', { code: codeOf(body.secret) })
  assert.equal(await answerOf(await waiting(one), { code: codeOf(body.secret) }), 'invalid_factor')
  const browser = await waiting(one)
  assert.equal(await answerOf(browser, { code: codeOf(body.secret, 1) }), 200)
  for (const steps of [1, 0, -1]) assert.equal(await answerOf(await waiting(one), { code: codeOf(body.secret, steps) }), 'invalid_factor')
  pass(60)
  assert.equal(await answerOf(await waiting(one), { code: codeOf(body.secret) }), 200)
})

test('of two simultaneous sign-ins with one code at two instances, one succeeds', async () => {
  const other = await portal.another()
  for (let round = 0; round < 5; round++) {
    const one = await portal.person(`shared${round}`)
    const { secret } = await addTotp(one)
    const browsers = await Promise.all(
      [portal.base, other.base].map(async (base) => {
        const browser = new Client(base)
        await login(browser, one)
        return browser
      }),
    )
    const answers = await Promise.all(browsers.map((browser) => answerOf(browser, { code: codeOf(secret) })))
    assert.deepEqual(answers.toSorted(), [200, 'invalid_factor'])
  }
})

test('a waiting sign-in is completed once, even from a copy of its cookie', async () => {
  const one = await portal.person('twice')
  const { secret } = await addTotp(one)
  const browser = await waiting(one)
  const copy = Object.assign(portal.stranger(), { kept: new Map(browser.kept) })
  assert.equal(await answerOf(browser, { code: codeOf(secret) }), 200)
  assert.equal(await answerOf(copy, { code: codeOf(secret, 1) }), 'invalid_factor')
})

test('nobody completes a sign-in without the cookie, after ten minutes, or with a cookie of another kind', async () => {
  const one = await portal.person('impatient')
  const { secret } = await addTotp(one)
  assert.equal(await answerOf(portal.stranger(), { code: codeOf(secret) }), 'invalid_factor')
  const linking = portal.stranger()
  const [{ hash }] = (await portal.sql<{ hash: string }>(`select password_hash as hash from users where id = ${one.id}`)) as [
    { hash: string },
  ]
  const pending = { for: 'link', id: 'x', userId: one.id, fingerprint: fingerprintOf(hash), until: Date.now() + 600_000 }
  linking.kept.set('portal_pending', portal.instance.encryptedCookies.encrypt('portal_pending', pending, 600))
  assert.equal(await answerOf(linking, { code: codeOf(secret) }), 'invalid_factor')
  const browser = await waiting(one)
  pass(601)
  assert.equal(await answerOf(browser, { code: codeOf(secret) }), 'invalid_factor')
})

test('a new password or a deactivation voids a waiting sign-in', async () => {
  const [one, other] = [await portal.person('renewed'), await portal.person('dismissed')]
  const secrets = [(await addTotp(one)).secret, (await addTotp(other)).secret] as const
  const [browser, second] = [await waiting(one), await waiting(other)]
  await one.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'another one' })
  await portal.admin.patch(`/users/${other.id}`, { isActive: false })
  assert.equal(await answerOf(browser, { code: codeOf(secrets[0]) }), 'invalid_factor')
  assert.equal(await answerOf(second, { code: codeOf(secrets[1]) }), 'invalid_factor')
})

test('a second step without exactly one factor is refused', async () => {
  const one = await portal.person('undecided')
  await addTotp(one)
  const browser = await waiting(one)
  for (const [body, rule] of [
    [{}, 'required'],
    [{ code: '000000', recoveryCode: 'x' }, 'exclusive'],
  ] as const) {
    const { status, body: answer } = await second(browser, body)
    assert.deepEqual([status, answer.details?.[0]?.rule], [400, rule])
  }
})

test('a person has one authenticator app; a new secret replaces an unproven one, which expires after ten minutes', async () => {
  const one = await portal.person('single')
  const { body: first } = await one.post('/auth/me/totp')
  const { body: newer } = await one.post('/auth/me/totp')
  const send = (code: string) => one.post('/auth/me/totp/confirm', { code })
  const prove = (secret: string) => send(codeOf(secret))
  assert.deepEqual([(await prove(first.secret)).status, (await send(wrongCode(newer.secret))).status], [400, 400])
  assert.equal((await one.delete('/auth/me/totp')).status, 404)

  await portal.meddle('user', one.id, `update totp set created_at = now() - interval '10 minutes 1 second' where user_id = ${one.id}`)
  assert.equal((await prove(newer.secret)).body.code, 'invalid_factor')
  await runJob(portal, 'clean_up')
  assert.deepEqual(await portal.sql(`select from totp where user_id = ${one.id}`), [])

  await addTotp(one)
  const { status, body } = await one.post('/auth/me/totp')
  assert.deepEqual([status, body.code, body.quota], [409, 'quota_exceeded', 'totp'])
  assert.equal((await prove(newer.secret)).body.code, 'invalid_factor')
})

test('without the authenticator app, the password is enough again, and the recovery codes are gone', async () => {
  const one = await portal.person('relieved')
  await addTotp(one)
  const traces = await portal.traces(() => one.delete('/auth/me/totp'))
  assert.deepEqual(traces, {
    audit: [{ action: 'factor.remove', type: 'user', target: one.id, metadata: { factor: 'totp' } }],
    histories: [],
    notices: [{ user: one.id, type: 'system', titleEn: 'A second factor was removed' }],
    events: traces.events,
  })
  assert.deepEqual(
    traces.events.map(({ event, to }) => [event, to]),
    [
      ['notification_created', [one.id]],
      ['security_changed', [one.id]],
    ],
  )
  assert.equal((await one.delete('/auth/me/totp')).status, 404)
  assert.equal((await login(portal.stranger(), one)).status, 200)
  assert.deepEqual(await portal.sql(`select from recovery_codes where user_id = ${one.id}`), [])
})

test('a secret is stored encrypted, and its copy in another row cannot be decrypted', async () => {
  const [one, other] = [await portal.person('sealed'), await portal.person('thief')]
  const { secret } = await addTotp(one)
  await addTotp(other)
  const [{ stored }] = (await portal.sql<{ stored: Buffer }>(`select secret as stored from totp where user_id = ${one.id}`)) as [
    { stored: Buffer },
  ]
  assert.ok(!stored.includes(secret))
  await portal.meddle('user', other.id, `update totp set secret = '\\x${stored.toString('hex')}' where user_id = ${other.id}`)
  assert.equal((await second(await waiting(other), { code: codeOf(secret) })).status, 500)
})

test('a person whose secret is lost with its key signs in by recovery code', async () => {
  const one = await portal.person('locked')
  const { secret, recoveryCodes } = await addTotp(one)
  await portal.meddle('user', one.id, `update totp set secret = null where user_id = ${one.id}`)
  const browser = portal.stranger()
  assert.deepEqual((await login(browser, one)).body.methods, ['recovery_code'])
  assert.equal(await answerOf(browser, { code: codeOf(secret) }), 'invalid_factor')
  assert.equal(await answerOf(browser, { recoveryCode: recoveryCodes![0] }), 200)
  assert.equal((await browser.delete('/auth/me/totp')).status, 204)
  await addTotp(browser)
})

test('a new factor is announced on the person’s open pages, and recorded as their own act', async () => {
  const one = await portal.person('watchful')
  const stream = await one.listen()
  const { body } = await one.post('/auth/me/totp')
  await one.post('/auth/me/totp/confirm', { code: codeOf(body.secret) })
  await stream.next('security_changed')
  const { notification } = (await stream.next('notification_created')).data
  assert.deepEqual([notification.titleEn, notification.isRead], ['New second factor', false])
  stream.close()
  const [entry] = await portal.sql(
    `select action, actor_id as actor, facts from ledger where action = 'factor.add' and target_id = ${one.id}`,
  )
  assert.deepEqual(entry, { action: 'factor.add', actor: one.id, facts: { factor: 'totp' } })
})

test('a factor that is added while its owner signs in by password is asked for', async () => {
  const person = await portal.person('adding')
  const hold = holdNextTransaction()
  const browser = portal.stranger()
  const coming = login(browser, person)
  await until('its transaction is about to begin', () => hold.isHeld)
  const { secret } = await addTotp(person)
  hold.letGo()
  assert.equal((await coming).body.code, 'second_factor_required')
  assert.equal(await answerOf(browser, { code: codeOf(secret) }), 200)
})
