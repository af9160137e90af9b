/** Accounts from a first sign-in, which the provider's source takes over if the provider has verified the address. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { addProvider } from '../../../test/oidc/provider.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const lying = lyingPortal({ createPeople: true, domains: ['Example.org'] })
const { portal, change } = lying
let source: TestSource
beforeEach(async () => {
  source ??= await newSource(portal)
  await change({ sourceId: source.id })
})

/** Somebody signs in at the provider, which creates their account. */
async function come(name: string, more: Record<string, unknown> = {}) {
  const { browser } = await lying.signIn({ sub: name, email: `${name}@example.org`, email_verified: true, ...more })
  const { id, email } = (await browser.me()).body
  return { browser, id: id as number, email: email as string }
}
const create = (by: TestSource, userName: string) => by.call('POST', '/Users', { userName, externalId: userName })

test('the source of a provider takes over an account with an address that the provider verified, and its owner stays signed in', async () => {
  const posted = await come('posted')
  const { status, body } = await create(source, 'Posted@example.org')
  assert.deepEqual([status, body.id], [201, String(posted.id)])

  const patched = await come('patched')
  const [found] = (await source.find(`userName eq "${patched.email}"`)).body.Resources
  assert.equal(found.id, String(patched.id))
  const value = { userName: patched.email, externalId: 'P1' }
  assert.equal((await source.patch(`/Users/${found.id}`, { op: 'replace', value })).status, 200)

  for (const [name, { browser, id }] of Object.entries({ posted, patched })) {
    assert.equal((await browser.me()).status, 200)
    assert.equal((await come(name)).id, id)
    const { source: manager, isUnproven } = (await portal.admin.get(`/users/${id}/provisioning`)).body
    assert.deepEqual([manager.id, isUnproven], [source.id, false])
  }
})

test('an account that a source has taken over stays proven when the source is deleted', async () => {
  const former = await newSource(portal)
  await change({ sourceId: former.id })
  const { id, email } = await come('handed')
  assert.equal((await create(former, email)).body.id, String(id))
  assert.equal((await portal.admin.delete(`/admin/provisioning/sources/${former.id}`)).status, 204)
  assert.equal((await create(await newSource(portal), email)).body.id, String(id))
})

type Person = Awaited<ReturnType<typeof come>>
const meddle = (statement: (id: number) => string) => async (name: string) => {
  const person = await come(name)
  await portal.meddle('user', person.id, statement(person.id))
  return person
}
/** How accounts come about that no source takes over, each with what puts the settings right again. */
const refused: [what: string, prepare: (name: string) => Promise<Person>, undo?: () => Promise<unknown>][] = [
  ['with an address that the provider has not verified', (name) => come(name, { email_verified: false })],
  ['with an address of a domain that the provider does not speak for', (name) => come(name, { email: `${name}@elsewhere.example` })],
  [
    'with an address of a domain that the provider no longer speaks for',
    async (name) => {
      const person = await come(name)
      await change({ domains: ['elsewhere.example'] })
      return person
    },
    () => change({ domains: ['example.org'] }),
  ],
  [
    'with an address that the provider no longer calls verified',
    async (name) => {
      await come(name)
      return come(name, { email_verified: false })
    },
  ],
  [
    'with an address that its owner has changed, and the provider has not verified',
    async (name) => {
      const { browser, id } = await come(name)
      const email = `${name}-changed@example.org`
      await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })
      assert.equal((await browser.call('PATCH', `/users/${id}`, { email })).status, 200)
      await portal.admin.delete(`/users/${id}/roles/admin`)
      return come(name, { email, email_verified: false })
    },
  ],
  [
    'with an address that its owner has changed, while the provider calls the former one verified',
    async (name) => {
      const { id } = await come(name)
      const email = `${name}-changed@example.org`
      await portal.meddle('user', id, `update users set email = '${email}', email_vouched = false where id = ${id}`)
      return { ...(await come(name)), email }
    },
  ],
  [
    'whose provider is inactive',
    async (name) => {
      const person = await come(name)
      await change({ isActive: false })
      return person
    },
    () => change({ isActive: true }),
  ],
  ['that nobody has proven', meddle((id) => `update users set is_proven = false where id = ${id}`)],
  ['that a password opens, too', meddle((id) => `update users set password_hash = 'x' where id = ${id}`)],
  [
    'that a passkey opens, too',
    meddle(
      (id) => `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, may_sync, is_synced)
        values (${id}, 'Key', '\\x01', '\\x01', 0, '{}', false, false)`,
    ),
  ],
  [
    'in which a session goes on that began without the provider',
    meddle((id) => `insert into sessions (token_hash, user_id, expires_at) values ('hash of ${id}', ${id}, now() + interval '1 hour')`),
  ],
  [
    'that another provider opens, too',
    async (name) => {
      const person = await come(name)
      const other = await addProvider(portal, lying.liar, { slug: 'other' })
      await portal.meddle('user', person.id, `insert into identities (provider_id, subject, user_id) values (${other}, 'x', ${person.id})`)
      return person
    },
  ],
]
for (const [n, [what, prepare, undo]] of refused.entries())
  test(`a source does not take over an account ${what}`, async () => {
    const { id, email } = await prepare(`refused${n}`)
    const { status, body } = await create(source, email)
    assert.deepEqual([status, body.scimType, body.code], [409, 'uniqueness', 'email_taken'])
    assert.equal((await source.find(`userName eq "${email}"`)).body.totalResults, 0)
    assert.equal((await source.get(`/Users/${id}`)).status, 404)
    await undo?.()
  })

test('a source does not take over an account with an address that the provider of another source verified', async () => {
  const { email } = await come('elsewhere')
  const other = await newSource(portal)
  assert.deepEqual((await create(other, email)).body.scimType, 'uniqueness')
  assert.equal((await create(source, email)).status, 201)
})
