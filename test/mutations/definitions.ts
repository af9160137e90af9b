/** The functions, triggers and views of the migrated database, and the migrations that define them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { describeEdits, type Mutant } from './edit.ts'
import { root } from './sandbox.ts'
import { editSql, editTrigger } from './sql.ts'

export interface Definition {
  type: 'function' | 'trigger' | 'view'
  name: string
  /** The table of a trigger. */
  table: string | null
  text: string
}
export interface SqlMutant extends Mutant {
  definition: Definition
  /** The names in it, and in the function that a trigger calls. Tests that contain them are the most likely to notice a mutant. */
  words: string[]
}

const namesIn = (text: string) => text.match(/[a-z]+(?:_[a-z]+)+/g) ?? []
const calledBy = ({ text }: Definition) => /EXECUTE FUNCTION (\w+)/.exec(text)?.[1]

function wordsOf(definition: Definition, all: Definition[]) {
  const { name, table, text } = definition
  const called = all.find((other) => other.type === 'function' && other.name === calledBy(definition))
  const callers = all.filter((other) => calledBy(other) === name)
  const words = [name, table, ...namesIn(text), ...namesIn(called?.text ?? ''), ...callers.map((caller) => caller.table)]
  return [...new Set(words.filter((word) => word !== null))]
}

/** Excludes definitions of extensions, of the job queue, and of partitions, which inherit theirs. */
export async function readDefinitions(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(`
    select 'function' as type, p.proname as name, null as table, pg_get_functiondef(p.oid) as text
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select 'trigger', t.tgname, c.relname, pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and not c.relispartition and c.relnamespace = 'public'::regnamespace
    union all
    select 'view', c.relname, null, pg_get_viewdef(c.oid)
    from pg_class c where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1, 2, 3`)
  return rows
}

const migrations = globSync('server/migrations/*.sql', { cwd: root })
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** All names that something has had, the latest first. */
function namesOf(name: string): string[] {
  const renamed = migrations.flatMap(({ text }) => [...text.matchAll(/\balter \w+ (\w+)(?: on \w+)? rename to (\w+)/gi)])
  const before = renamed.findLast(([, , after]) => after === name)?.[1]
  return before === undefined ? [name] : [name, ...namesOf(before)]
}

/** The place where a definition was last written, under its current name or table or under former ones. */
function placeOf({ type, name, table }: Definition) {
  const [names, tables] = [namesOf(name).join('|'), table === null ? '' : namesOf(table).join('|')]
  const pattern = {
    function: `create (or replace )?function (${names})\\b`,
    view: `create (or replace )?view (${names})\\b`,
    trigger: `create (or replace )?(constraint )?trigger (${names})\\b[^;]*? on (${tables})\\b`,
  }[type]
  for (const { file, text } of migrations.toReversed()) {
    const at = text.search(new RegExp(pattern, 'i'))
    if (at >= 0) return { file, line: text.slice(0, at).split('\n').length }
  }
  throw new Error(`no migration defines the ${type} ${name}${table === null ? '' : ` on ${table}`}`)
}

/** The mutants of all definitions, in the order of the migrations. */
export const mutateDefinitions = (definitions: Definition[]): SqlMutant[] =>
  definitions
    .flatMap((definition) => {
      const { file, line } = placeOf(definition)
      const { text, type } = definition
      const edits = type === 'trigger' ? editTrigger(text) : editSql(text)
      return describeEdits(file, text, edits, line).map((mutant) => ({
        ...mutant,
        from: `${titleOf(definition)}: ${mutant.from}`,
        to: `${titleOf(definition)}: ${mutant.to || 'dropped'}`,
        definition,
        words: wordsOf(definition, definitions),
      }))
    })
    .toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line)

const titleOf = ({ type, name, table }: Definition) => (type === 'trigger' ? `${name} on ${table}` : name)

/** Replaces a definition; an empty one drops the trigger. */
export async function define(client: pg.Client, { type, name, table }: Definition, text: string) {
  if (type === 'view') await client.query(`create or replace view ${name} as ${text}`)
  else if (type === 'function') await client.query(text)
  else await client.query(`drop trigger if exists ${name} on ${table}; ${text}`)
}
