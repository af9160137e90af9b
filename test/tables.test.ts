/** The tables as queries see them against the tables as they are. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { house } from './house.ts'

const portal = house()
const source = readFileSync(new URL('../server/tables.ts', import.meta.url), 'utf8')

type Columns = Map<string, string>
const fieldsIn = (text: string): [string, string][] =>
  [...text.matchAll(/(\w+)\??: ([^;\n]+)/g)].map(([, name, type]) => [name!, type!.replace(/ }$/, '')])

/** The fields of each interface of the file, and of each table in `Tables`: a name, a list of fields, or several of both. */
function readTables() {
  const named = new Map<string, Columns>()
  for (const [, name, text] of source.matchAll(/interface (\w+) \{\n(.*?)\n\}/gs))
    if (name !== 'Tables') named.set(name!, new Map(fieldsIn(text!)))
  const tables = new Map<string, Columns>()
  const list = /interface Tables \{\n(.*?)\n\}/s.exec(source)![1]!
  for (const [, table, type] of list.matchAll(/^ {2}(\w+): (\w+(?: & \{.*?\})?|\{.*?\})$/gms)) {
    const parts = type!.split(/ & (?=\{)/)
    tables.set(table!, new Map(parts.flatMap((part) => (part.startsWith('{') ? fieldsIn(part.slice(1)) : [...named.get(part)!]))))
  }
  return tables
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
/** Tables that no query of a feature reads: the counters' library and the migrations keep their own. */
const unseen = ['rateLimits', 'migrations']

async function readDatabase() {
  const rows = await portal.sql<{ table: string; column: string; type: string; nullable: boolean; given: boolean; view: boolean }>(
    `select c.table_name as table, c.column_name as column, c.udt_name as type, c.is_nullable = 'YES' as nullable, t.table_type = 'VIEW' as view,
       c.is_generated = 'ALWAYS' or c.is_identity = 'YES' or c.column_default is not null as given
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     join pg_class k on k.oid = format('%I.%I', table_schema, table_name)::regclass and not k.relispartition
     where table_schema = 'public'`,
  )
  const tables = new Map<string, Map<string, (typeof rows)[number]>>()
  for (const row of rows) tables.set(camel(row.table), (tables.get(camel(row.table)) ?? new Map()).set(camel(row.column), row))
  return new Map([...tables].filter(([name]) => !unseen.includes(name)))
}

const sorted = (names: Iterable<string>) => [...names].toSorted()

test('the tables and views are those of the database, and so are their columns', async () => {
  const [told, real] = [readTables(), await readDatabase()]
  assert.deepEqual(sorted(told.keys()), sorted(real.keys()))
  for (const [table, columns] of real) assert.deepEqual(sorted(told.get(table)!.keys()), sorted(columns.keys()), table)
})

/** What each of PostgreSQL's types is here. */
const kinds: Record<string, RegExp> = {
  int4: /number/,
  int8: /number/,
  bool: /boolean/,
  timestamptz: /Stamp|Date/,
  date: /string/,
  bytea: /Buffer/,
  _int8: /number\[\]/,
  _int4: /number\[\]/,
  xid8: /string/,
  uuid: /string/,
  json: /unknown|Record/,
  jsonb: /unknown|Record/,
  text: /string|'|Language|ClockStyle|NotificationSound|OpenMode|Status\b|Kind\b|NoteColor|RequestType|Alignment/,
}

test('what may be null, what the database fills in and what each column holds is told as it is', async () => {
  const told = readTables()
  for (const [table, columns] of await readDatabase())
    for (const [name, { type, nullable, given, view }] of columns) {
      const text = told.get(table)!.get(name)!
      const where = `${table}.${name}: ${text}`
      assert.match(text, kinds[type] ?? /^$/, `${where} is ${type}`)
      if (view) continue
      assert.equal(/\bnull\b/.test(text), nullable, `${where} may be null`)
      if (/Generated/.test(text)) assert.ok(given, `${where} is filled in by nothing`)
    }
})
