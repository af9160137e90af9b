/** `npm run tables` generates `server/platform/tables.ts` from the migrated database; with `--check`, it fails if the file differs. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { globalSetup, globalTeardown, TEMPLATE } from './setup.ts'

const FILE = new URL('../server/platform/tables.ts', import.meta.url)

/** For each type of a set of words, a column that allows the set. Every column with the same set gets the type. */
const named: Record<string, string> = {
  AccessRequestStatus: 'access_requests.status',
  Alignment: 'font_settings.alignment',
  AttendeeKind: 'meeting_attendees.kind',
  Language: 'users.preferred_language',
  LapseReason: 'access_requests.lapse_reason',
  MeetingStatus: 'meetings.status',
  NoteColor: 'notes.color',
  NoteRecipientStatus: 'note_recipients.status',
  NotificationSound: 'users.notification_sound_order',
  OpenMode: 'apps.open_mode',
  OrderStatus: 'orders.status',
  RelatedType: 'notifications.related_type',
  RequestStatus: 'meeting_requests.status',
  RequestType: 'meeting_requests.type',
  TaskStatus: 'meeting_tasks.status',
}

/** The TypeScript types into which the driver converts PostgreSQL's. */
const types: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  int4: 'number',
  int8: 'number',
  json: 'Json',
  jsonb: 'Json',
  secret: 'Buffer',
  text: 'string',
  timestamptz: 'Timestamp',
  uuid: 'string',
  xid8: 'string',
}

interface Column {
  table: string
  name: string
  type: string
  isNullable: boolean
  /** Only PostgreSQL writes the column. */
  isComputed: boolean
  hasDefault: boolean
  /** The check constraint that lists this column's words. */
  words: string | null
}

// The database does not know whether a column of a view may be null. The columns behind our views may not.
const COLUMNS = `
  select c.relname as table, a.attname as name, t.typname as type,
    c.relkind <> 'v' and not a.attnotnull as "isNullable",
    c.relkind = 'v' or a.attidentity = 'a' or a.attgenerated <> '' as "isComputed",
    a.atthasdef or a.attidentity <> '' as "hasDefault",
    (select pg_get_expr(conbin, conrelid) from pg_constraint
      where contype = 'c' and conrelid = c.oid and conkey = array[a.attnum] and pg_get_expr(conbin, conrelid) ~ 'ARRAY\\[''') as words
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped and c.relname <> 'migrations'
  order by c.relname, a.attnum`

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const unionOf = (words: string) => [...words.matchAll(/'([^']+)'::text/g)].map(([, word]) => `'${word}'`).join(' | ')

function describe(columns: Column[]) {
  const wordsOf = new Map(columns.map(({ table, name, words }) => [`${table}.${name}`, words]))
  const unions = Object.entries(named).map(([name, column]) => [unionOf(wordsOf.get(column) ?? ''), name] as const)
  const nameOf = new Map(unions)
  const typeOf = ({ table, name, type, isNullable, isComputed, hasDefault, words }: Column) => {
    const union = words && unionOf(words)
    const one = union ? (nameOf.get(union) ?? union) : types[type.replace(/^_/, '')]
    if (!one) throw new Error(`${table}.${name}: no type for ${type}`)
    const value = `${one}${type.startsWith('_') ? '[]' : ''}${isNullable ? ' | null' : ''}`
    if (isComputed) return `GeneratedAlways<${value}>`
    return hasDefault ? `Generated<${value}>` : value
  }
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(
    ([table, columns]) => `${camel(table)}: {\n${columns.map((column) => `${camel(column.name)}: ${typeOf(column)}`).join('\n')}\n}`,
  )
  return `/** The tables as queries see them: written by \`npm run tables\` from the migrated database. */
import type { ColumnType, GeneratedAlways, InsertType, SelectType, UpdateType } from 'kysely'

type Generated<T> = ColumnType<SelectType<T>, InsertType<T> | undefined, UpdateType<T>>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json = ColumnType<Record<string, unknown>, string, string>

${unions.map(([union, name]) => `export type ${name} = ${union}`).join('\n')}

export interface Tables {
${tables.join('\n')}
}
`
}

await globalSetup()
try {
  const client = new pg.Client({ ...JSON.parse(process.env['TEST_POSTGRES']!), database: TEMPLATE })
  await client.connect()
  const { rows } = await client.query<Column>(COLUMNS)
  await client.end()
  const text = execFileSync('biome', ['format', '--stdin-file-path=server/platform/tables.ts'], {
    input: describe(rows),
    encoding: 'utf8',
  })
  if (!process.argv.includes('--check')) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('server/platform/tables.ts is not what the migrations make: npm run tables')
    process.exitCode = 1
  }
} finally {
  await globalTeardown()
}
