import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { portals } from '../../../test/process.ts'
import { pastOf } from '../../../test/statistics.ts'
import { addressOf } from '../../platform/database/db.ts'
import { recount } from './recount.ts'

const { runScript } = portals()

const portal = testPortal()
const { newApp, newPerson, newService } = makers(portal)
const past = pastOf(portal)
/** Recounts by the operator's command. */
const recountByCommand = () => runScript('admin', ['recount'], { DATABASE_URL: addressOf(portal.connection) })
const allRight = { code: 0, signal: null, out: 'Every count is correct.\n', err: '' }

test('a recount finds every count right after many simultaneous changes', async () => {
  const [app, doomed, service] = [await newApp(), await newApp(), await newService()]
  const people = await Promise.all(Array.from({ length: 6 }, () => newPerson()))
  const other = await portal.another()
  await past.addOpens(people.map(({ id }) => ({ appId: doomed.id, userId: id, at: '2026-01-31T23:59:59.999Z' })))
  const answers = await Promise.all([
    ...people.flatMap((person) => Array.from({ length: 10 }, (_, n) => person.post(`/apps/${n % 2 ? app.id : doomed.id}/open`))),
    ...people.slice(3).map(({ id }) => portal.admin.delete(`/users/${id}?force=true`)),
    ...Array.from({ length: 5 }, () => newPerson()),
    ...people.slice(0, 3).map((person) => person.post('/orders', { serviceId: service.id })),
    portal.admin.delete(`/apps/${doomed.id}?force=true`),
    fetch(`${other.base}/api/apps/${app.id}/open`, { method: 'POST', headers: { cookie: people[0]!.cookie } }),
  ])
  assert.ok(answers.every((answer) => !('status' in answer) || answer.status < 500))
  assert.deepEqual(await recountByCommand(), allRight)
})

for (const [wrong, right, message] of [
  [
    `insert into day_counts values ('signups', '2020-01-01', 99, 2)`,
    'delete from day_counts where shard = 99',
    'signups by day, 2020-01-01: counted 2, there 0',
  ],
  [
    `insert into state_counts values ('active_users', 99, -1)`,
    'delete from state_counts where shard = 99',
    /^people and services, active_users: counted \d+, there \d+$/,
  ],
  [
    'update app_open_days set count = count + 1',
    'update app_open_days set count = count - 1',
    /^app opens by app and day, \(\d+,\d{4}-\d\d-\d\d\): counted \d+, there \d+$/,
  ],
  ['update app_open_months set count = count + 1', 'update app_open_months set count = count - 1', /^app opens by app and month, /],
  ['update user_open_days set count = count + 1', 'update user_open_days set count = count - 1', /^app opens by user and day, /],
  ['update user_open_months set count = count + 1', 'update user_open_months set count = count - 1', /^app opens by user and month, /],
  [
    'update user_open_peaks set peak = peak - 99',
    'update user_open_peaks set peak = peak + 99',
    /^the most app opens of a person by day, /,
  ],
  ['update service_order_counts set count = count + 1', 'update service_order_counts set count = count - 1', /^orders by service, /],
  ['update service_order_counts set held = held + 1', 'update service_order_counts set held = held - 1', /^held orders by service, /],
  ['insert into note_versions (user_id, notes) select min(id), 1 from users', 'delete from note_versions', /^notes by person, /],
  ['insert into note_versions (user_id, bytes) select min(id), 1 from users', 'delete from note_versions', /^bytes of notes by person, /],
  ['insert into object_shares (user_id, bytes) select min(id), 1 from users', 'delete from object_shares', /^bytes of objects by person, /],
] as const)
  test(`a recount reports a wrong count: ${message}`, async () => {
    await portal.sql(wrong)
    const [first] = await recount(portal.instance.db.reads)
    await portal.sql(right)
    if (typeof message === 'string') assert.equal(first, message)
    else assert.match(first!, message)
  })

test('a recount shows at most twenty differences of a kind, and the number of further ones', async () => {
  await portal.sql(`insert into day_counts select 'app_opens', '2020-01-01'::date + n, 99, 1 from generate_series(0, 24) as n`)
  const { code, out } = await recountByCommand()
  await portal.sql('delete from day_counts where shard = 99')
  assert.deepEqual([code, out.split('\n').length, out.split('\n')[20]], [1, 22, 'app_opens by day: 5 more'])
})

test('a recount refuses further arguments', async () => {
  const { code, out, err } = await runScript('admin', ['recount', 'everything'], { DATABASE_URL: addressOf(portal.connection) })
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^Usage: [^\n]+ recount [^\n]+\n$/)
})
