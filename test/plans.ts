/** Fills the tables of a portal with made-up rows, and plans its statements as if the tables were as large as a test says. */
import { globSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Sample, type Samples, statementsOf } from '../tools/sql/recorder.ts'

/** The numbers of rows of tables that do not grow with people and their acts. Except for tables of one row, all other tables grow. */
const SMALL: Record<string, number> = {
  access_reviews: 20,
  app_permissions: 200,
  apps: 200,
  font_settings: 10,
  group_apps: 400,
  group_roles: 100,
  groups: 300,
  health_samples: 100,
  leases: 10,
  migrations: 0,
  permissions: 30,
  provider_counts: 100,
  provider_group_rules: 30,
  provider_states: 3,
  provisioned_groups: 300,
  provisioning_sources: 5,
  regular_jobs: 30,
  request_policies: 100,
  role_permissions: 60,
  roles: 20,
  second_factor_roles: 2,
  service_accounts: 20,
  service_categories: 10,
  service_form_keys: 400,
  service_forms: 200,
  service_handlings: 20,
  service_notices: 20,
  service_order_counts: 200,
  service_teams: 10,
  services: 40,
  sign_in_providers: 3,
  state_counts: 100,
  webhooks: 20,
  working_calendars: 10,
  working_spans: 10_000,
}

interface Column {
  table: string
  column: string
  type: string
  isNullable: boolean
  isKey: boolean
  refersTo: string | null
  /** The values that a check of the column allows; null without such a check. */
  words: string[] | null
}

const COLUMNS = `
  select c.relname as table, a.attname as column, not a.attnotnull as "isNullable",
    format_type(case when t.typbasetype <> 0 then t.typbasetype else a.atttypid end, null) as type,
    exists (select from pg_index where indrelid = c.oid and indisunique and indnkeyatts = 1 and indkey[0] = a.attnum) as "isKey",
    (select confrelid::regclass::text from pg_constraint where conrelid = c.oid and contype = 'f' and conkey = array[a.attnum] limit 1) as "refersTo",
    (select array(select one[1] from regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''::text', 'g') as one)
     from pg_constraint where conrelid = c.oid and contype = 'c' and conkey = array[a.attnum] and pg_get_constraintdef(oid) ~ 'ANY' limit 1) as words
  from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
    and not exists (select from pg_attribute where attrelid = c.oid and attname = 'only_row')
  order by 1, a.attnum`

/** SQL of a column's value in row `n`, for columns in which the rules below would make a rare value common. */
const VALUES: Record<string, string> = {
  'access_requests.status': `(array['pending', 'denied', 'approved'])[least(3, 1 + n % 50)]`,
  'ledger.target_id': 'n',
  'note_recipients.status': `(array['unread', 'read', 'replied', 'archived'])[least(4, 1 + n % 20)]`,
  'notifications.read_at': 'case when n % 20 > 0 then now() end',
  'notifications.related_id': 'n',
  'order_details.due': 'case when n % 20 = 3 then n end',
  'order_details.waiting_since': 'case when n % 100 = 3 then now() end',
  'orders.cancelled_at': 'case when n % 100 = 3 then now() end',
  'orders.status': `(array['pending', 'received', 'preparing', 'cancelled', 'completed'])[least(5, 1 + n % 100)]`,
  'sessions.ended_at': 'null',
  'users.is_exception': 'n <= 5',
  'users.kind': `case when n % 500 = 0 then 'service' else 'person' end`,
}

/** SQL of the values of a type in row `n`. */
const TYPES: [type: RegExp, value: string][] = [
  [/^boolean$/, 'n % 20 = 0'],
  [/^uuid$/, 'gen_random_uuid()'],
  [/^bytea$/, `decode(md5(n::text), 'hex')`],
  [/^json/, `'{}'`],
  [/^integer\[\]$/, 'array[1 + n % 20]'],
  [/\[\]$/, `'{}'`],
  [/^date$/, 'current_date - n % 1000'],
  [/^timestamp/, `now() - n * interval '1 minute'`],
  [/^xid8$/, 'n::text'],
  [/int|real/, 'n'],
]

type RowsOf = (table: string) => number

/**
 * SQL of a column's values. Five rows refer to each row of a growing table, unless only one may; a quarter of the nullable values are null.
 */
function sqlOf({ table, column, type, isNullable, isKey, refersTo, words }: Column, rowsOf: RowsOf) {
  const own = VALUES[`${table}.${column}`]
  if (own) return own
  const value = () => {
    if (refersTo && isKey) return 'n'
    if (refersTo) return `1 + abs(hashint4(n + ${column.length})::bigint) % ${Math.ceil(rowsOf(refersTo) / (refersTo in SMALL ? 1 : 5))}`
    if (words?.length) return `(array[${words.map((word) => `'${word}'`)}])[case when n % 10 > 0 then 1 else 1 + n % ${words.length} end]`
    if (column === 'is_active') return 'n % 20 > 0'
    return TYPES.find(([one]) => one.test(type))?.[1] ?? `'${column} ' || n`
  }
  const whole = `(${value()})::${type}`
  return isNullable ? `case when n % 4 > 0 then ${whole} end` : whole
}

/** Fills each table, the growing ones with `rows` rows, and collects statistics. Drops the checks and disables the triggers. */
export async function fillTables(client: pg.ClientBase, rows: number) {
  const { rows: columns } = await client.query<Column>(COLUMNS)
  const { rows: constraints } = await client.query<{ table: string; name: string; type: string; text: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, contype as type, pg_get_constraintdef(oid) as text from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'f') and conrelid <> 0 and conparentid = 0 and coninhcount = 0`)
  for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`)
  const rowsOf: RowsOf = (table) => Math.min(rows, SMALL[table] ?? rows)
  for (const [table, its] of Map.groupBy(columns, (column) => column.table))
    await client.query(`
      alter table ${table} disable trigger user;
      insert into ${table} (${its.map(({ column }) => `"${column}"`)}) overriding system value
      select ${its.map((column) => sqlOf(column, rowsOf))} from generate_series(1, ${rowsOf(table)}) as n on conflict do nothing`)
  // Restore the foreign keys, because the planner uses them.
  for (const { table, name, type, text } of constraints)
    if (type === 'f') await client.query(`alter table ${table} add constraint ${name} ${text} not valid`)
  await client.query('vacuum analyze')
}

interface Relation {
  name: string
  file: string
  pages: number
  rows: number
  /** Whether the relation is a growing table or an index of one. */
  grows: boolean
  /** Whether the relation has all rows of the table, or at least many of them. */
  isWhole: boolean
}

const RELATIONS = `
  select c.relname as name, pg_relation_filepath(c.oid) as file, c.relpages as pages, c.reltuples as rows,
    coalesce(inhparent::regclass::text, t.relname) <> all($1)
      and not exists (select from pg_attribute where attrelid = t.oid and attname = 'only_row') as grows,
    indexrelid is null or indpred is null or c.reltuples > greatest(t.reltuples, 0) / 20 as "isWhole"
  from pg_class c left join pg_index on indexrelid = c.oid join pg_class t on t.oid = coalesce(indrelid, c.oid)
    left join pg_inherits on inhrelid = t.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`

const relationsOf = async (client: pg.ClientBase) =>
  (await client.query<Relation>(RELATIONS, [Object.keys(SMALL)])).rows.filter(({ grows }) => grows)

/**
 * Makes the planner see every growing table as `times` times as large, with the statistics that `analyze` would then find. The planner
 * multiplies the rows per page by the pages of the file, so the files get holes, which take no room. `folder` is that of the database.
 */
export async function enlarge(client: pg.ClientBase, folder: string, times: number) {
  for (const { name, file, pages, rows } of await relationsOf(client)) {
    if (rows <= 0) continue
    const more = Math.ceil(pages * times)
    await client.query(
      `select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text,
         'relpages', $2::int, 'reltuples', $3::real, 'relallvisible', $2::int)`,
      [name, more, rows * times],
    )
    truncateSync(join(folder, file), more * 8192)
  }
}

/** The names of the growing tables and of their indexes on all rows, or at least on many; with `isFilled`, only of those that have rows. */
export async function growing(client: pg.ClientBase, isFilled: boolean) {
  const some = (await relationsOf(client)).filter(({ rows, isWhole }) => isWhole && (rows > 0 || !isFilled))
  return new Set(some.map(({ name }) => name))
}

/** A statement with its name; a statement of a sample is named by the file and title of the sample. */
export interface Statement {
  text: string
  name: string
}

const samplesFolder = join(import.meta.dirname, '../tools/sql/samples')

/** The statements that the samples in `tools/sql/samples/` send, each once, including those without a join. */
export async function sampledStatements(): Promise<Statement[]> {
  const found = new Map<string, Statement>()
  for (const file of globSync('**/*.ts', { cwd: samplesFolder }).toSorted()) {
    const { default: samples } = (await import(join(samplesFolder, file))) as { default: Samples }
    const all = Object.entries(samples).flatMap(([name, one]): [string, Sample][] =>
      typeof one === 'function' ? [[name, one]] : Object.entries(one).map(([what, sample]) => [`${name}, ${what}`, sample]),
    )
    for (const [title, sample] of all)
      for (const text of await statementsOf(sample))
        if (!found.has(text) && !/^(set|savepoint|rollback) /.test(text)) found.set(text, { text, name: `${file.slice(0, -3)}: ${title}` })
  }
  return [...found.values()]
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Parent Relationship'?: string
  Plans?: Node[]
}

/** Values of parameters by type. Parameters of all other types are texts. */
const GIVEN: Record<string, string> = {
  integer: '1',
  bigint: '50',
  boolean: 'true',
  'integer[]': `'{1,2,3}'`,
  'text[]': `'{sara}'`,
  'bigint[]': `'{1,2,3}'`,
  'bytea[]': `'{}'`,
  'boolean[]': `'{true}'`,
  json: `'[]'`,
  jsonb: `'[]'`,
  date: 'current_date',
  'timestamp with time zone': 'now()',
  uuid: `'00000000-0000-4000-8000-000000000000'`,
  xid8: `'5'`,
  bytea: `'\\x00'`,
  regclass: `'orders'`,
}

const TYPES_OF = `
  select array(select format_type(one, null) from unnest(parameter_types) as one)::text[] as types
  from pg_prepared_statements where name = 'planned'`

/** The custom plan for some values, and the generic plan. */
async function plansOf(client: pg.ClientBase, text: string) {
  await client.query(`prepare planned as ${text}`)
  try {
    const { types } = (await client.query<{ types: string[] }>(TYPES_OF)).rows[0]!
    const valuesWith = (word: string) => (types.length ? `(${types.map((type) => GIVEN[type] ?? `'${word}'`)})` : '')
    // Some parameters of type text must be numbers, so try a word first, and then a number.
    const suits = (values: string) =>
      client.query(`explain execute planned${values}`).then(
        () => true,
        () => false,
      )
    const values = (await suits(valuesWith('%sara%'))) ? valuesWith('%sara%') : valuesWith('5')
    const plans: Node[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (format json) execute planned${values}`)
      plans.push(rows[0]!['QUERY PLAN'][0].Plan)
    }
    return plans
  } finally {
    await client.query('deallocate planned; reset plan_cache_mode')
  }
}

/** The plan nodes that pass on each row as they read it, so that a limit above them stops their reading. */
const PASSING = /^(Limit|LockRows|Nested Loop|Subquery Scan|Result|Append|Merge Append|Memoize|Incremental Sort)$/

/** The `growing` tables and indexes that a plan may read from end to end. A read without a filter that a limit stops does not count. */
function wholeReads(node: Node, growing: Set<string>, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '', Plans: inner = [] } = node
  const found: string[] = []
  const isUnbound = !node['Index Cond'] && !(isLimited && !node.Filter)
  if (type === 'Seq Scan' && growing.has(table) && isUnbound) found.push(`all of ${table}`)
  if (/Index/.test(type) && growing.has(index) && isUnbound) found.push(`all of ${index}`)
  const passesOn = type === 'Limit' || (isLimited && PASSING.test(type))
  for (const [place, one] of inner.entries()) {
    const isFirst = place === 0 || /Append/.test(type)
    const isPlan = !/SubPlan|InitPlan/.test(one['Parent Relationship'] ?? '')
    found.push(...wholeReads(one, growing, passesOn && isFirst && isPlan))
  }
  return found
}

/** The tables and indexes that a statement may read from end to end, by its custom or its generic plan. */
export async function readsOf(client: pg.ClientBase, { text }: Statement, growing: Set<string>) {
  const plans = await plansOf(client, text)
  return [...new Set(plans.flatMap((plan) => wholeReads(plan, growing)))]
}
