/** Every column that refers to people, roles, permissions, groups or meetings is in the list of deletion hooks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deletionHooks as listed } from '../server/lists/deletion-hooks.ts'
import type { DeletionHook } from '../server/platform/changes/deletion-hooks.ts'
import { testPortal } from './portal.ts'

const portal = testPortal()
const deletionHooks: readonly DeletionHook[] = listed

interface Column {
  /** As `table.column`. */
  name: string
  /** The table that its foreign key refers to, and what a deletion there does (`on delete`). */
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

/** Columns whose numbers are not ids. */
const numbers =
  /\.(count|transfer_count|reopen_count|reopen_days|receive_time|complete_time|paused|paused_from|form_version|shard|version|value|sort_order|place|peak|size|days|max_days|grace_days|token_max_days|min_approvals|needed_approvals|font_size|font_weight|meeting_count|counted|counter|last_step|under_way|points|expire|notes|bytes|labels|folders|objects|forgotten|held|due|complete_due|receive_due|started|used_time|complete_minutes|receive_minutes|before|given_up|pushes_waiting|streams|allowance|active_before)$/

/** Columns that could hold ids by their type but belong to no deletion hook, each with its content. */
const others: Record<string, string> = {
  'access_past.line': 'a row as it was',
  'access_past.one': 'a part of the key of a row as it was',
  'access_past.other': 'a part of the key of a row as it was',
  'access_review_items.app_ids': 'apps that a grant showed; their openings are deleted with them',
  'app_opens.app_id': 'an app, whose deletion deletes the rows',
  'order_steps.needed': 'how many must approve',
  'order_steps.place': 'which step it is',
  'orders.team_id': 'a team, which no open order names once it is deleted',
  'app_orders.app_ids': 'apps; readers skip the deleted ones',
  'provisioned_users.attributes': 'what a source sent',
  'audit_seals.ids': 'rows of the ledger',
  'audit_seals.last_id': 'a row of the ledger',
  'seal_horizon.last_id': 'a row of the ledger',
  'audit_seals.contents': 'hashes',
  'audit_seals.wholes': 'hashes',
  'deletions.target_id': 'what was deleted, for half a minute',
  'deletions.rows': 'rows as they were; what they refer to is looked up when they are put back',
  'events.sessions': 'sessions, for as long as events are kept',
  'events.data': 'an event stays as it was sent',
  'leases.holder': 'a connection of an instance',
  'ledger.facts': 'a fact stays as it was recorded',
  'meeting_requests.details': 'a proposal; the people in it are looked up again when it is approved',
  'notifications.related_id': 'the target of a notification, which may be deleted',
  'permission_history.ends': 'a fact of the change that was recorded',
  'permission_history.revert_of': 'an entry of a history, which stays',
  'pdf_archives.content': 'a day as it was printed',
  'pdf_archives.print': 'a hash of what was printed',
  'provider_counts.count': 'how often an attempt ended so',
  'provider_states.metadata': 'what a provider says of itself',
  'sign_in_providers.claims': 'names of claims',
  'sign_in_providers.public_key': 'a key',
  'sign_in_providers.requirements': 'claims and their values',
  'sign_in_providers.session_hours': 'how long a session lives',
  'sign_in_providers.sort_order': 'a place in the order',
  'source_refusals.target_id': 'a person or group; readers skip the deleted ones',
  'service_forms.fields': 'labels and settings',
  'sessions.confirmed_provider_id': 'a provider',
  'sessions.level': 'how many factors it began with',
  'audit_stream.last_status': 'the status of an answer',
  'audit_stream.marks': 'places of the stream',
  'audit_stream.place': 'a place of the stream',
  'audit_stream.refused_place': 'a place of the stream',
  'audit_stream_horizon.event_id': 'a security event',
  'audit_stream_horizon.last_place': 'a place of the stream',
  'audit_stream_horizon.ledger_id': 'a row of the ledger',
  'audit_stream_horizon.seal_id': 'a seal',
  'audit_stream_places.note': 'about the stream itself',
  'audit_stream_places.place': 'a place of the stream',
  'security_events.actor_id': 'who it was, who may be deleted',
  'security_events.fields': 'a line of the log',
  'security_events.target_id': 'what it was about, which may be deleted',
  'user_import_rows.cells': 'what a file says',
  'user_import_rows.changes': 'names and values',
  'user_import_rows.details': 'what is wrong with a row of a file',
  'user_import_rows.line': 'a line of a file',
  'user_import_rows.place': 'a place in the order',
  'user_imports.counts': 'numbers of rows',
  'user_imports.done': 'how many rows are done',
  'user_imports.groups': 'groups as they were named in a preview',
  'user_imports.total': 'how many rows there are',
  'webhook_deliveries.sequence': 'a row of the ledger',
  'webhook_deliveries.part': 'which message of a row it is',
  'webhook_deliveries.tries': 'how often it was sent',
  'webhook_deliveries.last_status': 'the status of an answer',
  'webhook_deliveries.last_ms': 'how long a try took',
  'webhook_horizon.settled': 'a row of the ledger',
  'webhook_horizon.last_id': 'a row of the ledger',
  'webhooks.begun_after': 'a row of the ledger',
  'webhooks.rests': 'how often it rested in a row',
  'webhooks.told': 'how far its people were told',
  'working_calendars.weekly': 'hours',
  'working_calendars.periods': 'hours between two days',
  'working_calendars.days_off': 'days',
  'order_details.calendar_id': 'a calendar, which no open order has once it is deleted',
  'order_figures.calendar_id': 'a calendar, by which the order was timed',
  'order_figures.order_id': 'an order, which may be deleted',
  'order_figures.team_id': 'a team; readers skip the deleted ones',
  'reminders.days': 'which reminder it was',
  'reminders.object_id': 'a group or role; ids are never used again',
  'reminders.subject_id': 'what the reminder was about; ids are never used again',
  'pushes.notification_id': 'a notification, which may be deleted before the push',
  'pushes.subscription_id': 'a subscription, which may be deleted before the push',
}

const tables = [...new Set(deletionHooks.map(({ of }) => of))]
const isHeld = (column: string, { columns }: DeletionHook) => columns.some((held) => held === column)
const holdersOf = (column: string, of: string) => deletionHooks.filter((one) => one.of === of && isHeld(column, one))

test('people, roles, permissions and groups have deletion hooks', () => {
  for (const table of ['users', 'roles', 'permissions', 'groups']) assert.ok(tables.includes(table), table)
})

test('every foreign key to a table with deletion hooks belongs to exactly one deletion hook', async () => {
  for (const { name, to, then } of await readColumns()) {
    if (to === null || !tables.includes(to)) continue
    const [holder, ...more] = holdersOf(name, to)
    const advice = `${name} refers to ${to}: name it in \`columns\` of one deletion hook of '${to}' in the deletion-hooks.ts of its feature, and that in server/lists/deletion-hooks.ts`
    assert.ok(holder && more.length === 0, advice)
    const isHandled = then !== 'nothing' || holder.counts || holder.leaves
    assert.ok(
      isHandled,
      `the database refuses to delete a row of ${to} that ${name} refers to: its deletion hook must count or remove such rows`,
    )
  }
})

test('every other column that may hold ids belongs to a deletion hook or is listed with its content', async () => {
  for (const { name, to } of await readColumns()) {
    if (to !== null || numbers.test(name)) continue
    const isKnown = name in others || deletionHooks.some((one) => isHeld(name, one))
    assert.ok(
      isKnown,
      `${name} may hold ids: name it in a deletion hook (server/lists/deletion-hooks.ts) with why they stay, or in \`others\` of this test`,
    )
  }
})

test('a deletion hook explains why ids in a column without a foreign key stay, or removes them', async () => {
  const all = await readColumns()
  for (const { of, columns, stays, gone } of deletionHooks)
    for (const held of columns) {
      const found = all.filter(({ name }) => name === held)
      assert.ok(found.length > 0, `${held} is named by a deletion hook of '${of}', but is not in the database`)
      const isReference = found.some(({ to }) => to === of)
      assert.equal(isReference, !stays && !gone, `${held} of ${of}: \`stays\` or \`gone\` where the database does nothing, and only there`)
    }
})

test('every column that is listed here with its content exists and has no foreign key', async () => {
  const free = (await readColumns()).filter(({ to }) => to === null).map(({ name }) => name)
  for (const name of Object.keys(others)) assert.ok(free.includes(name), `${name} is not in the database`)
})
