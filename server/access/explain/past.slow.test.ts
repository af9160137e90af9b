/** Questions about access at a past moment get the answers of that moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { type Answers, histories, openHistory } from '../../../test/access-history.ts'
import { runJob } from '../../../test/jobs.ts'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { portalRole } from '../../../test/setup.ts'
import { generated } from '../../../test/suite.ts'
import { withClient } from '../../platform/database/client.ts'

const portal = testPortal()
const make = makers(portal)

const moment = async (sql = 'clock_timestamp()') => (await portal.sql<{ at: Date }>(`select ${sql} as at`))[0]!.at.toISOString()
const accessOf = ({ id }: { id: number }, at?: string) =>
  portal.admin.get(`/users/${id}/effective-access${at === undefined ? '' : `?at=${at}`}`)
const explained = (user: { id: number }, app: { id: number }, at?: string) =>
  portal.admin.get(`/admin/access?userId=${user.id}&appId=${app.id}${at === undefined ? '' : `&at=${at}`}`)
const rolesOf = async (user: { id: number }, at?: string) =>
  (await accessOf(user, at)).body.roles.map(({ name }: { name: string }) => name) as string[]

/** The views of the past and the columns that they have in common with the tables. */
const views = () =>
  portal.sql<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'past' and table_name <> 'rows' group by 1`,
  )
/** The rows that differ between the tables and the views of the past at the present moment. */
async function differences() {
  const all = await views()
  assert.equal(all.length, 14)
  const compared = all.map(({ name, columns }) => {
    const [then, now] = [`select ${columns} from past.${name}`, `select ${columns} from public.${name}`]
    return `select '${name}' as name, to_jsonb(one) as row from ((${then} except ${now}) union all (${now} except ${then})) as one`
  })
  return withClient(portal.connection, async (client) => {
    await client.query(`select set_config('portal.moment', clock_timestamp()::text, false)`)
    return (await client.query(compared.join(' union all '))).rows
  })
}

interface Kept {
  at: string
  act: object
  app: number
  answers: Answers
}

test('questions about any moment or ledger entry of a random history get the answers of that time', async () => {
  const { perform, ask, appOf } = await openHistory(portal)
  /** The transaction that changed access last. */
  const lastChange = async () =>
    (
      await portal.sql<{ at: Date; over: string }>(
        'select began_at as at, ended_at::text as over from access_moments order by ended_at desc limit 1',
      )
    )[0]!
  async function check({ at, app, act, answers }: Kept) {
    const then = await ask(app, at)
    // People and apps that were created later are not found.
    const expected = { ...Object.fromEntries(Object.keys(then).map((path) => [path, 404])), ...answers }
    assert.deepEqual(then, expected, `${at} ${JSON.stringify(act)}`)
  }
  await fc.assert(
    fc.asyncProperty(histories(40), async (acts) => {
      const [moments, entries]: [Kept[], Kept[]] = [[], []]
      for (const [turn, act] of acts.entries()) {
        const before = await lastChange()
        await perform(act)
        const app = appOf(turn)
        const kept = { act, app, at: await moment(), answers: await ask(app) }
        moments.push(kept)
        const last = await lastChange()
        if (last.over !== before.over) entries.push({ ...kept, at: last.at.toISOString() })
      }
      for (const kept of [...moments, ...entries]) await check(kept)
      assert.deepEqual(await differences(), [])
    }),
    // Each case continues in the portal of the previous one.
    { ...generated(2, 6), endOnFailure: true },
  )
})

test('people and apps are found at the moments at which they existed, and at no other', async () => {
  const early = await moment()
  await until('the clock moves on', async () => (await moment()) > early)
  const [person, app] = [await make.newPerson(), await make.newApp()]
  const alive = await moment()
  await until('the clock moves on', async () => (await moment()) > alive)
  assert.equal((await portal.admin.delete(`/users/${person.id}?force=true`)).status, 204)
  assert.equal((await portal.admin.delete(`/apps/${app.id}?force=true`)).status, 204)
  const late = await moment()
  const statuses = async (at?: string) => [
    (await accessOf(person, at)).status,
    (await explained(person, app, at)).status,
    (await explained(portal.admin, app, at)).status,
  ]
  assert.deepEqual(await statuses(alive), [200, 200, 200])
  for (const at of [early, late, '0001-01-01T00:00:00Z', undefined]) assert.deepEqual(await statuses(at), [404, 404, 404], at)
})

for (const [at, rule] of [
  ['9999-01-01T00:00:00Z', 'untilNow'],
  ['2026-13-01T00:00:00Z', 'pattern'],
  ['2026-02-30T00:00:00Z', 'pattern'],
  ['2026-03-01', 'pattern'],
  ['yesterday', 'pattern'],
  ['', 'pattern'],
] as const)
  test(`the moment "${at}" is refused`, async () => {
    for (const path of [`/users/${portal.admin.id}/effective-access?`, `/admin/access?userId=${portal.admin.id}&appId=1&`]) {
      const { status, body } = await portal.admin.get(`${path}at=${encodeURIComponent(at)}`)
      assert.deepEqual([status, body.code, body.details[0].path, body.details[0].rule], [400, 'validation_failed', 'at', rule])
    }
  })

test('a moment may have any zone and precision', async () => {
  const person = await make.newPerson()
  const at = await moment()
  const { body } = await accessOf(person, at)
  const elsewhere = new Date(Date.parse(at) + 3 * 3600_000).toISOString()
  for (const same of [elsewhere.replace('Z', '+03:00'), at.replace('Z', '000000Z')])
    assert.deepEqual((await accessOf(person, encodeURIComponent(same))).body, body)
})

test('a change that waited for another change counts from its commit on, and also at the earlier moment of its own ledger entry', async () => {
  const [person, role, other] = [await make.newPerson(), await make.newRole(), await make.newRole()]
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from access_epoch for update')
    const giving = portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
    const waiting = await until(
      'the command waits',
      async () =>
        (
          await portal.sql<{ since: Date }>(
            `select xact_start as since from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        )[0],
    )
    await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${person.id}, '{}')`)
    await client.query(
      `insert into permission_history (kind, target_id, added, removed) values ('user.roles', ${person.id}, '{${other.id}}', '{}')`,
    )
    await client.query(`insert into user_roles (user_id, role_id) values (${person.id}, ${other.id})`)
    await until('the clock moves on', async () => (await moment()) > waiting.since.toISOString())
    const between = await moment()
    assert.deepEqual(await rolesOf(person), ['user'])
    await client.query('commit')
    assert.equal((await giving).status, 200)
    const both = await rolesOf(person)
    assert.equal(both.length, 3)
    assert.deepEqual(await rolesOf(person, between), ['user'])
    assert.deepEqual(await rolesOf(person, await moment()), both)
    const { entries } = (await portal.admin.get(`/users/${person.id}/audit`)).body
    assert.ok(entries[0].createdAt < between)
    assert.deepEqual(await rolesOf(person, entries[0].createdAt), both)
  } finally {
    await client.end()
  }
})

test('in answers about the past, a grant ends at its own time, whether or not its row was deleted by then', async () => {
  const [person, role, group, app] = [await make.newPerson(), await make.newRole(), await make.newGroup(), await make.newApp()]
  await portal.admin.put(`/apps/${app.id}/access`, {
    permissionIds: await make.idsOfPermissions('portal.it'),
    groupIds: [group.id],
  })
  const ask = async (at?: string) => [(await accessOf(person, at)).body, (await explained(person, app, at)).body]
  const give = async (seconds: number): Promise<{ end: string; held: Awaited<ReturnType<typeof ask>>; during: string }> => {
    const end = await moment(`clock_timestamp() + interval '${seconds} seconds'`)
    assert.equal((await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name, expiresAt: end })).status, 200)
    assert.equal((await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt: end })).status, 201)
    const given = { end, held: await ask(), during: await moment() }
    // On a busy machine, the grants may end too early: try again with more time.
    return given.during < end ? given : give(seconds * 2)
  }
  const { end, held, during } = await give(3)
  assert.deepEqual([held[1].visible, held[1].reasons[0].expiresAt], [true, end])
  await until('the grants are over', async () => !(await explained(person, app)).body.visible)
  const [over, after] = [await ask(), await moment()]
  const check = async () => {
    assert.deepEqual(await ask(during), held)
    assert.deepEqual(await ask(new Date(Date.parse(end) - 1).toISOString()), held)
    assert.deepEqual(await ask(end), over)
    assert.deepEqual(await ask(after), over)
  }
  await check()
  await runJob(portal, 'expire_grants')
  await check()
})

test('a change that was rolled back appears at no moment of the past', async () => {
  const [person, role] = [await make.newPerson(), await make.newRole()]
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`insert into user_roles (user_id, role_id) values (${person.id}, ${role.id})`)
    await client.query('rollback')
  } finally {
    await client.end()
  }
  assert.deepEqual(await rolesOf(person, await moment()), ['user'])
  assert.deepEqual(await differences(), [])
})

test('a statement that does not change access records no moment of the past', async () => {
  const person = await make.newPerson()
  const [before] = await portal.sql('select count(*) from access_moments')
  await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Dana' })
  await portal.admin.delete(`/users/${person.id}/roles/order_receiver`)
  assert.deepEqual((await portal.sql('select count(*) from access_moments'))[0], before)
})

test('the portal’s own role cannot write to the records of past access', {
  skip: portalRole() ? false : 'the tests have one role only',
}, async () => {
  for (const statement of [
    'delete from access_past',
    'update access_past set until = now()',
    'update access_moments set ended_at = now()',
    `insert into access_past values ('users', 1, 0, '{}')`,
    'truncate access_past',
    'create view past.more as select 1',
  ])
    await assert.rejects(
      withClient({ ...portal.connection, ...portalRole() }, (client) => client.query(statement)),
      { code: '42501' },
      statement,
    )
})

test('only administrators can ask about the past', async () => {
  const person = await make.newPerson()
  const at = await moment()
  assert.equal((await person.get(`/users/${person.id}/effective-access?at=${at}`)).status, 403)
  assert.equal((await person.get(`/admin/access?userId=${person.id}&appId=1&at=${at}`)).status, 403)
})
