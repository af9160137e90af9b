/** The rights of a portal's role when another role owns the schema. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from './portal.ts'
import { portalRole } from './setup.ts'

const role = portalRole()
const skip = role ? false : 'the tests have one role only'
const portal = testPortal()

/**
 * The rights of the portal's role on some tables and views. By default, tables may be read and written, views only read, and partitions
 * neither.
 */
const LEDGERS = 'INSERT SELECT'
const expected: Record<string, string> = {
  ledger: LEDGERS,
  permission_history: LEDGERS,
  audit_names: LEDGERS,
  access_moments: 'SELECT',
  access_past: 'SELECT',
  audit_seals: 'SELECT',
  seal_horizon: 'SELECT',
  webhook_horizon: 'SELECT',
  migrations: 'SELECT',
  'graphile_worker.migrations': 'SELECT',
}
const USUAL = 'DELETE INSERT SELECT UPDATE'
const MAY = (kind: string, oid: string, rights: string[]) =>
  `concat_ws(' ', ${rights.map((right) => `case when has_${kind}_privilege('${role?.user}', ${oid}, '${right}') then '${right}' end`)})`

test('the portal has the expected rights on every table and its columns', { skip }, async () => {
  const all = ['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']
  const tables = await portal.sql<{ name: string; kind: string; part: boolean; rights: string; columns: boolean }>(
    `select oid::regclass::text as name, relkind as kind, relispartition as part, ${MAY('table', 'oid', all)} as rights,
       has_any_column_privilege('${role!.user}', oid, 'update') as columns
     from pg_class where relnamespace in ('public'::regnamespace, 'past'::regnamespace, 'planned'::regnamespace, 'graphile_worker'::regnamespace)
       and relkind in ('r', 'p', 'v', 'm', 'f')`,
  )
  assert.ok(tables.length > 60)
  for (const { name, kind, part, rights, columns } of tables) {
    const may = expected[name] ?? (part ? '' : kind === 'v' ? 'SELECT' : USUAL)
    assert.deepEqual([name, rights, columns], [name, may, may.includes('UPDATE')])
  }
})

test('the portal may advance sequences, and call three functions that run as their owner', { skip }, async () => {
  const sequences = await portal.sql<{ rights: string }>(
    `select ${MAY('sequence', 'oid', ['SELECT', 'UPDATE', 'USAGE'])} as rights from pg_class
     where relkind = 'S' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  )
  assert.deepEqual(new Set(sequences.map(({ rights }) => rights)), new Set(['USAGE']))
  const functions = await portal.sql<{ name: string; settings: string[]; all: boolean; own: boolean }>(
    `select proname as name, proconfig as settings, has_function_privilege('public', oid, 'execute') as all,
       has_function_privilege('${role!.user}', oid, 'execute') as own
     from pg_proc where prosecdef and prorettype <> 'trigger'::regtype and pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by 1`,
  )
  const asOwner = { settings: ['search_path=public, pg_temp'], all: false, own: true }
  assert.deepEqual(functions, [
    { name: 'ensure_month', ...asOwner },
    { name: 'seal_ledger', ...asOwner },
    { name: 'settle_ledger', ...asOwner },
  ])
})
