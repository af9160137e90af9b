import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const SETTINGS = '/admin/sign-in/settings'
const read = async () => (await portal.admin.get(SETTINGS)).body
const failing = ({ status, body }: { status: number; body: { details?: { path: string; rule: string }[] } }) => [
  status,
  body.details?.map(({ path, rule }) => `${path} ${rule}`),
]

test('at first, everybody signs in by password, and nobody owes a second factor', async () =>
  assert.deepEqual(await read(), {
    passwords: 'everyone',
    passkeys: 'everyone',
    graceDays: 14,
    confirmAdministration: false,
    tokenMaxDays: 365,
    personalTokens: true,
    trustDevices: false,
    secondFactorRoles: [],
  }))

test('a change is returned, dated, audited with the former values, and told to every page', async () => {
  const before = await read()
  const wish = { graceDays: 7, personalTokens: false, tokenMaxDays: 90, trustDevices: true, passkeys: 'exceptions' }
  const { audit, ...rest } = await portal.traces(async () => {
    const { status, body } = await portal.admin.patch(SETTINGS, wish)
    assert.equal(status, 200)
    assert.deepEqual(body, { ...before, ...wish, updatedAt: body.updatedAt })
    assert.deepEqual(await read(), body)
  })
  assert.deepEqual(rest, { histories: [], notices: [], events: [{ event: 'settings_changed', data: {}, to: null }] })
  assert.equal(audit.length, 1)
  const { action, type, metadata } = audit[0]!
  assert.deepEqual([action, type], ['sign_in.settings', 'sign_in_settings'])
  assert.deepEqual((metadata['changed'] as Record<string, unknown>)['graceDays'], { from: 14, to: 7 })
})

test('a call that changes nothing leaves no trace', async () => {
  const before = await read()
  const traces = await portal.traces(async () => {
    for (const body of [{}, { graceDays: before.graceDays, secondFactorRoles: [] }, { unknown: 1 }])
      assert.deepEqual((await portal.admin.patch(SETTINGS, body)).body, before)
  })
  assert.deepEqual(traces, silence)
})

for (const [field, value] of [
  ['passwords', 'nobody'],
  ['passkeys', null],
  ['graceDays', -1],
  ['graceDays', 91],
  ['graceDays', 1.5],
  ['tokenMaxDays', 0],
  ['tokenMaxDays', 1096],
  ['confirmAdministration', 'true'],
  ['personalTokens', 1],
  ['secondFactorRoles', 'admin'],
  ['secondFactorRoles', ['admin', 'admin']],
  ['secondFactorRoles', ['nobody has this role']],
] as const)
  test(`${field} cannot be ${JSON.stringify(value)}`, async () => {
    const { status, body } = await portal.admin.patch(SETTINGS, { [field]: value })
    assert.deepEqual([status, body.details[0].path], [400, field])
  })

test('an administrator without a second factor cannot demand one of other people', async () =>
  assert.deepEqual(failing(await portal.admin.patch(SETTINGS, { secondFactorRoles: ['user'] })), [400, ['secondFactorRoles ownFactor']]))

test('a provider cannot be required before an exception could sign in without it', async () => {
  assert.deepEqual(failing(await portal.admin.patch(SETTINGS, { passwords: 'exceptions' })), [
    400,
    ['passwords ownProviderSignIn', 'passwords exceptions'],
  ])
  assert.equal((await read()).passwords, 'everyone')
})

test('only administrators see and change the settings of sign-in', async () => {
  const powerless = await portal.person('powerless')
  for (const answer of [await powerless.get(SETTINGS), await powerless.patch(SETTINGS, { graceDays: 1 })])
    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'])
})

test('each of several simultaneous changes is recorded with the value that it replaced', async () => {
  const { audit } = await portal.traces(() => Promise.all([20, 30, 40].map((graceDays) => portal.admin.patch(SETTINGS, { graceDays }))))
  const steps = audit.map(({ metadata }) => (metadata['changed'] as { graceDays: { from: number; to: number } }).graceDays)
  for (const [index, { from }] of steps.slice(1).entries()) assert.equal(from, steps[index]!.to)
  assert.equal(steps.length, 3)
})
