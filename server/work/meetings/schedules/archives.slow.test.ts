import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ARCHIVES, archiving, fileOf, newDay } from '../../../../test/archives.ts'
import { ascending, makers, silence } from '../../../../test/makers.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { objectStore } from '../../../../test/object-stores.ts'
import { bare, readInfo, readPages } from '../../../../test/pdf.ts'
import { type Client, testPortal } from '../../../../test/portal.ts'

const portal = testPortal(objectStore('folder'))
const { newPerson } = makers(portal)
const { meet, archive, read, shown, ready, abandoned } = archiving(portal)
const executive = (role: string) => newPerson({ roles: [`executive_${role}`] })

test('archiving a day returns, lists and audits its record, and executives get an event at each step', async () => {
  const date = newDay()
  await meet(date)
  await meet(date, { startTime: '11:00' })
  const by = await executive('coordinator')
  let record!: Awaited<ReturnType<typeof archive>>
  const traces = await portal.traces(async () => {
    record = await archive(date, { by, language: 'ar' })
    await ready(record)
  })
  const { id, createdAt, objectPath } = record
  assert.match(objectPath, /^\/objects\/archives\/[0-9a-f-]{36}$/)
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  const whole = { id, date, language: 'ar', objectPath, meetingCount: 2, createdBy: by.id, createdAt }
  const pending = { ...whole, status: 'pending', sha256: null, size: null }
  const { displayNameAr, displayNameEn, username } = (await by.get('/auth/me')).body
  const fresh = { creator: { id: by.id, username, displayNameAr, displayNameEn, avatarUrl: null }, stale: false, changedSince: null }
  assert.deepEqual(record, { ...pending, ...fresh })
  const to = ascending([portal.admin.id, by.id])
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'pdf_archive.create', type: 'pdf_archive', target: id, metadata: { before: null, after: pending } }],
    events: ['pending', 'ready'].map((status) => ({ event: 'pdf_archive_changed', data: { id, status }, to })),
  })
  const { sha256, size, ...rest } = await shown(record)
  assert.deepEqual(rest, { ...whole, status: 'ready', ...fresh })
  const { bytes } = await read(fileOf(record))
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  assert.deepEqual([sha256, size], [digest, bytes.length])
})

test('the PDF has the day and the font of the time of archiving, even if they change later', async () => {
  const date = newDay()
  const by = await executive('office_manager')
  await by.put(`${MEETINGS}/font-settings`, { fontFamily: 'Cairo' })
  const { id } = await meet(date, { titleEn: 'Before', attendees: [{ name: 'Huda' }] })
  const first = await archive(date, { by })
  await by.put(`${MEETINGS}/font-settings`, { fontFamily: 'Tajawal' })
  await portal.admin.patch(`${MEETINGS}/${id}`, { titleEn: 'After' })
  const second = await archive(date, { by })
  for (const one of [first, second]) await ready(one)
  const files = [(await read(fileOf(first))).bytes, (await read(fileOf(second))).bytes]
  const texts = await Promise.all(files.map(async (pdf) => (await readPages(pdf)).join('')))
  for (const [index, [title, font]] of [
    ['Before', 'Cairo'],
    ['After', 'Tajawal'],
  ].entries()) {
    assert.ok(texts[index]!.includes(title!) && texts[index]!.includes('Huda'), texts[index])
    assert.ok(files[index]!.toString('latin1').includes(`+${font}-`))
  }
  const seconds = first.createdAt.replace(/\D/g, '').slice(0, 'YYYYMMDDhhmmss'.length)
  assert.equal((await readInfo(files[0]!))['CreationDate'], `D:${seconds}`)
})

test('a day without meetings has a PDF, too', async () => {
  const one = await archive(newDay())
  assert.equal(one.meetingCount, 0)
  await ready(one)
  assert.ok((await readPages((await read(fileOf(one))).bytes))[0]!.includes(bare('There are no meetings on this day.')))
})

test('the file is a named attachment, served by id and by path, with ranges and conditional requests', async () => {
  const date = newDay()
  const one = await archive(date, { language: 'ar' })
  await ready(one)
  const whole = await read(fileOf(one))
  assert.equal(whole.status, 200)
  assert.equal(whole.headers['content-type'], 'application/pdf')
  assert.equal(whole.headers['content-disposition'], `attachment; filename="schedule-${date}-ar.pdf"`)
  assert.equal(whole.headers['content-security-policy'], "sandbox; default-src 'none'; frame-ancestors 'self'")
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  assert.equal(whole.headers['cache-control'], 'private, no-cache')
  assert.equal(whole.bytes.toString('latin1', 0, 5), '%PDF-')
  for (const path of [fileOf(one), `/storage${one.objectPath}`]) {
    assert.deepEqual((await read(path)).bytes, whole.bytes)
    const part = await read(path, { range: 'bytes=0-4' })
    assert.deepEqual([part.status, String(part.bytes)], [206, '%PDF-'])
    assert.equal((await read(path, { 'if-none-match': whole.headers['etag'] as string })).status, 304)
    assert.equal((await read(path, { range: 'bytes=99999999-' })).status, 416)
  }
})

test('unknown archives are not found', async () => {
  for (const path of [fileOf({ id: 2147483647 }), `/storage/objects/archives/${crypto.randomUUID()}`])
    assert.equal((await portal.admin.get(path)).status, 404)
  for (const path of [`${ARCHIVES}/0/file`, `${ARCHIVES}/x/file`, '/storage/objects/archives/x'])
    assert.equal((await portal.admin.get(path)).status, 400)
  const { objectPath } = await archive(newDay())
  assert.equal((await portal.admin.get(`/storage/objects/uploads/${objectPath.slice(-36)}`)).status, 404)
})

describe('access to archives', () => {
  const people: Record<string, Client> = {}
  let one: Awaited<ReturnType<typeof archive>>
  before(async () => {
    await portal.ready
    people['admin'] = portal.admin
    for (const role of ['ceo', 'office_manager', 'coord_lead', 'coordinator', 'viewer']) people[role] = await executive(role)
    people['ordinary'] = await newPerson()
    people['stranger'] = portal.stranger()
    one = await archive(newDay())
    await ready(one)
  })
  const rights: [who: string, reads: number, creates: number][] = [
    ['admin', 200, 201],
    ['office_manager', 200, 201],
    ['coord_lead', 200, 201],
    ['coordinator', 200, 201],
    ['ceo', 200, 403],
    ['viewer', 200, 403],
    ['ordinary', 403, 403],
    ['stranger', 401, 401],
  ]
  for (const [who, reads, creates] of rights)
    test(`${who} gets ${reads} when reading and ${creates} when archiving`, async () => {
      const person = people[who]!
      for (const path of [ARCHIVES, fileOf(one), `/storage${one.objectPath}`]) assert.equal((await person.get(path)).status, reads, path)
      const traces = await portal.traces(async () => {
        const { status, body } = await person.post(ARCHIVES, { date: newDay(), language: 'ar' })
        assert.equal(status, creates)
        // Waits here, so that the event of the finished PDF is not in another test's traces.
        if (creates === 201) await ready(body)
      })
      if (creates !== 201) assert.deepEqual(traces, silence)
    })
  test('people who may not read archives cannot find out whether one exists', async () => {
    for (const path of [fileOf({ id: 2147483647 }), `/storage/objects/archives/${crypto.randomUUID()}`]) {
      assert.equal((await people['ordinary']!.get(path)).status, 403)
      assert.equal((await people['stranger']!.get(path)).status, 401)
    }
  })
  test('people who lose the role can no longer read archives', async () => {
    const person = await executive('viewer')
    assert.equal((await person.get(fileOf(one))).status, 200)
    await portal.admin.delete(`/users/${person.id}/roles/executive_viewer`)
    assert.equal((await person.get(fileOf(one))).status, 403)
    assert.equal((await person.get(`/storage${one.objectPath}`)).status, 403)
  })
})

const wrong: [body: unknown, path: string][] = [
  [{ language: 'ar' }, 'date'],
  [{ date: '2031-02-30', language: 'ar' }, 'date'],
  [{ date: '2031-2-3', language: 'ar' }, 'date'],
  [{ date: '0000-01-01', language: 'ar' }, 'date'],
  [{ date: 20310101, language: 'ar' }, 'date'],
  [{ date: '2031-02-03' }, 'language'],
  [{ date: '2031-02-03', language: 'fr' }, 'language'],
  [{ date: '2031-02-03', language: null }, 'language'],
]
for (const [body, path] of wrong)
  test(`archiving ${JSON.stringify(body)} is refused`, async () => {
    const { status, body: answer } = await portal.admin.post(ARCHIVES, body)
    assert.deepEqual([status, answer.details?.map((detail: { path: string }) => detail.path)], [400, [path]])
  })

test('the list has the archives of the requested days, newest first', async () => {
  const dates = [newDay(), newDay(), newDay()] as const
  const [first, last, middle] = [await archive(dates[0]), await archive(dates[2]), await archive(dates[1])]
  const ids = async (asked: string) => (await portal.admin.get(`${ARCHIVES}?${asked}`)).body.map(({ id }: { id: number }) => id)
  assert.deepEqual(await ids(`from=${dates[0]}&to=${dates[2]}`), [middle.id, last.id, first.id])
  assert.deepEqual(await ids(`from=${dates[1]}&to=${dates[1]}`), [middle.id])
  assert.deepEqual(await ids(`from=${dates[1]}&to=${dates[2]}`), [middle.id, last.id])
  assert.ok((await ids(`to=${dates[0]}`)).includes(first.id))
  assert.deepEqual(await ids('from=9999-12-31'), [])
  for (const [asked, path] of [
    ['from=2031-02-30', 'from'],
    ['to=x', 'to'],
    ['from=2031-02-02&to=2031-02-01', 'from'],
  ]) {
    const { status, body } = await portal.admin.get(`${ARCHIVES}?${asked}`)
    assert.deepEqual([status, body.details[0].path], [400, path])
  }
})

test('the list is complete unless a part of it is requested', async () => {
  const date = newDay()
  await portal.meddle(
    'user',
    1,
    `insert into pdf_archives (date, language, content, meeting_count, created_by)
     select '${date}', 'en', '{}', 0, 1 from generate_series(1, 501)`,
  )
  const countOf = async (part: string) => (await portal.admin.get(`${ARCHIVES}?from=${date}&to=${date}${part}`)).body.length
  assert.deepEqual([await countOf(''), await countOf('&limit=500'), await countOf('&limit=500&offset=500')], [501, 500, 1])
})

test('an archive stays when the person who made it is deleted', async () => {
  const by = await executive('coordinator')
  const one = await archive(newDay(), { by })
  await ready(one)
  assert.equal((await portal.admin.delete(`/users/${by.id}`)).status, 204)
  assert.equal((await shown(one)).createdBy, null)
  assert.equal((await read(fileOf(one))).status, 200)
})

test('a file that is not ready within 10 s is refused as unavailable with Retry-After', async () => {
  const one = await abandoned()
  const answers = await Promise.all([read(fileOf(one)), read(`/storage${one.objectPath}`)])
  for (const { status, headers, bytes } of answers)
    assert.deepEqual([status, headers['retry-after'], JSON.parse(String(bytes)).code], [503, '2', 'unavailable'])
})
