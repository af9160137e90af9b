/** Invisible marks around names, addresses and codes that were copied, and inside addresses. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { type Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'

const mailbox = await openMailbox()
const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url'), SMTP_URL: mailbox.url })

const MARKS = [...'\u200e\u200f\u061c\u200b\u200c\u200d\u2060\u00ad\u180e\u202a\u202c\u2066\u2069\ufeff\u00a0 ']
const around = (text: string) => [
  ...MARKS.flatMap((mark) => [`${mark}${text}`, `${text}${mark}`]),
  `\u200f \u200e${text}\u200f\u00a0\u200e`,
]
const login = (username: string) => portal.stranger().post('/auth/login', { username, password: PASSWORD })

test('people sign in by a name or an address that was copied with invisible marks', async () => {
  const { username } = await portal.person('dana')
  for (const name of [...around(username), ...around(`${username}@example.org`)])
    assert.equal((await login(name)).status, 200, JSON.stringify(name))
  // A mark inside a name makes it a different name.
  assert.equal((await login('da\u200fna')).status, 401)
})

test('a new account and a changed address are stored without marks at their edges', async () => {
  const fields = { username: '\u200fnoura\u200e', email: '\u200enoura@example.org\u200f', displayNameAr: '\u061cنورة\u200b' }
  const { status, body } = await portal.stranger().post('/auth/register', { ...fields, password: PASSWORD })
  assert.deepEqual([status, body.username, body.email, body.displayNameAr], [201, 'noura', 'noura@example.org', 'نورة'])
  const again = await portal.admin.post('/users', { username: 'other', email: '\u200fnoura@example.org', password: PASSWORD })
  assert.deepEqual([again.status, again.body.code], [409, 'email_taken'])
  const moved = await portal.admin.patch(`/users/${body.id}`, { email: 'noura\u002eali@example.org\u200f' })
  assert.equal(moved.body.email, 'noura.ali@example.org')
})

test('an address with an invisible character, or one that nobody can be reached at, is refused everywhere', async () => {
  const { id } = await portal.person('salem')
  const wrong = [
    'sa\u200flem@example.org',
    'salem@example.org\u034f',
    'sa\ufe0flem@example.org',
    'salem@exam\u{e0100}ple.org',
    'sal\u3164em@example.org',
  ]
  const lost = ['x@example..org', 'x@.org', 'x@-', 'salem@example.org.', 'salem@example。org', `${'x'.repeat(65)}@example.org`]
  for (const email of [...wrong, ...lost]) {
    const person = { username: 'another', email, password: PASSWORD }
    const answers = [
      await portal.stranger().post('/auth/register', person),
      await portal.admin.post('/users', person),
      await portal.admin.patch(`/users/${id}`, { email }),
    ]
    for (const { status, body } of answers) {
      const [detail] = body.details ?? []
      assert.deepEqual(
        [status, body.code, detail?.path, detail?.params.form],
        [400, 'validation_failed', 'email', 'email'],
        JSON.stringify(email),
      )
    }
  }
})

test('a forgotten password can be reset with an address and a token that were copied with marks', async () => {
  const { username } = await portal.person('huda')
  assert.equal((await portal.stranger().post('/auth/forgot-password', { identifier: `\u200f${username}@example.org\u200e` })).status, 200)
  const mail = await until('the mail has come', () =>
    mailbox.received.find(({ recipients }) => recipients.includes(`${username}@example.org`)),
  )
  const [, token] = /token=([\w-]+)/.exec(mail.text!)!
  const copied = `${token}\u200f`
  await until('the link is good', async () => (await portal.stranger().post('/auth/reset-password/verify', { token: copied })).body.valid)
  const reset = await portal.stranger().post('/auth/reset-password', { token: copied, newPassword: 'another password' })
  assert.equal(reset.status, 200, reset.text)
})

test('a role is given and taken by a name that was copied with marks', async () => {
  const { id } = await portal.person('majed')
  const given = await portal.admin.post(`/users/${id}/roles`, { roleName: '\u200forder_receiver\u200e' })
  assert.deepEqual(given.body.roles, ['order_receiver', 'user'])
  const taken = await portal.admin.delete(`/users/${id}/roles/${encodeURIComponent('order_receiver\u200f')}`)
  assert.ok(taken.status < 300, taken.text)
  const { body } = await portal.admin.get(`/users?role=${encodeURIComponent('\u200fadmin')}`)
  assert.equal(body.length ?? body.users.length, 1)
})

test('the name of a group is stored without marks at its edges, and a name of marks alone is refused', async () => {
  assert.equal((await portal.admin.post('/groups', { name: '\u200fالمالية\u200f' })).body.name, 'المالية')
  for (const name of ['\u200f', '\ufffc', '\u{1d159}', '\u2800\u200e']) {
    const { status, body } = await portal.admin.post('/groups', { name })
    assert.deepEqual([status, body.details[0].path, body.details[0].rule], [400, 'name', 'visible'], JSON.stringify(name))
  }
})

test('codes are accepted with marks, dashes and the digits of any keyboard', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const person = await portal.person('reem')
  const { secret, recoveryCodes } = await addTotp(person)
  const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  const waiting = async (): Promise<Client> => {
    const browser = portal.stranger()
    assert.equal((await browser.post('/auth/login', { username: person.username, password: PASSWORD })).body.code, 'second_factor_required')
    return browser
  }
  const written = [
    (code: string) => `\u200f${code}\u200f`,
    (code: string) => arabic(code),
    (code: string) => `${code.slice(0, 3)}\u200e ${code.slice(3)}`,
  ]
  for (const write of written) {
    mock.timers.setTime(Date.now() + 60_000)
    const { status, text } = await (await waiting()).post('/auth/login/second-factor', { code: write(codeOf(secret)) })
    assert.equal(status, 200, text)
  }
  const copied = [
    (code: string) => `\u200f${code}\u200e`,
    (code: string) => arabic(code).replaceAll('-', '–'),
    (code: string) => code.replaceAll('-', '\u2011'),
  ]
  for (const [turn, write] of copied.entries()) {
    const { status, text } = await (await waiting()).post('/auth/login/second-factor', { recoveryCode: write(recoveryCodes![turn]!) })
    assert.equal(status, 200, text)
  }
})
