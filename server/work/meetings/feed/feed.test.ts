/** The calendar feed of a person’s own meetings, read back by another program’s parser. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import ICAL from 'ical.js'
import { dayAhead } from '../../../../test/access-reviews.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { type Client, PASSWORD, testPortal } from '../../../../test/portal.ts'

const portal = testPortal({ RATE_LIMITS: 'on' })
before(() => portal.ready)

const feedOf = async (person: Client) => {
  const { status, body, text } = await person.post('/auth/me/calendar')
  assert.equal(status, 201, text)
  return new URL(body.url).pathname.slice('/api'.length)
}
const read = (path: string, headers: Record<string, string> = {}) => portal.stranger().send('GET', path, undefined, headers)
/** The events of a feed, by their titles. */
async function eventsOf(path: string) {
  const { status, text } = await read(path)
  assert.equal(status, 200, text)
  const components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return new Map(components.map((one) => [String(one.getFirstPropertyValue('summary')), one]))
}
const property = (event: ICAL.Component | undefined, name: string) => event?.getFirstPropertyValue(name)?.toString()
async function invited(person: Client, fields: object) {
  const attendees = [{ name: person.username, userId: person.id }, { name: 'Ann' }]
  const { status, body, text } = await portal.admin.post(MEETINGS, { attendees, ...fields })
  assert.equal(status, 201, text)
  return body as { id: number; updatedAt: string }
}

test('the address is shown once, and leads to an empty calendar at first', async () => {
  const person = await portal.person('fresh')
  assert.deepEqual((await person.get('/auth/me/calendar')).body, { isOn: false, createdAt: null, lastReadAt: null })
  const traces = await portal.traces(async () => {
    const { status, body } = await person.send('POST', '/auth/me/calendar', undefined, { 'idempotency-key': 'once' })
    assert.equal(status, 201)
    assert.match(body.url, /^http:\/\/localhost:\d+\/api\/calendar\/[\w-]{43}\.ics$/)
    assert.equal(body.webcalUrl, body.url.replace('http:', 'webcal:'))
    const again = await person.send('POST', '/auth/me/calendar', undefined, { 'idempotency-key': 'once' })
    assert.deepEqual(again.body, { url: null, webcalUrl: null })
    assert.equal((await eventsOf(new URL(body.url).pathname.slice('/api'.length))).size, 0)
  })
  assert.deepEqual(traces, {
    audit: [{ action: 'calendar.create', type: 'user', target: person.id, metadata: { username: 'fresh', renewed: false } }],
    histories: [],
    notices: [],
    events: [{ event: 'security_changed', data: {}, to: [person.id] }],
  })
  const { isOn, createdAt, lastReadAt } = (await person.get('/auth/me/calendar')).body
  assert.equal(isOn, true)
  assert.ok(createdAt && lastReadAt)
})

test('an event has the details that attendees may know of a meeting, without its notes and attendees', async () => {
  const person = await portal.person('attendee', { preferredLanguage: 'en' })
  const path = await feedOf(person)
  const date = dayAhead(20)
  const about = { titleAr: 'خطة السنة', titleEn: 'Plan, for “us”; all', locationAr: 'القاعة', meetingUrl: 'https://meet.example.org/1' }
  const { id, updatedAt } = await invited(person, { date, startTime: '09:00', endTime: '10:30', notes: 'A secret', ...about })
  await portal.admin.post(MEETINGS, { date, titleEn: 'Of somebody else' })
  await invited(person, { date: dayAhead(367), titleEn: 'Too far' })
  const events = await eventsOf(path)
  assert.deepEqual([...events.keys()], ['Plan, for “us”; all'])
  const event = events.get('Plan, for “us”; all')
  assert.match(property(event, 'uid')!, new RegExp(`^meeting-${id}@[0-9a-f-]{36}$`))
  const stamp = `${updatedAt.slice(0, 19)}Z`
  const expected = { status: 'CONFIRMED', location: 'القاعة', description: about.meetingUrl, dtstamp: stamp, 'last-modified': stamp }
  for (const [name, value] of Object.entries(expected)) assert.equal(property(event, name), value, name)
  const names = event!.getAllProperties().map(({ name }) => name)
  assert.deepEqual(names.includes('url'), false)
  assert.deepEqual(
    names.filter((name) => ['attendee', 'organizer', 'comment'].includes(name)),
    [],
  )
  const { text } = await read(path)
  assert.ok(!text.includes('secret') && !text.includes('Ann'))
})

test('the calendar has the site’s name with its special characters escaped, and its last line ends with a line break', async () => {
  const person = await portal.person('named', { preferredLanguage: 'en' })
  const path = await feedOf(person)
  const siteNameEn = 'Planning\\new, Riyadh; all'
  assert.equal((await portal.admin.patch('/settings', { siteNameEn })).status, 200)
  const { text } = await read(path)
  await portal.admin.patch('/settings', { siteNameEn: 'Bawaba' })
  const name = 'My meetings – Planning\\\\new\\, Riyadh\\; all'
  for (const property of ['NAME', 'X-WR-CALNAME']) assert.ok(text.includes(`\r\n${property}:${name}\r\n`), text)
  assert.ok(text.endsWith('END:VCALENDAR\r\n'))
})

test('people who may open meetings get the address of the page, and titles in their own language', async () => {
  const person = await portal.person('coordinator', { roles: ['executive_coordinator'], preferredLanguage: 'ar' })
  const { id } = await invited(person, { date: dayAhead(3), titleAr: 'اجتماع', titleEn: 'Meeting' })
  const event = (await eventsOf(await feedOf(person))).get('اجتماع')
  assert.equal(property(event, 'url'), `${portal.instance.config.publicUrl}/meetings/${id}`)
  assert.equal(property(event, 'dtstart'), dayAhead(3))
  assert.equal(event!.hasProperty('dtend'), false)
})

test('a meeting without an end lasts half an hour, a postponed one is tentative, and a cancelled one stays until its day is over', async () => {
  const person = await portal.person('states', { preferredLanguage: 'en' })
  const path = await feedOf(person)
  const meetingUrl = 'https://meet.example.org/2'
  await invited(person, { date: dayAhead(2), titleEn: 'Open', startTime: '08:00' })
  await invited(person, { date: dayAhead(2), titleEn: 'Later', status: 'postponed', meetingUrl })
  const off = await invited(person, { date: dayAhead(2), titleEn: 'Off', status: 'cancelled', meetingUrl })
  await invited(person, { date: dayAhead(-2), titleEn: 'Past', status: 'completed' })
  await invited(person, { date: dayAhead(-2), titleEn: 'Past and off', status: 'cancelled' })
  await invited(person, { date: dayAhead(-33), titleEn: 'Long ago', status: 'completed' })
  const events = await eventsOf(path)
  assert.deepEqual([...events.keys()].toSorted(), ['Later', 'Off', 'Open', 'Past'])
  assert.equal(property(events.get('Open'), 'duration'), 'PT30M')
  assert.deepEqual([property(events.get('Later'), 'status'), property(events.get('Later'), 'description')], ['TENTATIVE', undefined])
  assert.deepEqual([property(events.get('Off'), 'status'), property(events.get('Off'), 'description')], ['CANCELLED', undefined])
  await portal.admin.delete(`${MEETINGS}/${off.id}`)
  assert.equal((await eventsOf(path)).has('Off'), false)
})

test('long Arabic titles are folded at 75 octets without cutting a letter', async () => {
  const person = await portal.person('folded', { preferredLanguage: 'ar' })
  const titleAr = 'اجتماع مجلس إدارة المؤسسة لمناقشة الخطة، والميزانية؛ وما يستجد من أعمال في الربع الأخير من السنة'
  await invited(person, { date: dayAhead(4), titleAr })
  const path = await feedOf(person)
  assert.deepEqual([...(await eventsOf(path)).keys()], [titleAr])
  for (const line of (await read(path)).text.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(!line.includes('�'), line)
  }
})

test('an unchanged feed is not sent again, and a changed one is', async () => {
  const person = await portal.person('polling', { preferredLanguage: 'en' })
  const path = await feedOf(person)
  const { id } = await invited(person, { date: dayAhead(5), titleEn: 'Polled' })
  const { headers } = await read(path)
  const etag = headers.get('etag')!
  assert.deepEqual(
    ['content-type', 'cache-control'].map((name) => headers.get(name)),
    ['text/calendar; charset=utf-8', 'private, no-cache'],
  )
  const again = await read(path, { 'if-none-match': etag })
  assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
  // A request from another site.
  assert.equal((await read(path, { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' })).status, 200)
  await portal.admin.patch(`${MEETINGS}/${id}`, { startTime: '07:00' })
  assert.equal((await read(path, { 'if-none-match': etag })).status, 200)
  const beyond = await read(path, { range: 'bytes=9999999-' })
  assert.deepEqual([beyond.status, beyond.body.code], [416, 'range_not_satisfiable'])
})

test('unknown addresses are 404, whatever they look like', async () => {
  for (const name of ['x', 'x.ics', `${'a'.repeat(43)}.ics`, 'a'.repeat(43), '.ics', `${'ا'.repeat(43)}.ics`]) {
    const answer = await read(`/calendar/${name}`)
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], name)
  }
})

const ends: [what: string, end: (person: Client) => Promise<unknown>][] = [
  ['ended', (person) => person.delete('/auth/me/calendar')],
  ['renewed', (person) => person.post('/auth/me/calendar')],
  ['that of a deactivated person', ({ id }) => portal.admin.patch(`/users/${id}`, { isActive: false })],
  ['that of a deleted person', ({ id }) => portal.admin.delete(`/users/${id}?force=true`)],
  ['ended with all sessions', ({ id }) => portal.admin.delete(`/users/${id}/sessions`)],
  [
    'that of a person whose password was reset',
    async ({ id }) => {
      const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
      const token = new URL(resetUrl).searchParams.get('token')
      return portal.stranger().post('/auth/reset-password', { token, newPassword: PASSWORD })
    },
  ],
]
for (const [n, [what, end]] of ends.entries())
  test(`an address that is ${what} is 404`, async () => {
    const person = await portal.person(`ended${n}`)
    const path = await feedOf(person)
    assert.equal((await read(path)).status, 200)
    await end(person)
    assert.equal((await read(path)).status, 404)
  })

test('an address is 404 while the duty of its owner to set up a second factor is overdue', async () => {
  const person = await portal.person('owing', { roles: ['executive_viewer'] })
  const path = await feedOf(person)
  const duty = "insert into second_factor_roles select id from roles where name = 'executive_viewer'"
  await portal.meddle('sign_in_settings', 1, duty)
  const since = (days: number) =>
    portal.sql(`update user_access set must_enrol_at = now() - make_interval(days => $2) where user_id = $1`, [person.id, days])
  for (const [days, status] of [
    [1, 200],
    [60, 404],
  ] as const) {
    await since(days)
    assert.equal((await read(path)).status, status)
  }
  await portal.meddle('sign_in_settings', 1, 'delete from second_factor_roles')
  assert.equal((await read(path)).status, 200)
})

test('the address opens nothing but the feed', async () => {
  const person = await portal.person('narrow')
  const token = (await feedOf(person)).slice('/calendar/'.length, -'.ics'.length)
  const asCookie = await read('/auth/me', { cookie: `portal_session=${token}` })
  const asToken = await read('/auth/me', { authorization: `Bearer ${token}` })
  assert.deepEqual([asCookie.status, asToken.status], [401, 401])
  assert.equal((await person.get('/auth/me/sessions')).body.length, 1)
})

test('ending a feed twice is audited once', async () => {
  const person = await portal.person('ending')
  await feedOf(person)
  const traces = await portal.traces(async () => {
    for (let n = 0; n < 2; n++) assert.equal((await person.delete('/auth/me/calendar')).status, 204)
  })
  assert.deepEqual(
    traces.audit.map(({ action }) => action),
    ['calendar.delete'],
  )
  assert.equal((await person.get('/auth/me/calendar')).body.isOn, false)
})

test('a feed can be read 60 times an hour, and its owner can make 100 addresses an hour', async () => {
  const person = await portal.person('eager')
  const path = await feedOf(person)
  const statuses: number[] = []
  for (let n = 0; n < 61; n++) statuses.push((await read(path)).status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [60, 429])
  for (let n = 1; n < 100; n++) await feedOf(person)
  assert.equal((await person.post('/auth/me/calendar')).body.code, 'rate_limited')
})
