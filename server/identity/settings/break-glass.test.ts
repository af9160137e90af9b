/** Signing in while a provider is required, and the operator's commands for emergencies. */
import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import { duties } from '../../../test/duties.ts'
import { addPasskey, addTotp, assertionOf, codeOf } from '../../../test/factors.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { ADMIN_PASSWORD, type Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { printForgottenFactors, printPasswordsOpened } from '../../commands/sign-in.ts'
import { securityTemplates } from '../../lists/notices/security.ts'

const mailbox = await openMailbox()
const portal = testPortal({ SMTP_URL: mailbox.url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64url') })
const { set } = duties(portal)
const LONG = 'fourteen characters'
let withApp: Client
let withPasskey: Client
let app: { secret: string }
let passkey: Awaited<ReturnType<typeof addPasskey>>

/** `letters` leaves out notices, because they may come at any time; `alarms` are the notices of sign-ins by exceptions. */
const titles = Object.values(securityTemplates).flatMap(({ titleAr, titleEn }) => [titleAr, titleEn])
const isNotice = ({ subject = '' }) => titles.some((title) => subject.includes(title))
const letters = () => mailbox.received.filter((mail) => !isNotice(mail))
const { titleAr, titleEn } = securityTemplates.exception_signed_in
const alarms = () => mailbox.received.filter(({ subject = '' }) => subject.includes(titleAr) || subject.includes(titleEn))

const stateOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code]
const proven = `create or replace function has_proven_provider(session int) returns boolean language sql stable as $$ select true $$`

async function exception(username: string) {
  const one = await portal.person(username, { roles: ['admin'] })
  assert.equal((await portal.admin.post(`/users/${one.id}/sign-in-exception`)).status, 200)
  assert.equal((await one.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: LONG })).status, 200)
  return one
}
/** Begins a sign-in with the password. */
async function begin(username: string, password = LONG) {
  const browser = portal.stranger()
  return { browser, answer: await browser.post('/auth/login', { username, password }) }
}

before(async () => {
  await portal.ready
  ;[withApp, withPasskey] = [await exception('chief'), await exception('deputy')]
  app = await addTotp(withApp)
  passkey = await addPasskey(withPasskey)
  await portal.sql(proven)
  const answer = await set({ passwords: 'exceptions' })
  assert.equal(answer.status, 200, answer.text)
})

test('an exception signs in by password and factor, and every administrator is told, by mail as well', async () => {
  const { browser, answer } = await begin('chief')
  assert.deepEqual(stateOf(answer), [401, 'second_factor_required'])
  mailbox.received.length = 0
  const { audit, notices } = await portal.traces(async () =>
    assert.equal((await browser.post('/auth/login/second-factor', { code: codeOf(app.secret) })).status, 200),
  )
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [['auth.break_glass', withApp.id]],
  )
  const chiefs = [portal.admin, withApp, withPasskey].map(({ id }) => id)
  assert.deepEqual(
    notices.map(({ user }) => user).toSorted((one, other) => one - other),
    chiefs.toSorted((one, other) => one - other),
  )
  await until('all mails have come', () => alarms().length === chiefs.length)
})

test('an exception whose only factor is a passkey is asked for it after the password', async () => {
  const { answer } = await begin('deputy')
  assert.deepEqual([...stateOf(answer), answer.body.methods[0]], [401, 'second_factor_required', 'passkey'])
})

test('an exception’s sign-in by passkey alone is audited as well', async () => {
  const browser = portal.stranger()
  const { audit } = await portal.traces(async () => {
    const assertion = await assertionOf(browser, passkey.authenticator)
    assert.equal((await browser.post('/auth/passkeys/sign-in', { assertion })).status, 200)
  })
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['auth.break_glass'],
  )
})

test('other people sign in by passkey without an alarm, and not at all while passkeys are for exceptions only', async () => {
  await set({ passwords: 'everyone' })
  const person = await portal.person('keyholder')
  const { authenticator } = await addPasskey(person)
  await set({ passwords: 'exceptions' })
  const enter = async () => {
    const browser = portal.stranger()
    return browser.post('/auth/passkeys/sign-in', { assertion: await assertionOf(browser, authenticator) })
  }
  const { audit } = await portal.traces(async () => assert.equal((await enter()).status, 200))
  assert.deepEqual(audit, [])
  await set({ passkeys: 'exceptions' })
  assert.deepEqual(stateOf(await enter()), [401, 'invalid_factor'])
  await set({ passkeys: 'everyone' })
})

test('a second step that began before a provider was required is refused afterwards', async () => {
  await set({ passwords: 'everyone' })
  const person = await portal.person('halfway')
  const { secret } = await addTotp(person)
  const { browser, answer } = await begin('halfway', PASSWORD)
  assert.deepEqual(stateOf(answer), [401, 'second_factor_required'])
  await set({ passwords: 'exceptions' })
  assert.deepEqual(stateOf(await browser.post('/auth/login/second-factor', { code: codeOf(secret) })), [401, 'invalid_factor'])
})

test('somebody who forgot their password is mailed how to sign in, and an exception is mailed a reset link', async () => {
  await portal.person('forgetful', { preferredLanguage: 'en' })
  const mailTo = async (identifier: string) => {
    mailbox.received.length = 0
    const { status, body } = await portal.stranger().post('/auth/forgot-password', { identifier })
    assert.deepEqual([status, body], [200, { success: true }])
    await until('the mail comes', () => letters().length > 0)
    return letters()[0]!.text ?? ''
  }
  const others = await mailTo('forgetful')
  assert.match(others, /account of your organisation[\s\S]*\/sign-in/)
  assert.doesNotMatch(others, /reset-password/)
  assert.match(await mailTo('chief'), /reset-password\?token=/)
})

test('an invitation says how to sign in, without a link to choose a password', async () => {
  mailbox.received.length = 0
  const invited = { username: 'invited', email: 'invited@example.org', preferredLanguage: 'en', invite: true }
  assert.equal((await portal.admin.post('/users', invited)).status, 201)
  await until('the mail comes', () => letters().length > 0)
  const text = letters()[0]!.text ?? ''
  assert.match(text, /invited[\s\S]*\/sign-in/)
  assert.doesNotMatch(text, /reset-password/)
})

test('nobody can remove the last factor of the last exception', async () => {
  assert.equal((await portal.admin.delete(`/users/${withPasskey.id}/sign-in-exception`)).status, 204)
  const traces = await portal.traces(async () => {
    assert.deepEqual(stateOf(await withApp.delete('/auth/me/totp')), [409, 'last_break_glass'])
    assert.deepEqual(stateOf(await portal.admin.delete(`/users/${withApp.id}/factors`)), [409, 'last_break_glass'])
  })
  assert.deepEqual(traces.audit, [])
  const spare = await addPasskey(withApp)
  assert.equal((await withApp.delete('/auth/me/totp')).status, 204)
  assert.deepEqual(stateOf(await withApp.delete(`/auth/me/passkeys/${spare.passkey.id}`)), [409, 'last_break_glass'])
})

test('after the operator removed the last exception’s factors, other changes still work, and a new factor is protected', async () => {
  mock.method(console, 'log', () => {})
  await printForgottenFactors(portal.connection, 'chief')
  mock.restoreAll()
  const person = await portal.person('unrelated')
  await addTotp(person)
  assert.equal((await person.delete('/auth/me/totp')).status, 204)
  assert.equal((await portal.admin.patch(`/users/${person.id}`, { isActive: false })).status, 200)

  const { browser, answer } = await begin('chief')
  assert.equal(answer.status, 200)
  const { passkey: added } = await addPasskey(browser)
  assert.deepEqual(stateOf(await browser.delete(`/auth/me/passkeys/${added.id}`)), [409, 'last_break_glass'])
  assert.deepEqual(stateOf(await portal.admin.delete(`/users/${withApp.id}/sign-in-exception`)), [409, 'last_break_glass'])
})

test('the operator’s commands remove anybody’s factors, and open passwords to everybody again', async () => {
  const said: unknown[] = []
  mock.method(console, 'log', (line: unknown) => void said.push(line))
  await printForgottenFactors(portal.connection, 'chief@example.org')
  await printForgottenFactors(portal.connection, 'chief')
  await assert.rejects(printForgottenFactors(portal.connection, 'nobody'), /there is no user nobody/)
  await printPasswordsOpened(portal.connection)
  await printPasswordsOpened(portal.connection)
  mock.restoreAll()
  assert.deepEqual(said, [
    'chief has no second factor any more; all sessions have ended.',
    'chief has none.',
    'Everybody may sign in by password again.',
    'Everybody may sign in by password already.',
  ])
  assert.equal((await begin('forgetful', PASSWORD)).answer.status, 200)
  assert.equal((await begin('chief')).answer.status, 200)
  assert.equal((await portal.stranger().signIn('admin', ADMIN_PASSWORD)).username, 'admin')
})
