/** What administrators are told of sources: that they are silent, and that their calls are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
const SOURCES = '/admin/provisioning/sources'

const told = async () => {
  const { notices } = await portal.traces(() => runJob(portal, 'remind'))
  return notices.flatMap(({ user, titleEn }) => (user === portal.admin.id ? [titleEn] : []))
}

test('administrators are told of a source that is silent for a day, once for each silence', async () => {
  const own = await newSource(portal)
  const called = (ago: string) =>
    portal.sql(`update api_tokens set last_used_at = now() - interval '${ago}'
      where user_id = (select user_id from provisioning_sources where id = ${own.id})`)
  const silent = 'A source has not called for a day'
  assert.deepEqual(await told(), [])
  for (const silence of ['24 hours 1 minute', '3 days']) {
    await called('23 hours 59 minutes')
    assert.deepEqual(await told(), [])
    await called(silence)
    assert.deepEqual([await told(), await told()], [[silent], []])
  }
  assert.equal((await portal.admin.patch(`${SOURCES}/${own.id}`, { isActive: false })).status, 200)
  await called('4 days')
  assert.deepEqual(await told(), [])
})

test('administrators are told once of a silence of years, while the source is active', async () => {
  const own = await newSource(portal)
  await portal.sql(`update api_tokens set last_used_at = now() - interval '3 days'
    where user_id = (select user_id from provisioning_sources where id = ${own.id})`)
  assert.deepEqual(await told(), ['A source has not called for a day'])
  const cleaned = async () => {
    await portal.sql(`update reminders set sent_at = now() - interval '401 days' where kind = 'source_silent' and subject_id = ${own.id}`)
    await runJob(portal, 'clean_up')
    return (await portal.sql(`select from reminders where kind = 'source_silent' and subject_id = ${own.id}`)).length
  }
  assert.deepEqual([await cleaned(), await told()], [1, []])
  assert.equal((await portal.admin.patch(`${SOURCES}/${own.id}`, { isActive: false })).status, 200)
  assert.equal(await cleaned(), 0)
})

test('the silence of a source does not begin before it is switched on', async () => {
  const own = await newSource(portal, { isActive: false })
  await portal.sql(`update api_tokens set created_at = now() - interval '3 days'
    where user_id = (select user_id from provisioning_sources where id = ${own.id})`)
  assert.equal((await portal.admin.patch(`${SOURCES}/${own.id}`, { isActive: true })).status, 200)
  assert.deepEqual(await told(), [])
})

test('the silence of a source does not begin before its last call, although that token is gone', async () => {
  const own = await newSource(portal)
  const account = `(select user_id from provisioning_sources where id = ${own.id})`
  const [used] = await portal.sql<{ id: number; userId: number }>(
    `update api_tokens set last_used_at = now() - interval '23 hours' where user_id = ${account} returning id, user_id as "userId"`,
  )
  assert.equal((await portal.admin.post(`${SOURCES}/${own.id}/tokens`, { name: 'Unused' })).status, 201)
  await portal.sql(`update api_tokens set created_at = now() - interval '3 days' where user_id = ${account}`)
  const session = `(select session_id from api_tokens where id = ${used!.id})`
  await portal.meddle('user', used!.userId, `delete from sessions where id = ${session}`)
  assert.deepEqual(await told(), [])
})

const noteRefusals = ({ id }: TestSource, code: string, count: number) =>
  portal.sql(`insert into source_refusals (source_id, call, code) select $1, 'POST /Users', $2 from generate_series(1, ${count})`, [
    id,
    code,
  ])
const refused = 'Calls of a source are refused'

test('administrators are told of a source whose calls are refused, once a day', async () => {
  const own = await newSource(portal)
  await noteRefusals(own, 'email_taken', 19)
  for (const code of ['not_found', 'changed_meanwhile', 'rate_limited', 'forbidden']) await noteRefusals(own, code, 5)
  assert.deepEqual(await told(), [])
  await noteRefusals(own, 'validation_failed', 1)
  assert.deepEqual([await told(), await told()], [[refused], []])
  await portal.sql(`update reminders set sent_at = now() - interval '25 hours' where kind = 'source_refused'`)
  assert.deepEqual(await told(), [refused])
})

test('usual refusals do not displace those of which administrators are told', async () => {
  const own = await newSource(portal)
  await noteRefusals(own, 'email_taken', 20)
  await noteRefusals(own, 'not_found', 60)
  assert.equal((await own.get('/Users/2147483647')).status, 404)
  const { refusals } = (await portal.admin.get(`${SOURCES}/${own.id}`)).body
  const count = (code: string) => refusals.filter((one: { code: string }) => one.code === code).length
  assert.deepEqual([refusals.length, count('email_taken'), count('not_found')], [70, 20, 50])
  assert.deepEqual(await told(), [refused])
})
