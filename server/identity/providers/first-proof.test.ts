/** The first proof of an account removes all ways in that were added before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import webpush from 'web-push'
import { addPasskey, addTotp, assertionOf, codeOf } from '../../../test/factors.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { type Client, PASSWORD } from '../../../test/portal.ts'
import { withToken } from '../../../test/tokens.ts'

const { portal, signIn, change, link, register } = lyingPortal({ createPeople: true })
const NEW = 'a new password of the owner'
const post = (path: string, body: unknown) => portal.stranger().post(path, body)

/** Somebody registers with another person's address, and adds everything that opens an account. */
async function squat(name: string) {
  const squatter = portal.stranger()
  const { status, body } = await register(squatter, { username: name, email: `${name}@example.org`, password: PASSWORD })
  assert.equal(status, 201)
  squatter.id = body.id
  squatter.username = name
  const { authenticator } = await addPasskey(squatter)
  const { secret } = await addTotp(squatter)
  const { recoveryCodes } = (await squatter.post('/auth/me/recovery-codes')).body
  await link(body, `identity of ${name}`)
  const { token } = (await squatter.post('/auth/me/tokens', { name: 'Script', scopes: ['profile:read'] })).body
  const keys = { p256dh: webpush.generateVAPIDKeys().publicKey, auth: 'A'.repeat(22) }
  assert.equal((await squatter.post('/push/subscribe', { endpoint: `https://push.example.org/${name}`, keys })).status, 200)
  await portal.sql(`update devices set trusted_until = now() + interval '30 days' where user_id = $1`, [body.id])
  const second = Object.assign(portal.stranger(), { device: squatter.device })
  return {
    squatter,
    second,
    authenticator,
    secret,
    recoveryCodes: recoveryCodes as string[],
    token: token as string,
    id: body.id as number,
  }
}
type Squatted = Awaited<ReturnType<typeof squat>>

/** The ways in that are left, `password` among them if it is still the squatter's. */
async function waysOf({ squatter, authenticator, secret, recoveryCodes, token, id }: Squatted, password = PASSWORD) {
  const ways: string[] = []
  if ((await squatter.get('/auth/me')).status === 200) ways.push('session')
  if ((await withToken(portal, token).get('/auth/me')).status === 200) ways.push('token')
  const browser = portal.stranger()
  const assertion = await assertionOf(browser, authenticator)
  if ((await browser.post('/auth/passkeys/sign-in', { assertion })).status === 200) ways.push('passkey')
  const { browser: away } = await signIn({ sub: `identity of ${squatter.username}`, email: `${squatter.username}-away@example.org` })
  if ((await away.me()).body.id === id) ways.push('identity')
  const again = portal.stranger()
  const answer = await again.post('/auth/login', { username: squatter.username, password })
  if (answer.status === 200) ways.push('password')
  if (answer.body.code === 'second_factor_required')
    for (const factor of [{ code: codeOf(secret) }, { recoveryCode: recoveryCodes[0] }])
      if ((await again.post('/auth/login/second-factor', factor)).status === 200) ways.push(Object.keys(factor)[0]!)
  const [left] = await portal.sql<Record<string, number>>(
    `select (select count(*)::int from push_subscriptions where user_id = $1) as subscriptions,
       (select count(*)::int from devices where user_id = $1 and trusted_until > now()) as devices,
       (select count(*)::int from password_resets where user_id = $1) as links,
       (select count(*)::int from recovery_codes where user_id = $1) as codes, (select count(*)::int from totp where user_id = $1) as apps`,
    [id],
  )
  return [...ways, ...Object.entries(left!).flatMap(([name, count]) => (count ? [name] : []))].sort()
}

async function linkFor(id: number, mailed: boolean) {
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  await portal.meddle('user', id, `update password_resets set mailed = ${mailed} where user_id = ${id}`)
  return new URL(resetUrl).searchParams.get('token')
}
const reset = async (id: number, mailed: boolean) =>
  assert.equal((await post('/auth/reset-password', { token: await linkFor(id, mailed), newPassword: NEW })).status, 200)
const EVERYTHING =
  'api tokens|an authenticator app|browsers that got notifications|connections with sign-in providers|passkeys|recovery codes|trusted browsers'
const noticesOf = async (one: Client) =>
  (await one.get('/notifications')).body.filter(
    ({ titleEn }: { titleEn: string }) => titleEn === 'Earlier ways into your account were removed',
  )

for (const mailed of [true, false])
  test(`a ${mailed ? 'mailed link' : 'link of an administrator'} removes all earlier ways into an unproven account`, async () => {
    const name = mailed ? 'by-mail' : 'by-hand'
    const squatted = await squat(name)
    assert.deepEqual(
      await waysOf({ ...squatted, squatter: squatted.squatter }),
      ['apps', 'codes', 'devices', 'code', 'identity', 'passkey', 'session', 'subscriptions', 'token'].sort(),
    )
    await reset(squatted.id, mailed)
    assert.deepEqual(await waysOf(squatted), [])
    const owner = portal.stranger()
    assert.equal((await owner.post('/auth/login', { username: name, password: NEW })).status, 200)
    const [notice, ...others] = await noticesOf(owner)
    assert.equal(others.length, 0)
    for (const what of EVERYTHING.split('|')) assert.ok(notice.bodyEn.toLowerCase().includes(what), what)
    assert.ok(notice.bodyAr.includes('مفاتيح المرور، تطبيق المصادقة'))
  })

test('a second link keeps the passkeys that the owner has added since the first', async () => {
  for (const mailed of [true, false]) {
    const name = `twice-${mailed}`
    const { id } = await squat(name)
    await reset(id, mailed)
    const owner = Object.assign(portal.stranger(), { id, username: name })
    await owner.post('/auth/login', { username: name, password: NEW })
    await addPasskey(owner)
    await reset(id, true)
    await reset(id, false)
    assert.equal((await portal.admin.get(`/users/${id}/factors`)).body.passkeyCount, 1)
  }
})

test('an account that its owner has proven keeps its factors when a link is used', async () => {
  const huda = await portal.person('huda')
  await addPasskey(huda)
  await reset(huda.id, true)
  assert.equal((await portal.admin.get(`/users/${huda.id}/factors`)).body.passkeyCount, 1)
  const [admin] = await portal.sql<{ isVouched: boolean }>(`select email_vouched as "isVouched" from users where id = ${portal.admin.id}`)
  assert.equal(admin!.isVouched, true, 'the operator gave the first administrator their address')
})

test('linking an account removes all earlier ways in but the password', async () => {
  const squatted = await squat('linked')
  const { squatter, secret } = squatted
  const { browser, path } = await signIn({ sub: 'the owner', email: 'linked@example.org', email_verified: true })
  assert.equal(path, '/sign-in/connect?provider=liar')
  const proof = { password: PASSWORD, code: codeOf(secret) }
  const { status, body } = await browser.call('POST', '/auth/oidc/pending/link', proof)
  assert.deepEqual([status, body.id], [200, squatted.id])
  assert.deepEqual(await waysOf(squatted), ['password'])
  assert.equal((await browser.me()).status, 200)
  const { body: identities } = await portal.admin.get(`/users/${squatter.id}/identities`)
  assert.deepEqual(
    identities.map(({ subject }: { subject: string }) => subject),
    ['the owner'],
  )
})

test('a session does not count a factor that the first proof has removed', async () => {
  await change({ secondFactor: 'own' })
  const { secret } = await squat('weak')
  const { browser } = await signIn({ sub: 'the weak owner', email: 'weak@example.org' })
  const { status } = await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD, code: codeOf(secret) })
  const { body } = await browser.call('GET', '/auth/me/security')
  assert.deepEqual([status, body.level, (await browser.call('GET', '/orders/my')).body.code], [200, 1, 'enrolment_required'])
  await change({ secondFactor: 'trusted' })
})

test('linking by an unverified address is no proof: a mailed link removes the identity again', async () => {
  const { id, secret } = await squat('unverified')
  const { browser } = await signIn({ sub: 'the squatter', email: 'unverified@example.org' })
  const { status } = await browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD, code: codeOf(secret) })
  assert.equal(status, 200)
  await reset(id, true)
  assert.equal((await browser.me()).status, 401)
  assert.deepEqual((await portal.admin.get(`/users/${id}/identities`)).body, [])
})

test('an administrator who sets an account’s address to its owner’s removes all earlier ways in, and invites the owner', async () => {
  const squatted = await squat('given')
  const link = await linkFor(squatted.id, false)
  const { status, body } = await portal.admin.patch(`/users/${squatted.id}`, { email: 'owner-of-given@example.org' })
  assert.deepEqual([status, body.invitation], [200, 'pending'])
  assert.deepEqual(await waysOf(squatted), [])
  assert.equal((await post('/auth/reset-password', { token: link, newPassword: NEW })).body.code, 'invalid_token')
  await reset(squatted.id, false)
  assert.equal((await post('/auth/login', { username: 'given', password: NEW })).status, 200)
  const known = await portal.person('known')
  assert.equal((await portal.admin.patch(`/users/${known.id}`, { email: 'known-new@example.org' })).status, 200)
  assert.equal((await known.get('/auth/me')).status, 200, 'an account that is proven stays as it is')
})

test('an administrator who changes their own address stays signed in and does not vouch for the address', async () => {
  const chief = portal.stranger()
  const { body } = await register(chief, { username: 'chief', email: 'chief@example.org', password: PASSWORD })
  await portal.admin.post(`/users/${body.id}/roles`, { roleName: 'admin' })
  assert.equal((await chief.patch(`/users/${body.id}`, { email: 'chief-new@example.org' })).status, 200)
  assert.equal((await chief.get('/auth/me')).status, 200)
  const [row] = await portal.sql<{ isVouched: boolean }>(`select email_vouched as "isVouched" from users where id = ${body.id}`)
  assert.equal(row!.isVouched, false)
})

test('passkeys that are added during the first proof do not survive it', async () => {
  const squatted = await squat('racing')
  const { squatter, id } = squatted
  const token = await linkFor(id, true)
  const adding = Array.from({ length: 6 }, () => addPasskey(squatter).catch(() => undefined))
  await Promise.all([...adding, post('/auth/reset-password', { token, newPassword: NEW })])
  assert.equal((await portal.admin.get(`/users/${id}/factors`)).body.passkeyCount, 0)
})

test('an account is proven if its provider spoke for the address, and not if the address was only claimed', async () => {
  await change({ linking: 'verified_email', domains: ['example.org'] })
  for (const [name, email_verified, left] of [
    ['spoken-for', true, 1],
    ['claimed', false, 0],
  ] as const) {
    const { browser } = await signIn({ sub: name, email: `${name}@example.org`, preferred_username: name, email_verified })
    const { id } = (await browser.me()).body
    await reset(id, true)
    assert.deepEqual([name, (await portal.admin.get(`/users/${id}/identities`)).body.length], [name, left])
  }
})

test('an address that a provider changes to one it does not speak for makes the account unproven', async () => {
  await change({ refreshProfile: true })
  const lina = await portal.person('lina')
  await link(lina, 'linas')
  await addPasskey(lina)
  await signIn({ sub: 'linas', email: 'somebody@example.org' })
  await reset(lina.id, true)
  const { body } = await portal.admin.get(`/users/${lina.id}/factors`)
  assert.deepEqual([body.passkeyCount, (await portal.admin.get(`/users/${lina.id}/identities`)).body], [0, []])
  const nora = await portal.person('nora')
  await link(nora, 'noras')
  await addPasskey(nora)
  await signIn({ sub: 'noras', email: 'nora-new@example.org', email_verified: true })
  await reset(nora.id, true)
  assert.equal((await portal.admin.get(`/users/${nora.id}/factors`)).body.passkeyCount, 1)
  await change({ refreshProfile: false })
})

test('an unverified address goes to the person who verifies it, at creation and when a profile follows the claims', async () => {
  const occupant = await signIn({ sub: 'occupant', email: 'boss@example.org', preferred_username: 'occupant' })
  const { browser, path } = await signIn({ sub: 'boss', email: 'BOSS@example.org', preferred_username: 'boss', email_verified: true })
  const me = (await browser.me()).body
  assert.deepEqual([path, me.username, me.email], ['/', 'boss', 'BOSS@example.org'])
  const left = (await occupant.browser.me()).body
  assert.deepEqual([left.username, /@unverified\.invalid$/.test(left.email)], ['occupant', true])
  assert.equal((await signIn({ sub: 'occupant', email: 'boss@example.org' })).path, '/', 'their identity still opens their account')

  await change({ refreshProfile: true })
  const second = await signIn({ sub: 'occupant', email: 'chair@example.org' })
  assert.equal((await second.browser.me()).body.email, 'chair@example.org')
  const chair = await signIn({ sub: 'boss', email: 'chair@example.org', email_verified: true })
  assert.equal((await chair.browser.me()).body.email, 'chair@example.org')
  assert.match((await second.browser.me()).body.email, /@unverified\.invalid$/)
  await change({ refreshProfile: false })
})

test('a proven address and a registered one stay with their accounts when somebody else verifies them', async () => {
  const spoken = await signIn({ sub: 'spoken', email: 'spoken@example.org', email_verified: true })
  const again = await signIn({ sub: 'spoken again', email: 'spoken@example.org', email_verified: true })
  assert.equal(again.path, '/sign-in/connect?provider=liar')
  assert.equal((await spoken.browser.me()).body.email, 'spoken@example.org')
  await register(portal.stranger(), { username: 'early', email: 'early@example.org', password: PASSWORD })
  assert.equal((await signIn({ sub: 'late', email: 'early@example.org', email_verified: true })).path, '/sign-in/connect?provider=liar')
})
