import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CreationOptions, newAuthenticator } from '../../../test/authenticator.ts'
import { addPasskey, assertionOf, ORIGIN } from '../../../test/factors.ts'
import { type Answer, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { holdNextTransaction } from '../../../test/race.ts'

const portal = testPortal()

const outcome = ({ status, body }: Answer) => (status < 300 ? String(status) : `${status} ${body.code}`)

test('passkeys are listed, renamed and removed by their person alone', async () => {
  const [one, other] = [await portal.person('keeper'), await portal.person('curious')]
  const { passkey } = await addPasskey(one)
  const path = `/auth/me/passkeys/${passkey.id}`
  assert.deepEqual(
    [outcome(await other.patch(path, { name: 'Mine' })), outcome(await other.delete(path)), (await other.get('/auth/me/passkeys')).body],
    ['404 not_found', '404 not_found', []],
  )
  const traces = await portal.traces(async () => {
    assert.equal((await one.patch(path, { name: ' Work  laptop ' })).body.name, 'Work  laptop')
  })
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [{ event: 'security_changed', data: {}, to: [one.id] }] })
  for (const name of ['', '\u200b', 'x'.repeat(61)]) assert.equal((await one.patch(path, { name })).status, 400)

  const removal = await portal.traces(async () => assert.equal((await one.delete(path)).status, 204))
  assert.deepEqual(removal.audit, [
    { action: 'factor.remove', type: 'user', target: one.id, metadata: { factor: 'passkey', name: 'Work  laptop' } },
  ])
  assert.deepEqual(removal.notices, [{ user: one.id, type: 'system', titleEn: 'A second factor was removed' }])
  assert.equal(outcome(await one.delete(path)), '404 not_found')
})

test('when somebody without a password removes both their passkeys at once, one of them stays', async () => {
  const one = await portal.person('passwordless')
  const ids = [(await addPasskey(one)).passkey.id, (await addPasskey(one)).passkey.id]
  await portal.meddle('user', one.id, `update users set password_hash = null where id = ${one.id}`)
  const answers = await Promise.all(ids.map((id) => one.delete(`/auth/me/passkeys/${id}`)))
  assert.deepEqual(answers.map(outcome).toSorted(), ['204', '409 last_sign_in_method'])
})

test('of two first passkeys that were begun at once, only the one that arrives first is accepted', async () => {
  const one = await portal.person('hurried')
  const browsers = [one, await portal.stranger().signIn('hurried')]
  const begun = await Promise.all(browsers.map(async (browser) => (await browser.post('/auth/me/passkeys/options')).body.options))
  assert.notEqual(begun[0].user.id, begun[1].user.id)
  const add = (at: 0 | 1) =>
    browsers[at]!.post('/auth/me/passkeys', { name: 'One', attestation: newAuthenticator(ORIGIN).create(begun[at]) })
  assert.equal(outcome(await add(0)), '201')
  await portal.sql(`update sessions set level = 2 where user_id = ${one.id}`)
  assert.equal(outcome(await add(1)), '400 invalid_factor')
})

test('a person has at most 20 passkeys, also when two are added at once', async () => {
  const one = await portal.person('collector')
  const { authenticator, passkey } = await addPasskey(one)
  await portal.meddle(
    'user',
    one.id,
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, may_sync, is_synced)
     select user_id, name, credential_id || n::text::bytea, public_key, 0, transports, false, false
     from passkeys, generate_series(1, 18) as n where id = ${passkey.id}`,
  )
  const other = portal.stranger()
  await other.post('/auth/passkeys/sign-in', { assertion: await assertionOf(other, authenticator) })
  const browsers = [one, other]
  const answers = await Promise.all(
    browsers.map(async (browser) => {
      const { options } = (await browser.post('/auth/me/passkeys/options')).body
      return browser.post('/auth/me/passkeys', { name: 'More', attestation: newAuthenticator(ORIGIN).create(options) })
    }),
  )
  assert.deepEqual(answers.map(outcome).toSorted(), ['201', '409 quota_exceeded'])
  const refused = answers.find(({ status }) => status === 409)!.body
  assert.deepEqual([refused.quota, refused.used, refused.allowed], ['passkeys', 20, 20])
})

test('while passwords are for exceptions, nobody but an exception with a password can remove their last passkey', async () => {
  const [one, exception] = [await portal.person('required'), await portal.person('excepted')]
  // Somebody has to be able to sign in without a provider.
  await addPasskey(portal.admin)
  await portal.meddle(
    'user',
    portal.admin.id,
    `update users set is_exception = true, has_exception_password = true where id = ${portal.admin.id}`,
  )
  const passkeys = [await addPasskey(one), await addPasskey(exception)]
  await portal.meddle('user', exception.id, `update users set is_exception = true where id = ${exception.id}`)
  await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passwords = 'exceptions'`)
  const remove = async (who: typeof one, at: 0 | 1) => outcome(await who.delete(`/auth/me/passkeys/${passkeys[at]!.passkey.id}`))
  assert.deepEqual([await remove(one, 0), await remove(exception, 1)], ['409 last_sign_in_method', '204'])
  await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passwords = 'everyone'`)
})

test('where passkeys are for exceptions, other people cannot sign in by passkey', async () => {
  const [one, exception] = [await portal.person('plain'), await portal.person('special')]
  const passkeys = [await addPasskey(one), await addPasskey(exception)]
  await portal.meddle('user', exception.id, `update users set is_exception = true where id = ${exception.id}`)
  await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passkeys = 'exceptions'`)
  const signIn = async (at: 0 | 1) => {
    const browser = portal.stranger()
    return outcome(await browser.post('/auth/passkeys/sign-in', { assertion: await assertionOf(browser, passkeys[at]!.authenticator) }))
  }
  assert.deepEqual([await signIn(0), await signIn(1)], ['401 invalid_factor', '200'])
  await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passkeys = 'everyone'`)
})

test('a sign-in by passkey that overlaps this change of the settings fails', async () => {
  const { authenticator } = await addPasskey(await portal.person('overlapping'))
  const browser = portal.stranger()
  const assertion = await assertionOf(browser, authenticator)
  const hold = holdNextTransaction()
  const coming = browser.post('/auth/passkeys/sign-in', { assertion })
  await until('its transaction is about to begin', () => hold.isHeld)
  await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passkeys = 'exceptions'`)
  hold.letGo()
  assert.equal(outcome(await coming), '401 invalid_factor')
  await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passkeys = 'everyone'`)
})

test('an exception whose only factor is a passkey is asked for it after the password', async () => {
  const exception = await portal.person('loud')
  const { authenticator } = await addPasskey(exception)
  await portal.meddle('user', exception.id, `update users set is_exception = true where id = ${exception.id}`)
  const browser = portal.stranger()
  const asked = await browser.post('/auth/login', { username: 'loud', password: PASSWORD })
  assert.deepEqual([asked.body.code, asked.body.methods], ['second_factor_required', ['passkey', 'recovery_code']])
  const assertion = await assertionOf(browser, authenticator, 'second_factor')
  assert.equal(outcome(await browser.post('/auth/login/second-factor', { assertion })), '200')
})

test('without SECRETS_KEY, people can add passkeys and get recovery codes, but add no authenticator app', async () => {
  const one = await portal.person('keyless')
  assert.equal(outcome(await one.post('/auth/me/totp')), '503 secrets_not_configured')
  assert.deepEqual(await portal.sql(`select from totp where user_id = ${one.id}`), [])
  assert.equal((await addPasskey(one)).passkey.recoveryCodes!.length, 10)
})

test('the options of up to five tabs are accepted, each once; a sixth tab voids those of the first', async () => {
  const one = await portal.person('tabbed')
  const { authenticator } = await addPasskey(one, newAuthenticator(ORIGIN), 'Phone', { counter: 0 })
  const browser = portal.stranger()
  const answers = []
  for (let n = 0; n < 6; n++) answers.push(await assertionOf(browser, authenticator, 'sign_in', { counter: 0 }))
  const use = async (assertion: unknown) => (await browser.post('/auth/passkeys/sign-in', { assertion })).status
  assert.deepEqual([await use(answers[0]), await use(answers[5]), await use(answers[1]), await use(answers[1])], [401, 200, 200, 401])

  const options = async () => (await one.post('/auth/me/passkeys/options')).body.options
  const [first, second] = [await options(), await options()]
  const confirming = await assertionOf(one, authenticator, 'confirm', { counter: 0 })
  const add = async (options: CreationOptions) =>
    (await one.post('/auth/me/passkeys', { name: 'Tab', attestation: newAuthenticator(ORIGIN).create(options) })).status
  assert.deepEqual([await add(first), await add(second), await add(first)], [201, 201, 400])
  assert.equal((await one.post('/auth/me/confirm', { assertion: confirming })).status, 200)
})

test('each call for options gets a new challenge, even with the same idempotency key', async () => {
  const one = await portal.person('twice')
  const headers = { 'idempotency-key': 'the same' }
  const ask = async () => (await one.send('POST', '/auth/me/passkeys/options', {}, headers)) as Answer
  const [first, second] = [await ask(), await ask()]
  assert.notEqual(first.body.options.challenge, second.body.options.challenge)
  assert.ok(second.headers.get('set-cookie'))
})
