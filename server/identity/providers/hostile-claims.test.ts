/** Claims that no honest provider sends, and simultaneous sign-ins of one person. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { openBrowser } from '../../../test/oidc/browser.ts'
import { addProvider, openProvider, type TestProvider } from '../../../test/oidc/provider.ts'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: 'k'.repeat(43) })
let provider: TestProvider
let at: string
before(async () => {
  await portal.ready
  provider = await openProvider({ portalUrl: portal.instance.config.publicUrl, base: portal.base })
  at = `/admin/sign-in/providers/${await addProvider(portal, provider)}`
})
const as = (account: string, claims: Record<string, unknown>) => {
  provider.accounts.set(account, { email: `${account}@corp.example`, ...claims })
  provider.as = account
}
const signIn = async () => {
  const browser = openBrowser(portal)
  const { status, path } = await browser.follow(await browser.start())
  return { status, path, me: (await browser.me()).body }
}

test('groups that the database cannot store as text make the sign-in fail', async () => {
  const group = await portal.admin.post('/groups', { name: 'Finance' })
  await portal.admin.patch(at, { groupRules: [{ value: 'finance', groupId: group.body.id }] })
  for (const groups of [['finance', 'a\0b'], 'a\0b', [7], [['finance']], { finance: true }]) {
    as('strange', { groups })
    const { status, path } = await signIn()
    assert.deepEqual([status, path], [200, '/sign-in?failed=claims'], JSON.stringify(groups))
  }
})

test('a new person who signs in in several tabs at once gets one account and is signed in in every tab', async () => {
  for (const account of ['first', 'second', 'third']) {
    as(account, {})
    const came = await Promise.all([0, 1, 2, 3].map(signIn))
    assert.deepEqual(
      came.map(({ path, me }) => [path, me.id]),
      came.map(() => ['/', came[0]!.me.id]),
    )
  }
})

test('an address that follows the claims voids the reset link that was sent to the former one', async () => {
  await portal.admin.patch(at, { refreshProfile: true })
  as('mover', {})
  const { me } = await signIn()
  const { body } = await portal.admin.post(`/auth/admin/users/${me.id}/issue-reset-link`)
  const token = new URL(body.resetUrl).searchParams.get('token')
  const isValid = async () => (await portal.stranger().post('/auth/reset-password/verify', { token })).body.valid
  assert.equal(await isValid(), true)
  await signIn()
  assert.equal(await isValid(), true, 'the address is the same')
  as('mover', { email: 'somebody-else@corp.example' })
  assert.equal((await signIn()).me.email, 'somebody-else@corp.example')
  assert.equal(await isValid(), false)
})

test('the profile keeps its address if another account takes the new one at the same moment', async () => {
  await portal.admin.patch(at, { refreshProfile: true })
  as('rival', {})
  const rival = await signIn()
  as('late', {})
  assert.equal((await signIn()).path, '/')
  as('late', { name: 'Late Name', email: 'wanted@corp.example' })
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query(`begin; update users set email = 'wanted@corp.example' where id = ${rival.me.id}`)
    await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${rival.me.id}, '{}')`)
    const coming = signIn()
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until('the sign-in waits for the address', async () => (await portal.sql(waiting)).length)
    await client.query('commit')
    const { path, me } = await coming
    assert.deepEqual([path, me.email, me.displayNameEn], ['/', 'late@corp.example', 'Late Name'])
  } finally {
    await client.end()
  }
})

test('where the portal asks for its own factor, a new person must set one up before anything else opens', async () => {
  await portal.admin.patch(at, { secondFactor: 'own' })
  as('bare', {})
  const browser = openBrowser(portal)
  assert.equal((await browser.follow(await browser.start())).path, '/')
  const codeOf = async (path: string) => (await browser.call('GET', path)).body.code
  assert.equal((await browser.me()).status, 200)
  assert.deepEqual(await Promise.all(['/apps', '/orders/my'].map(codeOf)), ['enrolment_required', 'enrolment_required'])
  const { id } = (await browser.me()).body
  const key = "'one', 'key', 0, '{}', false, false"
  await portal.meddle(
    'user',
    id,
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, may_sync, is_synced) values (${id}, 'One', ${key})`,
  )
  assert.equal(await codeOf('/apps'), 'confirmation_required')
  await portal.sql('update sessions set level = 2 where user_id = $1', [id])
  assert.equal(await codeOf('/apps'), undefined)
  await portal.admin.patch(at, { secondFactor: 'trusted' })
})

test('a new default provider replaces the old one, and the log names both', async () => {
  const fields = { nameAr: 'آخر', nameEn: 'Another', issuer: provider.issuer, clientId: 'another' }
  const before = (await portal.admin.patch(at, { isDefault: true })).body
  assert.equal(before.isDefault, true)
  const { audit } = await portal.traces(async () => {
    const added = await portal.admin.post('/admin/sign-in/providers', { ...fields, slug: 'another', isDefault: true })
    assert.equal(added.status, 201, added.text)
    await portal.admin.patch(at, { isDefault: true })
  })
  assert.deepEqual(
    audit.map(({ action, metadata: { slug } }) => [action, slug]),
    [
      ['provider.create', 'another'],
      ['provider.update', 'entra'],
      ['provider.update', 'entra'],
      ['provider.update', 'another'],
    ],
  )
})
