/** An address alone never takes over an account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { generated } from '../../../test/suite.ts'

const { portal, signIn, change, link } = lyingPortal({ createPeople: false })
const connect = '/sign-in/connect?provider=liar'
const refused = '/sign-in?failed=not_allowed'
let subjects = 0
/** Signs in by an identity that the portal has never seen. */
const come = async (email: unknown, more: Record<string, unknown> = {}) => {
  const { browser, path } = await signIn({ sub: `stranger-${subjects++}`, email, ...more })
  return { path, status: (await browser.me()).status, browser }
}
const identitiesOf = async ({ id }: { id: number }) => (await portal.admin.get(`/users/${id}/identities`)).body

test('claiming the address of an account leads to a proof, unless the provider links no accounts', async () => {
  const huda = await portal.person('huda')
  for (const verified of [true, false, 'true', 1, undefined]) {
    const { path, status } = await come('huda@example.org', { email_verified: verified })
    assert.deepEqual([path, status], [connect, 401], String(verified))
  }
  await change({ linking: 'never' })
  assert.deepEqual((await come('HUDA@example.org', { email_verified: true })).path, refused)
  await change({ linking: 'ask' })
  assert.deepEqual(await identitiesOf(huda), [])
})

test('a verified address is linked at once only if the domain and the account allow it', async () => {
  await change({ linking: 'verified_email', domains: ['Example.org'] })
  const known = await portal.person('known')
  const doubts: [what: string, email: string, more: object][] = [
    ['not verified', 'known@example.org', { email_verified: false }],
    ['said nothing', 'known@example.org', {}],
    ['a text', 'known@example.org', { email_verified: 'true' }],
    ['a number', 'known@example.org', { email_verified: 1 }],
  ]
  for (const [what, email, more] of doubts) assert.deepEqual([what, (await come(email, { ...more })).path], [what, connect])

  const registered = await portal.stranger().post('/auth/register', { username: 'early', email: 'late@example.org', password: PASSWORD })
  assert.equal((await come('late@example.org', { email_verified: true })).path, connect, 'a person who registers writes any address')
  assert.deepEqual(await identitiesOf(registered.body), [])

  const admin = await portal.person('second-admin', { roles: ['admin'] })
  assert.equal((await come('second-admin@example.org', { email_verified: true })).path, connect, 'an administrator')
  const exception = await portal.person('exception', { roles: ['admin'] })
  await portal.meddle('user', exception.id, `update users set is_exception = true where id = ${exception.id}`)
  assert.equal((await come('exception@example.org', { email_verified: true })).path, connect, 'an exception')
  const linked = await portal.person('linked')
  await link(linked, 'hers')
  assert.equal((await come('linked@example.org', { email_verified: true })).path, connect, 'linked already')
  assert.deepEqual([(await identitiesOf(admin)).length, (await identitiesOf(linked)).length], [0, 1])

  const { path, browser } = await come('KNOWN@example.org', { email_verified: true })
  assert.deepEqual([path, (await browser.me()).body.id], ['/', known.id])
  assert.deepEqual(
    (await identitiesOf(known)).map(({ email }: { email: string }) => email),
    ['KNOWN@example.org'],
  )
  const { body: notices } = await known.get('/notifications')
  assert.equal(notices[0].titleEn, 'A new way to sign in to your account')
})

test('an address that only resembles an account’s, or has another domain, matches no account', async () => {
  await portal.person('target')
  for (const email of [
    'target@example.org.',
    'ｔarget@example.org',
    'target@ｅxample.org',
    'target@sub.example.org',
    'target@example.org.evil.example',
    'tаrget@example.org',
    'target١@example.org',
    'target@example.com',
  ])
    assert.deepEqual([email, (await come(email, { email_verified: true })).path], [email, refused])
})

test('a mailed link proves the address, and a link that an administrator hands over does not', async () => {
  const { body } = await portal.stranger().post('/auth/register', { username: 'mailed', email: 'mailed@example.org', password: PASSWORD })
  const reset = async (mailed: boolean) => {
    const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${body.id}/issue-reset-link`)).body
    await portal.meddle('user', body.id, `update password_resets set mailed = ${mailed} where user_id = ${body.id}`)
    await portal.stranger().post('/auth/reset-password', { token: new URL(resetUrl).searchParams.get('token'), newPassword: PASSWORD })
  }
  await reset(false)
  assert.equal((await come('mailed@example.org', { email_verified: true })).path, connect)
  await reset(true)
  assert.equal((await come('mailed@example.org', { email_verified: true })).path, '/')
})

test('an inactive person and a program are refused, by their identity and by their address', async () => {
  const left = await portal.person('left')
  await link(left, 'left-subject')
  await portal.admin.patch(`/users/${left.id}`, { isActive: false })
  assert.equal((await signIn({ sub: 'left-subject' })).path, refused)
  assert.equal((await come('left@example.org', { email_verified: true })).path, refused)
  const program = await addProgram(portal, 'robot')
  await link(program, 'robot-subject')
  assert.equal((await signIn({ sub: 'robot-subject' })).path, refused)
  assert.equal((await come('robot@service.invalid', { email_verified: true })).path, refused)
})

test('whatever is claimed, only the subject or a proof opens an account (property)', async () => {
  await change({ linking: 'verified_email', domains: ['example.org'], createPeople: true })
  const people = [await portal.person('prey-one'), await portal.person('prey-two', { roles: ['admin'] })]
  for (const [n, one] of people.entries()) await link(one, `subject-of-prey-${n}`)
  const claims = fc.record({
    email: fc.constantFrom('prey-one@example.org', 'PREY-two@example.org', ' prey-one@example.org', 'prey-one@example.org\u200b'),
    email_verified: fc.constantFrom(true, false, 'true', 1, null),
    preferred_username: fc.constantFrom('prey-one', 'admin', 'prey-two@example.org'),
    amr: fc.constantFrom(['mfa'], undefined),
  })
  await fc.assert(
    fc.asyncProperty(claims, async ({ email, ...more }) => {
      const { browser } = await come(email, more)
      const { status, body } = await browser.me()
      assert.ok(status === 401 || !people.some(({ id }) => id === body.id))
    }),
    generated(40, 200),
  )
})
