/** Every column that refers to people, roles, permissions, groups or meetings is in the list of departures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { departures as enlisted } from '../server/departures.ts'
import type { Departure } from '../server/platform/changes/departures.ts'
import { testPortal } from './portal.ts'

const portal = testPortal()
const departures: readonly Departure[] = enlisted

interface Column {
  /** As `table.column`. */
  name: string
  /** The table that its foreign key refers to, and what the database does when the row there is deleted. */
  to: string | null
  then: 'nothing' | 'delete' | 'empty' | null
}
/** The columns that could hold ids of other rows: integers, lists of them, and JSON. */
const readColumns = () =>
  portal.sql<Column>(
    `select format('%s.%s', relname, attname) as name, confrelid::regclass::text as to,
       case confdeltype when 'a' then 'nothing' when 'c' then 'delete' when 'n' then 'empty' end as then
     from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped
     left join pg_constraint k on conrelid = c.oid and contype = 'f' and attnum = any(conkey)
     where c.relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attname <> 'id'
       and atttypid in ('int4'::regtype, 'int8'::regtype, 'int4[]'::regtype, 'int8[]'::regtype, 'json'::regtype, 'jsonb'::regtype)
     order by 1`,
  )

/** The names of columns whose numbers are not ids. */
const numbers =
  /\.(count|shard|version|value|sort_order|place|peak|size|font_size|font_weight|meeting_count|counted|under_way|points|expire|notes|bytes|labels|folders|objects|forgotten|held)$/

/** Columns with ids of other things, or with texts that may contain one, and why no departure is needed. */
const others: Record<string, string> = {
  'app_opens.app_id': 'an app’s; its deletion forgets them',
  'app_orders.app_ids': 'apps; those that are gone are passed over',
  'audit_seals.ids': 'rows of the ledger',
  'audit_seals.last_id': 'a row of the ledger',
  'audit_seals.contents': 'hashes',
  'audit_seals.wholes': 'hashes',
  'events.sessions': 'sessions, for as long as events are kept',
  'events.data': 'what was sent stays as it was sent',
  'leases.holder': 'a connection of an instance',
  'ledger.facts': 'what was done stays as it was done',
  'meeting_requests.details': 'a proposal; whom it names is looked up again when it is approved',
  'notifications.related_id': 'what a notification leads to; a reader finds it gone',
  'pdf_archives.content': 'a day as it was printed',
  'pushes.notification_id': 'need not be there any more when its turn comes',
  'pushes.subscription_id': 'need not be there any more when its turn comes',
}

const tables = [...new Set(departures.map(({ of }) => of))]
const holdersOf = (column: string, of: string) => departures.filter((one) => one.of === of && one.holds.some((held) => held === column))

test('people, roles, permissions and groups have departures', () => {
  for (const table of ['users', 'roles', 'permissions', 'groups']) assert.ok(tables.includes(table), table)
})

test('every foreign key to a table with departures belongs to exactly one departure', async () => {
  for (const { name, to, then } of await readColumns()) {
    if (to === null || !tables.includes(to)) continue
    const holders = holdersOf(name, to)
    assert.equal(
      holders.length,
      1,
      `${name} refers to ${to}: name it in \`holds\` of one departure of '${to}' in the departures.ts of its feature, and that in server/departures.ts`,
    )
    if (then === 'nothing')
      assert.ok(
        holders[0]!.counts || holders[0]!.leaves,
        `the database refuses to delete a row of ${to} that ${name} refers to: its departure must count what is held, or remove it`,
      )
  }
})

test('every other column that could hold ids belongs to a departure or is listed with a reason', async () => {
  for (const { name, to } of await readColumns()) {
    if (to !== null || numbers.test(name)) continue
    const isKnown = name in others || departures.some(({ holds }) => holds.some((held) => held === name))
    assert.ok(
      isKnown,
      `${name} may hold ids: name it in a departure (server/departures.ts) with why they stay, or in \`others\` of this test`,
    )
  }
})

test('a departure says why the ids in a column without a foreign key stay, or removes them', async () => {
  const columns = await readColumns()
  for (const { of, holds, stays, gone } of departures)
    for (const held of holds) {
      const found = columns.filter(({ name }) => name === held)
      assert.ok(found.length > 0, `${held} is held by a departure of '${of}', but is not in the database`)
      const isReference = found.some(({ to }) => to === of)
      assert.equal(isReference, !stays && !gone, `${held} of ${of}: \`stays\` or \`gone\` where the database does nothing, and only there`)
    }
  for (const name of Object.keys(others))
    assert.ok(
      columns.some((one) => one.name === name && one.to === null),
      `${name} is not in the database`,
    )
})
