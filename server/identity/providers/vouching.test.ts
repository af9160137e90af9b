/** Which addresses an administrator, a directory, a mailed link or a provider may change or vouch for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPasskey, assertionOf } from '../../../test/factors.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'

const { portal, signIn, change, link, register } = lyingPortal({ linking: 'verified_email', domains: ['example.org'] })

test('an administrator cannot vouch for an address of their own', async () => {
  const mallory = await portal.person('mallory', { roles: ['admin'] })
  const { authenticator } = await addPasskey(mallory)
  await mallory.patch(`/users/${mallory.id}`, { email: 'chair@example.org' })
  await portal.admin.delete(`/users/${mallory.id}/roles/admin`)
  const { browser, path } = await signIn({ sub: 'the chair', email: 'chair@example.org', email_verified: true })
  const again = portal.stranger()
  const assertion = await assertionOf(again, authenticator)
  const still = (await again.post('/auth/passkeys/sign-in', { assertion })).status
  assert.deepEqual([path, (await browser.me()).body.username, still], ['/sign-in/connect?provider=liar', undefined, 200])
})

test('an account is linked only after a proof if a way in is older than its address, and at once if it has no way in', async () => {
  const former = await portal.person('former')
  await addPasskey(former)
  await portal.admin.patch(`/users/${former.id}`, { email: 'successor@example.org' })
  const { path } = await signIn({ sub: 'successor', email: 'successor@example.org', email_verified: true })
  assert.equal(path, '/sign-in/connect?provider=liar')

  await portal.admin.post('/users', { username: 'newcomer', email: 'typo@example.org', invite: true })
  const { id } = (await portal.admin.get('/users?q=newcomer')).body[0]
  await portal.admin.patch(`/users/${id}`, { email: 'newcomer@example.org' })
  assert.equal((await signIn({ sub: 'newcomer', email: 'newcomer@example.org', email_verified: true })).path, '/')
})

/** Resets the password of an account by a link that counts as mailed. */
async function resetByMail(id: number) {
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  await portal.meddle('user', id, `update password_resets set mailed = true where user_id = ${id}`)
  const token = new URL(resetUrl).searchParams.get('token')
  const { status } = await portal.stranger().post('/auth/reset-password', { token, newPassword: 'a new password of the heir' })
  assert.equal(status, 200)
}

test('a mailed link vouches for an address only where no other way in is older', async () => {
  const former = await portal.person('bequeathing')
  await addPasskey(former)
  await portal.admin.patch(`/users/${former.id}`, { email: 'heir@example.org' })
  await resetByMail(former.id)
  const come = async () => (await signIn({ sub: 'heir', email: 'heir@example.org', email_verified: true })).path
  assert.equal(await come(), '/sign-in/connect?provider=liar')
  assert.equal((await portal.admin.delete(`/users/${former.id}/factors`)).status, 204)
  await resetByMail(former.id)
  assert.equal(await come(), '/')
})

test('an account whose address a directory changes is linked without a proof only if it has no way in', async () => {
  const source = await newSource(portal)
  const settled = await portal.person('settled')
  await addPasskey(settled)
  await source.person('settled@example.org')
  const fresh = await source.person('fresh@example.org')
  for (const [name, id, path] of [
    ['settled', settled.id, '/sign-in/connect?provider=liar'],
    ['fresh', fresh.id, '/'],
  ] as const) {
    const email = `${name}-new@example.org`
    const { status } = await source.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value: email, type: 'work' }] })
    assert.equal(status, 200)
    assert.deepEqual([name, (await signIn({ sub: name, email, email_verified: true })).path], [name, path])
  }
})

test('claims never change the address of an administrator or an exception, nor anything about people of a directory', async () => {
  await change({ refreshProfile: true })
  const [chief, spare] = [await portal.person('chief', { roles: ['admin'] }), await portal.person('spare')]
  await portal.meddle('user', spare.id, `update users set is_exception = true where id = ${spare.id}`)
  const managed = await (await newSource(portal)).person('managed@example.org')
  for (const [name, id, after] of [
    ['chief', chief.id, ['chief@example.org', 'Claimed']],
    ['spare', spare.id, ['spare@example.org', 'Claimed']],
    ['managed', Number(managed.id), ['managed@example.org', null]],
  ] as const) {
    await link({ id }, name)
    await signIn({ sub: name, name: 'Claimed', email: `${name}-claimed@example.org`, email_verified: true })
    const { email, displayNameEn } = (await portal.admin.get(`/users/${id}`)).body
    assert.deepEqual([email, displayNameEn], after)
  }
  await change({ refreshProfile: false })
})

test('a source that names a username taken by a stranger gets the account, and the stranger loses access', async () => {
  /** Registers somebody with a proven address of their own. */
  const proven = async (username: string, email: string) => {
    const one = portal.stranger()
    const { id } = (await register(one, { username, email, password: PASSWORD })).body
    await portal.meddle('user', id, `update users set email_vouched = true where id = ${id}`)
    return Object.assign(one, { id: id as number })
  }
  const source = await newSource(portal)
  const mallory = await proven('alice', 'mallory@example.org')
  const { authenticator } = await addPasskey(mallory)
  const take = (userName: string, email?: string) =>
    source.call('POST', '/Users', { userName, ...(email && { emails: [{ value: email }] }) })
  const signsIn = async (username: string) => (await portal.stranger().post('/auth/login', { username, password: PASSWORD })).status === 200
  assert.equal((await source.find('userName eq "alice"')).body.Resources[0]?.id, String(mallory.id))
  assert.equal((await take('alice')).body.scimType, 'invalidValue')
  const { status, body } = await take('alice', 'alice@example.org')
  assert.deepEqual([status, body.id, body.emails[0].value], [201, String(mallory.id), 'alice@example.org'])
  const browser = portal.stranger()
  const assertion = await assertionOf(browser, authenticator)
  assert.equal((await browser.post('/auth/passkeys/sign-in', { assertion })).status, 401)
  assert.deepEqual([(await mallory.get('/auth/me')).status, await signsIn('alice')], [401, false])

  const second = await proven('bob', 'mallory-too@example.org')
  const [found] = (await source.find('userName eq "bob"')).body.Resources
  const value = { userName: 'bob', emails: [{ value: 'bob@example.org' }] }
  assert.equal((await source.patch(`/Users/${found.id}`, { op: 'replace', value })).body.emails[0].value, 'bob@example.org')
  assert.deepEqual([found.id, (await second.get('/auth/me')).status, await signsIn('bob')], [String(second.id), 401, false])

  const own = await proven('owning', 'owning@example.org')
  assert.equal((await take('owning@example.org')).body.id, String(own.id))
  const made = { username: 'given.name', email: 'given@example.org', password: PASSWORD }
  const given = (await portal.admin.post('/users', made)).body
  assert.equal((await source.find('userName eq "given.name"')).body.totalResults, 1)
  assert.equal((await take('given.name', 'given-new@example.org')).body.id, String(given.id))
  assert.deepEqual([await signsIn('owning'), await signsIn('given.name')], [true, true], 'by the address, or a name that was given')
})
