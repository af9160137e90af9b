import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'
import { giveToken, tokenOf, withToken } from '../../../test/tokens.ts'
import { newApiToken } from '../../platform/auth/api-tokens.ts'

const portal = testPortal()
const DAY_MS = 24 * 3600 * 1000

test('a token is shown once, and then listed by its last four characters', async () => {
  const person = await portal.person('maker')
  const { audit, notices, events } = await portal.traces(async () => {
    const { status, body } = await person.post('/auth/me/tokens', { name: ' Stock  report ', scopes: ['profile:read', 'orders:read'] })
    assert.equal(status, 201)
    const { token, ...listed } = body
    assert.match(token, /^bwp_[0-9A-Za-z]{42}$/)
    const { id, createdAt, expiresAt, ...rest } = listed
    const fields = { name: 'Stock  report', scopes: ['profile:read', 'orders:read'], lastFour: token.slice(-4) }
    assert.deepEqual(rest, { ...fields, lastUsedAt: null, lastUsedIp: null })
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - 90 * DAY_MS) < 1000)
    assert.deepEqual((await person.get('/auth/me/tokens')).body, [listed])
    assert.equal((await withToken(portal, token).get('/auth/me')).body.username, 'maker')
    assert.ok(id > 0)
  })
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [['token.create', person.id]],
  )
  assert.deepEqual(notices, [{ user: person.id, type: 'system', titleEn: 'A new API token' }])
  assert.deepEqual(
    events.filter(({ event }) => event === 'security_changed'),
    [{ event: 'security_changed', data: {}, to: [person.id] }],
  )
})

test('the person who makes a token is notified, because a thief may have made it', async () => {
  const person = await portal.person('told')
  await person.post('/auth/me/tokens', { name: 'Mine', scopes: ['profile:read'] })
  const { body } = await person.get('/notifications')
  assert.deepEqual([body[0].titleEn, body[0].isRead], ['A new API token', false])
})

for (const [what, body, path] of [
  ['no scope', { name: 'x', scopes: [] }, 'scopes'],
  ['an unknown scope', { name: 'x', scopes: ['everything'] }, 'scopes.0'],
  ['the scope of sources', { name: 'x', scopes: ['scim'] }, 'scopes.0'],
  ['a scope twice', { name: 'x', scopes: ['profile:read', 'profile:read'] }, 'scopes'],
  ['a scope that its owner lacks', { name: 'x', scopes: ['profile:read', 'admin:read', 'orders:receive'] }, 'scopes'],
  ['no name', { name: ' ', scopes: ['profile:read'] }, 'name'],
  ['a long name', { name: 'x'.repeat(61), scopes: ['profile:read'] }, 'name'],
  ['no day', { name: 'x', scopes: ['profile:read'], expiresInDays: 0 }, 'expiresInDays'],
  ['more days than allowed', { name: 'x', scopes: ['profile:read'], expiresInDays: 366 }, 'expiresInDays'],
] as const)
  test(`a token with ${what} is refused`, async () => {
    const person = await portal.person(`refused${what.length}${path.length}`)
    const traces = await portal.traces(async () => {
      const answer = await person.post('/auth/me/tokens', body)
      assert.deepEqual([answer.status, answer.body.details?.[0].path], [400, path], answer.text)
    })
    assert.deepEqual(traces, silence)
  })

test('a person has at most 20 tokens, also if many are made at once', async () => {
  const person = await portal.person('collector')
  const make = (n: number) => person.post('/auth/me/tokens', { name: `No. ${n}`, scopes: ['profile:read'] })
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => make(n)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 20)
  const refused = answers.find(({ status }) => status !== 201)!
  assert.deepEqual([refused.status, refused.body.code, refused.body.used, refused.body.allowed], [409, 'quota_exceeded', 20, 20])
  const { body } = await person.get('/auth/me/tokens')
  assert.equal((await person.delete(`/auth/me/tokens/${body[0].id}`)).status, 204)
  assert.equal((await make(30)).status, 201)
})

test('making a token needs a confirmation of the last 15 minutes', async () => {
  const person = await portal.person('stale')
  await portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1`, [person.id])
  const { status, body } = await person.post('/auth/me/tokens', { name: 'x', scopes: ['profile:read'] })
  assert.deepEqual([status, body.code], [403, 'confirmation_required'])
})

test('a person ends their own tokens, and nobody else’s', async () => {
  const [one, other] = [await portal.person('one'), await portal.person('other')]
  const token = await tokenOf(portal, one.id)
  assert.equal((await other.delete(`/auth/me/tokens/${token.token.id}`)).status, 404)
  assert.equal((await token.get('/auth/me')).status, 200)
  const { audit } = await portal.traces(async () => {
    assert.equal((await one.delete(`/auth/me/tokens/${token.token.id}`)).status, 204)
  })
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['token.revoke'],
  )
  assert.equal((await token.get('/auth/me')).status, 401)
  assert.equal((await one.delete(`/auth/me/tokens/${token.token.id}`)).status, 404)
  assert.deepEqual((await one.get('/auth/me/tokens')).body, [])
})

test('administrators see everybody’s tokens with their owners, the soonest to end first', async () => {
  const [one, other] = [await portal.person('seen1', { displayNameEn: 'Seen One' }), await portal.person('seen2')]
  const ids = [await giveToken(portal, one.id, { days: 5 }), await giveToken(portal, other.id, { days: 2 })].map(({ id }) => id)
  const { body } = await portal.admin.get('/admin/tokens?limit=2')
  assert.deepEqual(
    body.items.map(({ id, owner }: { id: number; owner: object }) => [id, owner]),
    [
      [ids[1], { id: other.id, username: 'seen2', kind: 'person', displayNameAr: null, displayNameEn: null }],
      [ids[0], { id: one.id, username: 'seen1', kind: 'person', displayNameAr: null, displayNameEn: 'Seen One' }],
    ],
  )
  assert.ok(body.totalCount > 2 && body.nextOffset === 2)
  const some = async (query: string) => (await portal.admin.get(`/admin/tokens?${query}`)).body.items.map(({ id }: { id: number }) => id)
  assert.deepEqual(await some(`userId=${one.id}`), [ids[0]])
  assert.deepEqual(await some(`expiresWithinDays=3`), [ids[1]])
  assert.equal((await one.get('/admin/tokens')).status, 403)
})

test('the owner of a source’s token names the source', async () => {
  const source = await newSource(portal)
  const [account] = await portal.sql<{ id: number }>(`select user_id as id from provisioning_sources where id = ${source.id}`)
  const [{ owner }] = (await portal.admin.get(`/admin/tokens?userId=${account!.id}`)).body.items
  assert.deepEqual([owner.id, owner.kind, owner.sourceId], [account!.id, 'service', source.id])
})

test('an administrator ends the token of a person, who is told', async () => {
  const person = await portal.person('ended')
  const token = await tokenOf(portal, person.id)
  const { audit, notices } = await portal.traces(async () => {
    assert.equal((await portal.admin.delete(`/admin/tokens/${token.token.id}`)).status, 204)
  })
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata['by']]),
    [['token.revoke', 'administrator']],
  )
  assert.deepEqual(notices, [{ user: person.id, type: 'system', titleEn: 'One of your tokens was ended' }])
  assert.equal((await token.get('/auth/me')).status, 401)
  assert.equal((await portal.admin.delete(`/admin/tokens/${token.token.id}`)).status, 404)
})

test('anyone who finds a token can end it, and its owner is told', async () => {
  const person = await portal.person('careless')
  const token = await tokenOf(portal, person.id)
  const { audit, notices } = await portal.traces(async () => {
    assert.equal((await portal.stranger().post('/tokens/revoke', { token: token.token.text })).status, 204)
  })
  assert.deepEqual(
    audit.map(({ action, target, metadata }) => [action, target, metadata['by']]),
    [['token.revoke', person.id, 'finder']],
  )
  assert.deepEqual(notices, [{ user: person.id, type: 'system', titleEn: 'A token was found and ended' }])
  assert.equal((await token.get('/auth/me')).status, 401)
  const traces = await portal.traces(async () => {
    const odd = ['', ' ', 'x'.repeat(5000), 'رمز', `a${'\u0301'.repeat(40)}`, '\u202e', '\u0007']
    for (const text of [token.token.text, newApiToken('personal'), 'anything', person.cookie.split('=')[1], ...odd])
      assert.equal((await portal.stranger().post('/tokens/revoke', { token: text })).status, 204)
  })
  assert.deepEqual(traces, silence)
  assert.equal((await person.get('/auth/me')).status, 200)
})

test('the first use of a token is noted with its IP address, and so is a use a minute later', async () => {
  const person = await portal.person('user')
  const token = await tokenOf(portal, person.id)
  const shown = async () => (await person.get('/auth/me/tokens')).body[0]
  await token.get('/auth/me')
  const used = await until('its use is noted', async () => {
    const one = await shown()
    return one.lastUsedAt && one
  })
  assert.equal(used.lastUsedIp, '127.0.0.1')
  await portal.sql(`update api_tokens set last_used_at = now() - interval '1 day', last_used_ip = null where id = $1`, [token.token.id])
  await portal.sql(`update sessions set last_used_at = now() - interval '61 seconds' where id = $1`, [token.token.sessionId])
  await token.get('/auth/me')
  await until('its next use is noted', async () => (await shown()).lastUsedIp === '127.0.0.1')
})

test('a token that was ended or has expired is in no list, and an expired one gets 401', async () => {
  const person = await portal.person('over')
  const [ended, expired] = [await giveToken(portal, person.id), await giveToken(portal, person.id)]
  await person.delete(`/auth/me/tokens/${ended.id}`)
  await portal.sql(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [expired.sessionId])
  assert.deepEqual((await person.get('/auth/me/tokens')).body, [])
  assert.equal((await portal.admin.get(`/admin/tokens?userId=${person.id}`)).body.totalCount, 0)
  assert.equal((await withToken(portal, expired.text).get('/auth/me')).status, 401)
})

test('while people may have no tokens, theirs get 401 and nobody can make one; afterwards they are valid again', async () => {
  const person = await portal.person('switched')
  const token = await tokenOf(portal, person.id, { scopes: ['profile:read', 'notifications:write'] })
  const program = await tokenOf(portal, person.id, { kind: 'service' })
  const set = async (personalTokens: boolean) =>
    assert.equal((await portal.admin.patch('/admin/sign-in/settings', { personalTokens })).status, 200)
  await set(false)
  assert.equal((await token.get('/auth/me')).status, 401)
  assert.equal((await token.post('/notifications/read-all')).status, 401)
  assert.equal((await program.get('/auth/me')).status, 200)
  const { status, body } = await person.post('/auth/me/tokens', { name: 'x', scopes: ['profile:read'] })
  assert.deepEqual([status, body.code], [403, 'forbidden'])
  assert.equal((await person.get('/auth/me/tokens')).body.length, 2)
  await set(true)
  assert.equal((await token.get('/auth/me')).status, 200)
})

test('a token lasts no longer than the settings allow', async () => {
  const person = await portal.person('brief')
  await portal.admin.patch('/admin/sign-in/settings', { tokenMaxDays: 30 })
  const made = await person.post('/auth/me/tokens', { name: 'x', scopes: ['profile:read'] })
  assert.ok(Math.abs(Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt) - 30 * DAY_MS) < 1000)
  assert.equal((await person.post('/auth/me/tokens', { name: 'x', scopes: ['profile:read'], expiresInDays: 31 })).status, 400)
  await portal.admin.patch('/admin/sign-in/settings', { tokenMaxDays: 365 })
})

test('a password change ends tokens only if the call asks for it', async () => {
  const person = await portal.person('changer')
  const token = await tokenOf(portal, person.id)
  const change = (from: string, to: string, more = {}) =>
    person.post('/auth/me/password', { currentPassword: from, newPassword: to, ...more })
  assert.equal((await change(PASSWORD, 'another staple')).status, 200)
  assert.equal((await token.get('/auth/me')).status, 200)
  assert.equal((await change('another staple', PASSWORD, { endTokens: true })).status, 200)
  assert.equal((await token.get('/auth/me')).status, 401)
  assert.equal((await person.get('/auth/me')).status, 200)
})
