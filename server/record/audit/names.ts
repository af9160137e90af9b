/** The names in the rows of the log and of the histories: those of the actors, and of everything that the rows refer to. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { HistoryKind } from '../../platform/changes/listed.ts'
import type { Reads } from '../../platform/database/db.ts'
import { keptPerson } from '../../platform/database/json.ts'
import type { Refs } from './shapes.ts'

/**
 * The members of each kind of set: their table without its plural s, the column with the name, and the name's field in the ledger's row of
 * a deletion.
 */
const members: Record<HistoryKind, [table: string, column: string, fact: string]> = {
  'role.permissions': ['permission', 'name', 'name'],
  'user.roles': ['role', 'name', 'name'],
  'user.groups': ['group', 'name', 'name'],
  'group.users': ['user', 'username', 'username'],
  'group.roles': ['role', 'name', 'name'],
  'group.apps': ['app', 'name_en', 'nameEn'],
  'app.permissions': ['permission', 'name', 'name'],
}
/** The kinds of changes that delete a record of a type; their facts contain its latest names. */
const deletions = (type: string) => (type === 'user' ? ['user.deleted', 'service_account.deleted'] : [`${type}.deleted`])

/** The kind of thing that sets of this kind contain. */
export const memberOf = (kind: HistoryKind) => `${members[kind][0]}s` as Thing

/** SQL: the present name of a member by its id, or the latest name of a deleted member. */
export function nameOfMember(kind: HistoryKind, id: string) {
  const [table, column, fact] = members[kind]
  return sql.raw<string>(`coalesce((select ${column} from ${table}s where ${table}s.id = ${id}),
    (select facts ->> '${fact}' from ledger where target_type = '${table}' and target_id = ${id} and action is not null
       and kind in (${deletions(table)
         .map((kind) => `'${kind}'`)
         .join()}) order by at desc, ledger.id desc limit 1),
    '#' || ${id})`)
}

export interface Actor {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
/** The actor of a row of this relation, with their present names if the person still exists. */
export const actorOf = (relation: string) =>
  sql.raw<Actor | null>(`
    case when ${relation}.actor_id is not null then ${keptPerson(`${relation}.actor_id`, `${relation}.actor_username`)} end`)

/** Fields of facts that contain names, with the columns of these names; several kinds of things share them. */
const described = { name: 'name', descriptionAr: 'description_ar', descriptionEn: 'description_en' }
const inBoth = { nameAr: 'name_ar', nameEn: 'name_en' }
const things = {
  users: {
    type: 'user',
    table: 'users',
    fields: { username: 'username', displayNameAr: 'display_name_ar', displayNameEn: 'display_name_en' },
  },
  groups: { type: 'group', table: 'groups', fields: described },
  roles: { type: 'role', table: 'roles', fields: described },
  permissions: { type: 'permission', table: 'permissions', fields: described },
  apps: { type: 'app', table: 'apps', fields: { slug: 'slug', ...inBoth } },
  services: { type: 'service', table: 'services', fields: inBoth },
  serviceCategories: { type: 'service_category', table: 'service_categories', fields: inBoth },
  serviceTeams: { type: 'service_team', table: 'service_teams', fields: inBoth },
  workingCalendars: { type: 'working_calendar', table: 'working_calendars', fields: inBoth },
}
export type Thing = keyof typeof things | 'meetings'
export const thingOf = new Map(Object.entries(things).map(([thing, { type }]) => [type, thing as Thing]))

/** The ids of the things that a row refers to, by the kind of thing; `at` is the time of the row as the database writes it. */
export interface Naming {
  at: string
  ids: Partial<Record<Thing, readonly number[]>>
}
/** The most things of one kind whose names are looked up for a row. */
const MOST_NAMED = 100

/**
 * The names of everything in each row, as they were at the row's moment: today's names, with all later changes undone. With `isGone`, only
 * the names of records that are deleted.
 */
export async function namesAt(db: Reads, rows: readonly Naming[], { isGone = false } = {}): Promise<Static<typeof Refs>[]> {
  const all = rows.map((): Record<string, Record<string, unknown>> => ({}))
  for (const thing of [...Object.keys(things), 'meetings'] as Thing[]) {
    const wanted = rows.flatMap(({ at, ids }, place) => [...new Set(ids[thing])].slice(0, MOST_NAMED).map((id) => ({ place, at, id })))
    if (wanted.length === 0) continue
    const asked = isGone ? await withoutRecord(db, thing, wanted) : wanted
    for (const { place, id, name } of await (thing === 'meetings' ? readTitles(db, asked) : readNames(db, thing, asked))) {
      const named = all[place]!
      named[thing] = Object.assign(named[thing] ?? {}, { [id]: name })
    }
  }
  return all as Static<typeof Refs>[]
}

interface Wanted {
  place: number
  at: string
  id: number
}
async function withoutRecord(db: Reads, thing: Thing, wanted: readonly Wanted[]) {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(thing === 'meetings' ? thing : things[thing].table)} where id = any(${wanted.map(({ id }) => id)})`.execute(
    db,
  )
  const present = new Set(rows.map(({ id }) => id))
  return wanted.filter(({ id }) => !present.has(id))
}

async function readNames(db: Reads, thing: keyof typeof things, wanted: readonly Wanted[]) {
  const { type, table, fields } = things[thing]
  const [sure] = Object.keys(fields)
  const from = (json: (field: string, column: string) => string) =>
    sql.raw(`jsonb_build_object(${Object.entries(fields).map(([field, column]) => `'${field}', ${json(field, column)}`)})`)
  const { rows } = await sql<{ place: number; id: number; name: Record<string, string | null> }>`
    with wanted as (
        select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (place int, at timestamptz, id int)),
      known as (
        select wanted.*, coalesce(
            (select ${from((_, column) => `one.${column}`)} from ${sql.table(table)} as one where one.id = wanted.id),
            (select ${from((field) => `facts -> '${field}'`)} from ledger where target_type = ${type} and target_id = wanted.id
             and action is not null and kind = any(${deletions(type)}) order by at desc, ledger.id desc limit 1)) as name
        from wanted)
    select place, id, name || coalesce(
      (select jsonb_object_agg(key, value -> 'from' order by ledger.at desc, ledger.id desc)
       from ledger, jsonb_each(case jsonb_typeof(facts -> 'changed') when 'object' then facts -> 'changed' else '{}' end)
       where target_type = ${type} and target_id = known.id and ledger.at > known.at and key = any(${Object.keys(fields)}::text[])), '{}') as name
    from known where name is not null`.execute(db)
  return rows.filter(({ name }) => typeof name[sure!] === 'string')
}

/**
 * The titles that meetings had at the time of a row: those before the first later change, else today's. A change of a meeting contains the
 * whole records.
 */
async function readTitles(db: Reads, wanted: readonly Wanted[]) {
  const { rows } = await sql<{ place: number; id: number; name: Record<string, string | null> | null }>`
    select place, wanted.id, coalesce(
      (select jsonb_build_object('titleAr', facts #> '{before,titleAr}', 'titleEn', facts #> '{before,titleEn}')
       from ledger where target_type = 'meeting' and target_id = wanted.id and action is not null
         and (kind = 'meeting.deleted' or kind = 'meeting.updated' and ledger.at > wanted.at) order by ledger.at, ledger.id limit 1),
      (select jsonb_build_object('titleAr', title_ar, 'titleEn', title_en) from meetings where meetings.id = wanted.id)) as name
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (place int, at timestamptz, id int)`.execute(db)
  return rows.filter(({ name }) => name !== null)
}
