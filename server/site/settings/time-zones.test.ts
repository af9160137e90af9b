import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const choose = (timeZone: unknown) => portal.admin.patch('/settings', { timeZone })
const review = async () => {
  const { id } = await make.newGroup()
  return portal.admin.post('/access-reviews', { titleEn: 'Review', groupIds: [id], dueDate: dayIn(2), ifSilent: 'keep' })
}
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('a time zone is refused unless PostgreSQL and browsers know it by the same name', async () => {
  const abbreviations = ['ECT', 'CAT', 'PLT', 'AET', 'NET', 'VST', 'ART', 'ACT', 'NST', 'AST', 'BST', 'IST', 'EST', 'GMT', 'CET', 'EST5EDT']
  const oldNames = ['US/Pacific-New', 'Canada/East-Saskatchewan', 'SystemV/AST4', 'Egypt', 'Turkey', 'GMT+0', 'Zulu', 'Universal', 'UCT']
  const foreign = ['posix/Asia/Riyadh', 'right/UTC', 'Etc/Unknown', 'Foo/Bar3', 'Asia/AST4', 'localtime', 'Factory']
  for (const timeZone of [...abbreviations, ...oldNames, ...foreign, 'asia/riyadh', 'utc', '/UTC', 'UTC/']) {
    const { status, body } = await choose(timeZone)
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'timeZone'], timeZone)
  }
})

test('the time zones that the portal offers can be chosen, and reviews can be opened in them', async () => {
  const { names: zones } = (await portal.admin.get('/settings/time-zones')).body
  for (const zone of ['UTC', 'Asia/Riyadh', 'Africa/Cairo', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+3'])
    assert.ok(zones.includes(zone), zone)
  assert.deepEqual(zones, [...new Set<string>(zones)].toSorted())
  for (const zone of zones) {
    assert.match(zone, /^UTC$|^[^/]+\//)
    assert.ok(new Intl.DateTimeFormat('en', { timeZone: zone }))
  }
  for (const zone of ['UTC', ...zones.filter((_: string, place: number) => place % 60 === 0)]) {
    const chosen = await choose(zone)
    assert.deepEqual([chosen.status, chosen.body.timeZone], [200, zone])
    assert.equal((await review()).status, 201, zone)
  }
})

test('only administrators see the list of time zones', async () => {
  assert.equal((await (await make.newPerson()).get('/settings/time-zones')).status, 403)
  assert.equal((await portal.stranger().get('/settings/time-zones')).status, 401)
})

test('a stored time zone that is no longer known counts as UTC, and makes no call fail', async () => {
  const { body: made } = await review()
  for (const zone of ['Asia/Nowhere', 'posix/Asia/Riyadh', 'SystemV/AST4X']) {
    await portal.meddle('settings', 1, `update settings set time_zone = '${zone}'`)
    assert.equal((await portal.stranger().get('/settings')).body.timeZone, 'UTC')
    assert.equal((await review()).status, 201)
    assert.equal((await portal.admin.get(`/access-reviews/${made.id}`)).status, 200)
    assert.equal((await portal.admin.get(`/users?seenBefore=${dayIn(0)}`)).status, 200)
    const member = { userId: (await make.newPerson()).id, expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
    assert.equal((await portal.admin.post(`/groups/${(await make.newGroup()).id}/users`, member)).status, 201)
    assert.equal((await portal.admin.patch('/settings', { siteNameEn: `Portal of ${zone}` })).body.timeZone, 'UTC')
  }
  assert.equal((await choose('Asia/Riyadh')).body.timeZone, 'Asia/Riyadh')
})
