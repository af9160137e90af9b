/** Reads the rows of every table in one snapshot, and loads them into a database with the same migrations. */
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Entry } from './archive.ts'

interface Table {
  name: string
  columns: string
}

/** The contents of a backup of the database, besides the rows. */
export interface Contents {
  migrations: string[]
  tables: Table[]
  /** Months that have a partition of their own. */
  months: { parent: string; month: string }[]
  /** The last value of each sequence that was used. */
  sequences: { name: string; last: string }[]
}

const SCHEMAS = `(select oid from pg_namespace where nspname in ('public', 'graphile_worker'))`
const nameOf = (oid: string) => `format('%I.%I', ${oid}.relnamespace::regnamespace, ${oid}.relname)`
const OWN = `not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`

/** Tables (not their partitions) with their stored columns. Unlogged tables are left out. */
const TABLES = `
  select ${nameOf('c')} as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relnamespace in ${SCHEMAS} and relkind in ('r', 'p') and not relispartition and relpersistence = 'p' and ${OWN}
  group by c.oid order by 1`
const MONTHS = `
  select p.relname as parent, to_char(to_date(right(c.relname, 7), 'YYYY_MM'), 'YYYY-MM-DD') as month
  from pg_class c join pg_inherits on inhrelid = c.oid join pg_class p on p.oid = inhparent
  where c.relispartition and c.relkind = 'r' and c.relname ~ '_\\d{4}_\\d{2}$' order by 1, 2`
const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
  where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1`
/** The migrations of the portal and of its job queue. */
const MIGRATIONS = `
  select array_agg(line order by line) as lines from (
    select format('%s %s %s', lpad(id::text, 4, '0'), name, hash) from migrations
    union all select format('queue %s', lpad(id::text, 4, '0')) from graphile_worker.migrations) as all_of_them (line)`

async function migrationsOf(client: pg.Client) {
  const { rows } = await client.query<{ lines: string[] }>(MIGRATIONS)
  return rows[0]!.lines
}

/** Begins the snapshot of a backup and describes its contents. */
export async function beginSnapshot(client: pg.Client): Promise<Contents> {
  await client.query('begin isolation level repeatable read read only')
  const migrations = await migrationsOf(client)
  const { rows: tables } = await client.query<Table>(TABLES)
  const { rows: months } = await client.query<Contents['months'][number]>(MONTHS)
  // Sequences ignore snapshots. They are read after the snapshot has begun, so they are past every id in it.
  const { rows: sequences } = await client.query<Contents['sequences'][number]>(SEQUENCES)
  return { migrations, tables, months, sequences }
}

/** The rows of a table, as PostgreSQL copies them. */
export const rowsOf = (client: pg.Client, { name, columns }: Table) =>
  client.query(copyTo(`copy (select ${columns} from ${name}) to stdout`))

/** The rows of a query, fetched by a cursor, 500 at a time. */
export async function* readSlowly<Row extends pg.QueryResultRow>(client: pg.Client, query: string) {
  await client.query(`declare slowly no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await client.query<Row>('fetch 500 from slowly')
    yield* rows
    if (!rows.length) break
  }
  await client.query('close slowly')
}

/** Throws an error of one line unless the database has exactly the migrations of the backup. */
async function assertSameMigrations(client: pg.Client, { migrations }: Contents) {
  const here = await migrationsOf(client)
  const foreign = migrations.find((line) => !here.includes(line)) ?? here.find((line) => !migrations.includes(line))
  if (foreign) throw new Error(`the backup is of another version, as migration ${foreign.slice(0, 60)} shows: restore it with that version`)
}

const TRIGGERED = `select ${nameOf('c')} as name from pg_class c where relnamespace in ${SCHEMAS} and relkind in ('r', 'p') and ${OWN}`
const REFERENCES = `
  select ${nameOf('c')} as name, quote_ident(conname) as key, pg_get_constraintdef(pg_constraint.oid) as definition
  from pg_constraint join pg_class c on c.oid = conrelid
  where contype = 'f' and conparentid = 0 and connamespace in ${SCHEMAS} order by 1, 2`

/**
 * Prepares a freshly migrated database for the rows of a backup, in one transaction. Triggers are off, and `end` checks the foreign keys
 * once all rows are there, so tables may be loaded in any order.
 */
export async function beginLoading(client: pg.Client, contents: Contents) {
  const { rows: references } = await client.query<{ name: string; key: string; definition: string }>(REFERENCES)
  const columnsOf = new Map((await client.query<Table>(TABLES)).rows.map(({ name, columns }) => [name, columns]))
  await client.query('begin')
  await assertSameMigrations(client, contents)
  for (const { parent, month } of contents.months) await client.query('select ensure_month($1, $2)', [parent, month])
  const { rows: triggered } = await client.query<{ name: string }>(TRIGGERED)
  for (const { name } of triggered) await client.query(`alter table ${name} disable trigger user`)
  for (const { name, key } of references) await client.query(`alter table ${name} drop constraint ${key}`)
  for (const name of columnsOf.keys())
    if ((await client.query(`select from ${name} limit 1`)).rowCount) await client.query(`truncate ${name}`)

  return {
    /** Loads one table's rows from pieces of PostgreSQL's copy format. Returns their number. */
    async load(name: string, bytes: () => AsyncIterable<Uint8Array>) {
      const columns = columnsOf.get(name)
      if (columns === undefined) throw new Error(`the backup has an unknown table ${name.slice(0, 60)}`)
      const copying = client.query(copyFrom(`copy ${name} (${columns}) from stdin`))
      await pipeline(bytes, copying)
      return copying.rowCount
    },
    async end() {
      for (const { name, last } of contents.sequences) await client.query('select setval($1::regclass, $2)', [name, last])
      for (const { name, key, definition } of references) await client.query(`alter table ${name} add constraint ${key} ${definition}`)
      for (const { name } of triggered) await client.query(`alter table ${name} enable trigger user`)
      await client.query('commit')
      await client.query('analyze')
    },
  }
}

const PIECE = /^tables\/(.+)\/\d+$/
export const tableOf = ({ name }: Entry) => PIECE.exec(name)?.[1]
