/** Triggers, tested with statements on many rows: counts, versions, and records that cannot be rewritten. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { recount } from '../server/work/stats/recount.ts'
import { makers } from './makers.ts'
import { newLabel, writeNote } from './notes.ts'
import { objectStore } from './object-stores.ts'
import { testPortal } from './portal.ts'
import { text, uploads } from './uploads.ts'

const portal = testPortal(objectStore('folder'))
const make = makers(portal)

/** Runs the statement in one transaction with a recorded change of each subject, which the database demands. */
const within = (subjects: [targetType: string, id: number][], statement: string) => {
  const changes = subjects.map(
    ([targetType, id]) => `insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', '${targetType}', ${id}, '{}');`,
  )
  return portal.sql(`begin; ${changes.join(' ')} ${statement}; commit`)
}
const countsRight = async () => assert.deepEqual(await recount(portal.instance.db.reads), [])

test('people are counted by day and by activity under simultaneous inserts, updates and deletes', async () => {
  const ids = [9001, 9002, 9003, 9004]
  const subjects = ids.map((id): [string, number] => ['user', id])
  const rows = ids.map((id) => `(${id}, 'p${id}', 'p${id}@example.org', '-', ${id !== 9004}, now() - interval '${id % 3} days')`)
  await within(
    subjects,
    `insert into users (id, username, email, password_hash, is_active, created_at) overriding system value values ${rows.join()}`,
  )
  await countsRight()
  await within(subjects, `update users set is_active = not is_active, created_at = created_at - interval '1 day' where id > 9000`)
  await countsRight()
  await within(subjects.slice(0, 2), `update users set is_active = true, created_at = now() where id in (9001, 9002)`)
  await countsRight()
  await within(subjects, 'delete from users where id > 9000')
  await countsRight()
})

test('services are counted by day and by availability', async () => {
  const ids = [9001, 9002, 9003]
  const subjects = ids.map((id): [string, number] => ['service', id])
  const rows = ids.map((id) => `(${id}, 'س', 's', ${id !== 9003}, now() - interval '${id % 2} days')`)
  await within(
    subjects,
    `insert into services (id, name_ar, name_en, is_available, created_at) overriding system value values ${rows.join()}`,
  )
  await countsRight()
  await within(subjects, `update services set is_available = not is_available, created_at = created_at - interval '2 days' where id > 9000`)
  await countsRight()
  await within(subjects.slice(0, 1), 'update services set is_available = false where id = 9001')
  await countsRight()
  await within(subjects, 'delete from services where id > 9000')
  await countsRight()
})

test('app opens are counted for apps, people, days and months, and subtracted when deleted', async () => {
  const [apps, people] = [await Promise.all([make.newApp(), make.newApp()]), await Promise.all([make.newPerson(), make.newPerson()])]
  const rows = apps.flatMap((app) =>
    people.flatMap((person, index) =>
      [0, 0, 1, 40].slice(index).map((days) => `(${app.id}, ${person.id}, now() - interval '${days} days')`),
    ),
  )
  const insert = `insert into app_opens (app_id, user_id, created_at) values`
  await portal.sql(`${insert} ${rows.join()}`)
  await countsRight()
  await portal.sql(`${insert} ${rows.slice(0, 3).join()}`)
  await countsRight()
  await portal.sql('delete from app_opens where id % 2 = 0')
  await portal.sql(`update user_open_peaks set peak = peak - 1`)
  const differences = await recount(portal.instance.db.reads)
  assert.ok(
    differences.every((line) => line.startsWith('the most app opens')),
    differences.join('\n'),
  )
  await portal.sql(`update user_open_peaks set peak = peak + 1`)
  await portal.sql(`delete from app_opens`)
  assert.deepEqual(
    (await portal.sql<{ count: number }>(`select sum(count)::int as count from day_counts where what = 'app_opens'`))[0]!.count,
    0,
  )
  for (const table of ['app_open_days', 'app_open_months', 'user_open_days', 'user_open_months'])
    assert.deepEqual(await portal.sql(`select count from ${table} where count <> 0`), [], table)
})

test('app opens of past days move the version in `past_opens`; those of today do not', async () => {
  const [app, person] = [await make.newApp(), await make.newPerson()]
  const version = async () => (await portal.sql<{ version: string }>('select version::text from past_opens'))[0]!.version
  const open = (age: string) =>
    portal.sql(`insert into app_opens (app_id, user_id, created_at) values (${app.id}, ${person.id}, now() - interval '${age}')`)
  const before = await version()
  await open('0 days')
  assert.equal(await version(), before)
  await open('2 days')
  const moved = await version()
  assert.notEqual(moved, before)
  await portal.sql(`delete from app_opens where created_at > now() - interval '1 hour'`)
  assert.equal(await version(), moved)
  await portal.sql('delete from app_opens')
  assert.notEqual(await version(), moved)
})

test('the version of a person’s notes moves with each of their notes and labels, and not with those of other people', async () => {
  const [huda, salem] = [await make.newPerson(), await make.newPerson()]
  const label = await newLabel(huda)
  const other = await newLabel(huda)
  const notes = [await writeNote(huda), await writeNote(huda)]
  await writeNote(salem)
  const versions = async () =>
    (
      await portal.sql<{ version: number }>('select version::int from note_versions where user_id in ($1, $2) order by user_id', [
        huda.id,
        salem.id,
      ])
    ).map(({ version }) => version)
  const both = notes.map((id): [string, number] => ['note', id])
  const [first] = notes
  const steps: [what: string, statement: string][] = [
    ['notes change', `update notes set title = 'x' where user_id = ${huda.id}`],
    ['a label is put on', `insert into note_label_links (note_id, label_id) values (${first}, ${label})`],
    ['a label moves', `update note_label_links set label_id = ${other} where note_id = ${first}`],
    ['a label moves to another note', `update note_label_links set note_id = ${notes[1]} where note_id = ${first}`],
    ['a label is taken off', `delete from note_label_links where note_id = ${notes[1]}`],
    ['notes go', `delete from notes where user_id = ${huda.id}`],
  ]
  for (const [what, statement] of steps) {
    const [own, others] = await versions()
    await within(both, statement)
    const [after, othersAfter] = await versions()
    assert.ok(after! > own!, what)
    assert.equal(othersAfter, others, what)
  }
})

test('recorded changes cannot be rewritten, even by a role that has gained the right to do so', async () => {
  await make.newGroup({ userIds: [portal.admin.id] })
  await portal.sql(
    `insert into audit_seals (id, last_id, ids, contents, wholes, hash) values (1, 1, '{1}', '{1}', '{1}', '') on conflict do nothing`,
  )
  for (const table of ['ledger', 'permission_history', 'audit_seals'])
    for (const [statement, message] of [
      [`update ${table} set at = at`, /append-only/],
      [`delete from ${table}`, /append-only/],
      [`truncate ${table}`, /append-only/],
    ] as const) {
      await assert.rejects(portal.sql(statement), { code: '42501', message: /permission denied/ }, statement)
      const client = new pg.Client(portal.connection)
      await client.connect()
      try {
        await client.query(`begin; grant update, delete, truncate on ${table} to current_user`)
        await assert.rejects(client.query(statement), { code: '42501', message }, statement)
      } finally {
        await client.end()
      }
    }
})

test('a partition is made once, for its own month only', async () => {
  const made = async () =>
    (
      await portal.sql<{ name: string; bounds: string }>(
        `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_class c where c.relname = 'app_opens_2031_02'`,
      )
    )[0]
  for (const day of ['2031-02-28', '2031-02-01']) await portal.sql(`select ensure_month('app_opens', '${day}')`)
  assert.equal((await made())!.bounds, `FOR VALUES FROM ('2031-02-01 00:00:00+00') TO ('2031-03-01 00:00:00+00')`)
  await portal.sql(`select ensure_month('ledger', '2031-02-28')`)
  for (const [month, isLocked] of [
    ['ledger_2031_02', true],
    ['app_opens_2031_02', false],
  ] as const)
    assert.equal(
      (await portal.sql(`select from pg_trigger where tgrelid = '${month}'::regclass and tgname = 'append_only_whole'`)).length > 0,
      isLocked,
    )
})

test('a statement that sets the path of an object locks the object until the commit; other changes and paths lock nothing', async () => {
  const place = await uploads(portal).stored(text(5), { contentType: 'image/png' })
  const [person, app, service] = [await make.newPerson(), await make.newApp(), await make.newService()]
  const changes: [table: string, id: number, column: string, insert: string][] = [
    ['users', person.id, 'avatar_url', `(username, email, password_hash, avatar_url) values ('held', 'held@example.org', '-', '$path')`],
    [
      'apps',
      app.id,
      'image_url',
      `(slug, name_ar, name_en, icon_name, route, color, image_url) values ('held', 'س', 's', 'box', '/app', '#0af', '$path')`,
    ],
    ['services', service.id, 'image_url', `(name_ar, name_en, image_url) values ('س', 's', '$path')`],
  ]
  /** Whether an open transaction that ran `statement` locks the object. */
  async function holds(statement: string, path: string) {
    const client = new pg.Client(portal.connection)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(statement.replaceAll('$path', path))
      const free = await portal.sql('select from objects where uuid = $1 for update skip locked', [place.uuid])
      return free.length === 0
    } finally {
      await client.end()
    }
  }
  for (const [table, id, column, insert] of changes) {
    for (const statement of [`insert into ${table} ${insert}`, `update ${table} set ${column} = '$path' where id = ${id}`]) {
      assert.equal(await holds(statement, place.objectPath), true, statement)
      assert.equal(await holds(statement, `https://example.org${place.objectPath}`), false, statement)
    }
    assert.equal(await holds(`update ${table} set created_at = created_at where id = ${id}`, place.objectPath), false, table)
  }
})
