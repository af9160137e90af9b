import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from 'postgres-migrations'
import { makers } from '../../test/makers.ts'
import { testPortal } from '../../test/portal.ts'
import { portals } from '../../test/process.ts'

const portal = testPortal()
const make = makers(portal)
const choose = (timeZone: unknown) => portal.admin.patch('/settings', { timeZone })
const review = async () => {
  const { id } = await make.newGroup()
  return portal.admin.post('/access-reviews', { titleEn: 'Review', groupIds: [id], dueDate: dayIn(2), ifSilent: 'keep' })
}
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('a time zone that PostgreSQL and browsers do not know alike is refused', async () => {
  const abbreviations = ['ECT', 'CAT', 'PLT', 'AET', 'NET', 'VST', 'ART', 'ACT', 'NST', 'AST', 'BST', 'IST', 'EST', 'GMT', 'CET', 'EST5EDT']
  const oldNames = ['US/Pacific-New', 'Canada/East-Saskatchewan', 'SystemV/AST4', 'Egypt', 'Turkey', 'GMT+0', 'Zulu', 'Universal', 'UCT']
  const foreign = ['posix/Asia/Riyadh', 'right/UTC', 'Etc/Unknown', 'Foo/Bar3', 'Asia/AST4', 'localtime', 'Factory']
  for (const timeZone of [...abbreviations, ...oldNames, ...foreign, 'asia/riyadh', 'utc', '/UTC', 'UTC/']) {
    const { status, body } = await choose(timeZone)
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'timeZone'], timeZone)
  }
})

test('every time zone that the portal offers is taken, and the days of reviews are counted in it', async () => {
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

test('a stored time zone that is no longer known counts as UTC, and fails no call', async () => {
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

const { makeDatabase } = portals()
const MIGRATIONS = 'server/migrations'

const before: [stored: string, now: string][] = [
  ['ART', 'Africa/Cairo'],
  ['ast', 'America/Anchorage'],
  ['US/Pacific-New', 'America/Los_Angeles'],
  ['Zulu', 'UTC'],
  ['utc', 'UTC'],
  ['asia/riyadh', 'Asia/Riyadh'],
  ['Asia/Riyadh', 'Asia/Riyadh'],
  ['Asia/Nowhere', 'Asia/Nowhere'],
]
test('an abbreviation that is stored becomes the time zone that pages have shown', async () => {
  const { connection } = await makeDatabase()
  const client = new pg.Client(connection)
  const folder = mkdtempSync(join(tmpdir(), 'bawaba-migrations-'))
  await client.connect()
  try {
    const files = readdirSync(MIGRATIONS).toSorted()
    const place = files.findIndex((name) => name.endsWith('_known_time_zones.sql'))
    for (const file of files.slice(0, place)) cpSync(join(MIGRATIONS, file), join(folder, file))
    await migrate({ client }, folder)
    const migration = readFileSync(join(MIGRATIONS, files[place]!), 'utf8')
    for (const [stored, now] of before) {
      await client.query(`begin; alter table settings disable trigger demand_change; update settings set time_zone = '${stored}'`)
      await client.query(migration)
      assert.deepEqual((await client.query('select time_zone as zone from settings')).rows, [{ zone: now }], stored)
      await client.query('rollback')
    }
  } finally {
    await client.end()
    await rm(folder, { recursive: true })
  }
})
