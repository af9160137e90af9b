/** Secrets are only in the first answer: an answer that is repeated for an `Idempotency-Key` has null in their place. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addPasskey, codeOf } from '../../../test/factors.ts'
import { makers, silence } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'
import { routes } from '../../../test/running.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
const make = makers(portal)
before(() => portal.ready)

let keys = 0
/** Makes a call twice with one key. Asserts that the second leaves no trace and differs only by nulls; returns the first answer. */
async function twice(by: Client, path: string, body: object | undefined, secrets: string[]) {
  const headers = { 'idempotency-key': `key ${++keys}` }
  const first = await by.send('POST', path, body, headers)
  assert.ok(first.status < 300, first.text)
  const traces = await portal.traces(async () => {
    const again = await by.send('POST', path, body, headers)
    assert.deepEqual([again.status, again.body], [first.status, hidden(first.body, secrets)], path)
  })
  assert.deepEqual(traces, silence)
  return first.body
}
/** The answer with null in place of these fields, at any depth. */
function hidden(value: unknown, names: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => hidden(one, names))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  for (const name of names) if (name in value) assert.notEqual((value as Record<string, unknown>)[name], null, name)
  return Object.fromEntries(fields.map(([name, field]) => [name, names.includes(name) ? null : hidden(field, names)]))
}

test('tokens of people and of service accounts are shown once', async () => {
  const body = { name: 'Report', scopes: ['orders:read'] }
  await twice(portal.admin, '/auth/me/tokens', body, ['token'])
  const { id } = await addProgram(portal, 'robot')
  await twice(portal.admin, `/service-accounts/${id}/tokens`, body, ['token'])
})

test('secrets of authenticator apps and recovery codes are shown once', async () => {
  const person = await make.newPerson()
  const { secret } = await twice(person, '/auth/me/totp', undefined, ['secret', 'uri'])
  await twice(person, '/auth/me/totp/confirm', { code: codeOf(secret) }, ['recoveryCodes'])
  await twice(person, '/auth/me/recovery-codes', undefined, ['recoveryCodes'])
  assert.equal((await addPasskey(await make.newPerson())).passkey.recoveryCodes!.length, 10)
})

test('links for resets, invitations and uploads are shown once', async () => {
  const { id } = await make.newPerson()
  await twice(portal.admin, `/auth/admin/users/${id}/issue-reset-link`, undefined, ['resetUrl'])
  const invite = (name: string) => ({ username: name, email: `${name}@example.org`, invite: true })
  await twice(portal.admin, '/users', invite('invited1'), ['resetUrl'])
  await twice(portal.admin, '/users/bulk', { items: [invite('invited2'), invite('invited3')] }, ['resetUrl'])
  await twice(portal.admin, '/storage/uploads/request-url', { name: 'a.png', size: 3, contentType: 'image/png' }, ['uploadURL'])
})

test('every field of an answer that is named like a secret is marked as shown once', () => {
  const named = /^(token|secret|uri|recoveryCodes|resetUrl|uploadURL)$/
  const open: string[] = []
  const search = (at: string, schema: object) => {
    const { properties = {}, items, oneOf = [] } = schema as { properties?: Record<string, object>; items?: object; oneOf?: object[] }
    for (const [name, field] of Object.entries(properties)) {
      if (named.test(name) && !('isShownOnce' in field)) open.push(`${at} ${name}`)
      search(at, field)
    }
    for (const one of [...(items ? [items] : []), ...oneOf]) search(at, one)
  }
  for (const { at, endpoint } of routes) if (at.startsWith('POST') && endpoint.reply) search(at, endpoint.reply)
  assert.deepEqual(open, [])
})
