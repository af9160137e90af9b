import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const read = async () => (await portal.stranger().get('/settings')).body
const register = (username: string) =>
  portal.stranger().post('/auth/register', { username, email: `${username}@example.org`, password: PASSWORD })

test('anyone can read the initial settings without a session', async () =>
  assert.deepEqual(await read(), {
    siteNameAr: 'بوابة',
    siteNameEn: 'Bawaba',
    registrationOpen: true,
    footerTextAr: 'البوابة الداخلية',
    footerTextEn: 'Internal portal',
    timeZone: 'UTC',
    currency: null,
  }))

test('a change is returned, visible to everyone, dated, and audited with the former values', async () => {
  const before = await read()
  const { audit, ...rest } = await portal.traces(async () => {
    const { status, body } = await portal.admin.patch('/settings', {
      siteNameEn: '  The\n Gate ',
      footerTextAr: 'تذييل',
      registrationOpen: true,
    })
    assert.equal(status, 200)
    assert.ok(Math.abs(Date.parse(body.updatedAt) - Date.now()) < 60_000)
    assert.deepEqual(body, { ...before, siteNameEn: 'The  Gate', footerTextAr: 'تذييل', updatedAt: body.updatedAt })
    assert.deepEqual(await read(), body)
  })
  const changed = { siteNameEn: { from: 'Bawaba', to: 'The  Gate' }, footerTextAr: { from: 'البوابة الداخلية', to: 'تذييل' } }
  assert.deepEqual(
    { audit, ...rest },
    {
      ...silence,
      audit: [{ action: 'settings.update', type: 'settings', target: 1, metadata: { changed } }],
      events: [{ event: 'settings_changed', data: {}, to: null }],
    },
  )
})

test('a call that changes nothing leaves no trace and keeps updatedAt', async () => {
  await portal.admin.patch('/settings', { siteNameEn: 'Kept' })
  const before = await read()
  const traces = await portal.traces(async () => {
    for (const body of [{}, { siteNameEn: ' Kept\u202E' }, { unknown: 1, updatedAt: '2020-01-01T00:00:00Z' }]) {
      const answer = await portal.admin.patch('/settings', body)
      assert.deepEqual([answer.status, answer.body], [200, before])
    }
  })
  assert.deepEqual(traces, silence)
})

const ofLength = (length: number) => 'س'.repeat(length)
for (const [field, value, status] of [
  ['siteNameAr', ofLength(1), 200],
  ['siteNameEn', ofLength(200), 200],
  ['siteNameEn', `  ${ofLength(200)}\u202E `, 200],
  ['siteNameAr', ofLength(201), 400],
  ['siteNameEn', '', 400],
  ['siteNameAr', ' \n\u202A ', 400],
  ['siteNameAr', null, 400],
  ['footerTextAr', ofLength(300), 200],
  ['footerTextEn', ofLength(301), 400],
  ['footerTextEn', '\t', 400],
  ['footerTextAr', 5, 400],
  ['registrationOpen', 'true', 400],
  ['registrationOpen', null, 400],
] as const) {
  test(`${field} of ${JSON.stringify(value)?.slice(0, 12)} (${String(value).length} long) is answered with ${status}`, async () => {
    const { status: got, body } = await portal.admin.patch('/settings', { [field]: value })
    assert.deepEqual([got, body.details?.[0].path], [status, status === 400 ? field : undefined])
  })
}

test('closing and opening registration take effect at once', async () => {
  await portal.admin.patch('/settings', { registrationOpen: false })
  const { status, body } = await register('latecomer')
  assert.deepEqual([status, body.code, (await read()).registrationOpen], [403, 'registration_closed', false])
  await portal.admin.patch('/settings', { registrationOpen: true })
  assert.equal((await register('latecomer')).status, 201)
})

test('simultaneous changes are recorded one after the other, each with the former values it replaced', async () => {
  const names = ['One', 'Two', 'Three', 'Four']
  const { audit } = await portal.traces(() => Promise.all(names.map((siteNameEn) => portal.admin.patch('/settings', { siteNameEn }))))
  const steps = audit.map(({ metadata }) => (metadata['changed'] as { siteNameEn: { from: string; to: string } }).siteNameEn)
  assert.deepEqual(steps.map(({ to }) => to).toSorted(), names.toSorted())
  for (const [index, { from }] of steps.slice(1).entries()) assert.equal(from, steps[index]!.to)
})

test('the time zone must be an existing IANA name', async () => {
  for (const timeZone of ['Asia/Riyadh', 'Africa/Cairo', 'UTC'])
    assert.equal((await portal.admin.patch('/settings', { timeZone })).body.timeZone, timeZone)
  for (const timeZone of ['', '+03:00', 'Asia/Nowhere', 'Riyadh', '../UTC', 'x'.repeat(101), 3, null]) {
    const { status, body } = await portal.admin.patch('/settings', { timeZone })
    assert.deepEqual([status, body.details[0].path], [400, 'timeZone'], String(timeZone))
  }
})

test('the currency is an ISO 4217 code or null; a change of it sends an event, is audited, and is refused with an old ETag', async () => {
  const { headers } = await portal.admin.get('/settings')
  const { audit, events } = await portal.traces(() => portal.admin.patch('/settings', { currency: 'SAR' }))
  assert.equal((await read()).currency, 'SAR')
  assert.deepEqual(
    audit.map(({ metadata }) => metadata),
    [{ changed: { currency: { from: null, to: 'SAR' } } }],
  )
  assert.deepEqual(events, [{ event: 'settings_changed', data: {}, to: null }])
  const late = await portal.admin.send('PATCH', '/settings', { currency: 'EGP' }, { 'if-match': headers.get('etag')! })
  assert.deepEqual([late.status, late.body.current.currency], [412, 'SAR'])
  for (const currency of ['', 'sar', 'SARX', 'XQZ', 'ريال', 3]) {
    const { status, body } = await portal.admin.patch('/settings', { currency })
    assert.deepEqual([status, body.details[0].path], [400, 'currency'], String(currency))
  }
  assert.equal((await portal.admin.patch('/settings', { currency: null })).body.currency, null)
})
