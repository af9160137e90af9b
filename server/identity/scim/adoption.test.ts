/** Accounts that a source takes over: when their address counts as proven, and which ways in remain. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addPasskey } from '../../../test/factors.ts'
import { PASSWORD, testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

/** Registers somebody, who then adds a passkey. */
async function registered(username: string, email = `${username}@example.org`) {
  const one = portal.stranger()
  const { status, body, text } = await one.post('/auth/register', { username, email, password: PASSWORD })
  assert.equal(status, 201, text)
  const client = Object.assign(one, { id: body.id as number, username })
  await addPasskey(client)
  return client
}
type Person = Awaited<ReturnType<typeof registered>>

async function resetPassword({ id }: Person, mailed: boolean) {
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  await portal.meddle('user', id, `update password_resets set mailed = ${mailed} where user_id = ${id}`)
  const token = new URL(resetUrl).searchParams.get('token')
  assert.equal((await portal.stranger().post('/auth/reset-password', { token, newPassword: PASSWORD })).status, 200)
}

/** Registers somebody who proves their address by a mailed link and has a passkey. */
async function proven(username: string, email?: string) {
  const one = await registered(username, email)
  await resetPassword(one, true)
  assert.equal((await one.post('/auth/login', { username, password: PASSWORD })).status, 200)
  await addPasskey(one)
  return one
}

/** The status of `/auth/me`, 200 while somebody is signed in, and the number of their passkeys. */
const waysOf = async (one: Person) => [
  (await one.get('/auth/me')).status,
  (await portal.admin.get(`/users/${one.id}/factors`)).body.passkeyCount,
]

test('an account that a source names by its proven address keeps its ways in, whatever address the source gives it', async () => {
  const posted = await proven('huda', 'huda@corp.example.org')
  const more = { emails: [{ value: 'huda.ali@corp.example.org', type: 'work' }] }
  assert.equal((await source.person('huda@corp.example.org', more)).id, String(posted.id))

  const patched = await proven('sara', 'sara@corp.example.org')
  const [found] = (await source.find('userName eq "sara@corp.example.org"')).body.Resources
  assert.equal(found.id, String(patched.id))
  const value = { userName: 'sara@corp.example.org', emails: [{ value: 'sara.ali@corp.example.org', type: 'work' }] }
  assert.equal((await source.patch(`/Users/${found.id}`, { op: 'replace', value })).status, 200)
  for (const one of [posted, patched]) assert.deepEqual([one.username, ...(await waysOf(one))], [one.username, 200, 1])
})

test('an account is found by its username, and keeps its ways in if the source gives it the address that it has', async () => {
  const noor = await proven('noor')
  const [found] = (await source.find('userName eq "NOOR"')).body.Resources
  assert.equal(found.id, String(noor.id))
  const body = { userName: 'noor', emails: [{ value: 'Noor@example.org', type: 'work' }] }
  assert.equal((await source.call('PUT', `/Users/${found.id}`, body)).status, 200)
  assert.deepEqual(await waysOf(noor), [200, 1])
  assert.equal((await source.find('userName eq "noor"')).body.Resources[0]?.id, found.id)
})

/** The body of a person with their own address and no name. */
const nameless = (userName: string) => ({ userName, emails: [{ value: `${userName}@example.org`, type: 'work' }] })

for (const [username, more] of [['hana', {}] as const, ['hala', { active: null }] as const])
  test(`an account adopted with ${JSON.stringify(more)} keeps the names and the state that the source does not send`, async () => {
    const one = await proven(username)
    await portal.admin.patch(`/users/${one.id}`, { displayNameAr: 'هناء', displayNameEn: 'Hana', isActive: false })
    const { status, body } = await source.call('POST', '/Users', { ...nameless(username), ...more })
    assert.deepEqual([status, body.id, body.active], [201, String(one.id), false])
    const { displayNameAr, displayNameEn, isActive } = (await portal.admin.get(`/users/${one.id}`)).body
    assert.deepEqual([displayNameAr, displayNameEn, isActive], ['هناء', 'Hana', false])
    assert.equal((await source.call('PUT', `/Users/${one.id}`, { ...nameless(username), active: true })).body.active, true)
  })

test('a person that one source deleted stays inactive when another source creates them, and comes back when the first one does', async () => {
  const other = await newSource(portal)
  for (const [username, creator, isActive] of [['lama', source, false] as const, ['rima', other, true] as const]) {
    const { id } = await other.person(`${username}@example.org`)
    assert.equal((await other.call('DELETE', `/Users/${id}`)).status, 204)
    const { body } = await creator.call('POST', '/Users', nameless(username))
    assert.deepEqual([body.id, body.active], [id, isActive], username)
  }
})

test('a first PUT or PATCH clears the name that it takes away', async () => {
  for (const [username, take] of [
    ['suha', (id: number) => source.call('PUT', `/Users/${id}`, nameless('suha'))],
    [
      'samar',
      (id: number) => source.patch(`/Users/${id}`, { op: 'replace', value: nameless('samar') }, { op: 'remove', path: 'displayName' }),
    ],
  ] as const) {
    const { id } = await proven(username)
    await portal.admin.patch(`/users/${id}`, { displayNameEn: 'Named' })
    const { status, body } = await take(id)
    assert.deepEqual([status, body.displayName], [200, undefined], username)
    assert.equal((await portal.admin.get(`/users/${id}`)).body.displayNameEn, null, username)
  }
})

test('an account with a self-chosen username is taken over only by a change that names an address; a different address ends its owner’s access', async () => {
  const mail = (value: string) => ({ op: 'replace', path: 'emails[type eq "work"].value', value })
  const externalId = (value: string) => ({ op: 'add', path: 'externalId', value })
  const userName = (value: string) => ({ op: 'replace', path: 'userName', value })
  const find = async (name: string) => {
    const { id, userName, emails } = (await source.find(`userName eq "${name}"`)).body.Resources[0]
    return [id, userName, emails]
  }
  const mallory = await proven('layla', 'mallory@elsewhere.example')
  assert.deepEqual(await find('layla'), [String(mallory.id), 'layla', undefined])
  for (const operations of [
    [externalId('N1')],
    [userName('layla')],
    [userName('layla@example.org'), externalId('N1')],
    [{ op: 'add', path: 'title', value: 'Clerk' }],
  ]) {
    const { status, body } = await source.patch(`/Users/${mallory.id}`, ...operations)
    assert.deepEqual([status, body.scimType], [400, 'invalidValue'])
  }
  assert.deepEqual(await waysOf(mallory), [200, 1])
  assert.equal((await source.patch(`/Users/${mallory.id}`, externalId('N1'), mail('layla@example.org'))).status, 200)
  assert.deepEqual(await waysOf(mallory), [401, 0])

  for (const [name, named] of [
    ['reem', mail('Reem@example.org')],
    ['dana', userName('dana@example.org')],
  ] as const) {
    const one = await proven(name)
    assert.deepEqual(await find(`${name}@example.org`), [String(one.id), name, undefined])
    assert.equal((await source.patch(`/Users/${one.id}`, externalId(name), named)).status, 200)
    assert.deepEqual(await waysOf(one), [200, 1])
  }
})

test('an address that a source writes in another case stays as proven as before, even an administrator’s, and voids no reset link', async () => {
  const known = await portal.person('cased', { roles: ['admin'] })
  const granting = await newSource(portal, { mayGrantAdmin: true })
  await granting.person('cased@example.org')
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${known.id}/issue-reset-link`)).body
  assert.equal((await portal.admin.patch(`/admin/provisioning/sources/${granting.id}`, { mayGrantAdmin: false })).status, 200)
  const value = [{ value: 'Cased@Example.org', type: 'work', primary: true }]
  assert.equal((await granting.patch(`/Users/${known.id}`, { op: 'replace', path: 'emails', value })).status, 200)
  assert.equal((await portal.admin.get(`/users/${known.id}`)).body.email, 'Cased@Example.org')
  assert.equal((await portal.admin.get(`/users/${known.id}/provisioning`)).body.hasOlderWays, false)
  const token = new URL(resetUrl).searchParams.get('token')
  assert.equal((await portal.stranger().post('/auth/reset-password', { token, newPassword: PASSWORD })).status, 200)
})

/** Whether administrators see the address as unproven, and whether another source takes the account over, with the status of its call. */
async function standingOf({ id }: { id: number }, email: string) {
  const { isUnproven } = (await portal.admin.get(`/users/${id}/provisioning`)).body
  const next = await newSource(portal)
  const { status, body } = await next.call('POST', '/Users', { userName: email })
  return [isUnproven, status, body.id === String(id)]
}
const taken = [false, 201, true]

test('an address that a source gave to somebody with ways in counts as proven, also once the source is deleted', async () => {
  const former = await newSource(portal)
  const known = await portal.person('settled')
  await former.person('settled@example.org')
  const value = [{ value: 'settled-new@example.org', type: 'work' }]
  assert.equal((await former.patch(`/Users/${known.id}`, { op: 'replace', path: 'emails', value })).status, 200)
  assert.equal((await portal.admin.delete(`/admin/provisioning/sources/${former.id}`)).status, 204)
  assert.deepEqual(await standingOf(known, 'settled-new@example.org'), taken)
})

test('an address that an administrator gives to somebody with ways in counts as proven, and one that administrators give to themselves does not', async () => {
  const known = await portal.person('moved')
  assert.equal((await portal.admin.patch(`/users/${known.id}`, { email: 'moved-new@example.org' })).status, 200)
  assert.deepEqual(await standingOf(known, 'moved-new@example.org'), taken)

  const chief = await portal.person('self.made', { roles: ['admin'] })
  assert.equal((await chief.patch(`/users/${chief.id}`, { email: 'self.made-new@example.org' })).status, 200)
  assert.equal((await portal.admin.delete(`/users/${chief.id}/roles/admin`)).status, 200)
  assert.deepEqual(await standingOf(chief, 'self.made-new@example.org'), [true, 409, false])
})

test('an address that a mailed link proved counts as proven although a passkey is older than the link', async () => {
  const one = await registered('late.proof')
  await resetPassword(one, false)
  assert.equal((await one.post('/auth/login', { username: one.username, password: PASSWORD })).status, 200)
  await addPasskey(one)
  assert.equal((await portal.admin.get(`/users/${one.id}/provisioning`)).body.isUnproven, true)
  await resetPassword(one, true)
  assert.deepEqual(await standingOf(one, 'late.proof@example.org'), taken)
})

test('a person sent with the username of a managed account and another address becomes a new person with another username', async () => {
  const other = await newSource(portal)
  const { id: theirs } = await other.person('namesake@example.org')
  await portal.admin.post('/service-accounts', { username: 'night.run', nameEn: 'Night run' })
  for (const [n, userName] of ['namesake', 'night.run', 'namesake'].entries()) {
    const of = n === 2 ? other : source
    const { id } = await of.person(userName, { emails: [{ value: `namesake${n}@other.example.org`, type: 'work' }] })
    assert.notEqual(id, theirs)
    assert.match((await portal.admin.get(`/users/${id}`)).body.username, new RegExp(`^${userName}-[2-9]$`))
  }
})
