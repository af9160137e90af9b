import { sql, type UpdateObject } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { lowered } from '../../platform/database/search.ts'
import { type Detail, type FieldRule, ruleError } from '../../platform/errors/field-errors.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { pageOf } from '../../platform/http/page.ts'
import type { Tables } from '../../platform/tables.ts'
import { isStorable } from '../../platform/text.ts'
import type { ColumnName } from './columns.ts'
import type { JudgedRow } from './judging.ts'
import type { Encoding } from './reading.ts'
import type { Changes, Verdict } from './rules.ts'

export interface Counts {
  create: number
  update: number
  unchanged: number
  refused: number
  deactivate: number
}
export interface GroupCount {
  id: number
  name: string
  gained: number
  lost: number
}
/** The stored part of a detail, from which its messages are made again. */
type KeptDetail = Pick<Detail, 'path' | 'rule' | 'params'>
export const keptDetails = (details: readonly Detail[]): KeptDetail[] => details.map(({ path, rule, params }) => ({ path, rule, params }))
const detailOf = ({ path, rule, params }: KeptDetail) => ruleError(path, rule as FieldRule, params)

const changedSince = sql<number>`(select count(*) from user_import_rows where import_id = user_imports.id and verdict = 'changed_since')`
const newcomers = sql<number>`(
  select count(*) from user_import_rows where import_id = user_imports.id and verdict = 'create' and is_settled and user_id is not null)`

/** Refuses `not_found`. */
export const checkImport = async (db: Reads, id: number) =>
  (await db.selectFrom('userImports').select('id').where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** An import as it is shown. Refuses `not_found`. */
export async function readImport(db: Reads, id: number) {
  const found = await db
    .selectFrom('userImports')
    .innerJoin('users', 'users.id', 'userImports.createdBy')
    .selectAll('userImports')
    .select(['users.username as maker', changedSince.as('changedSince'), newcomers.as('newcomers')])
    .select([sql<Counts>`counts`.as('rowCounts'), sql<GroupCount[]>`groups`.as('groupCounts')])
    .where('userImports.id', '=', id)
    .executeTakeFirst()
  const { createdBy, maker, newcomers: created, invites, mailsInvitations, linksTakenAt, ...rest } = found ?? refuse('not_found')
  const isOver = rest.state === 'applied' || rest.state === 'failed'
  return {
    ...rest,
    columns: rest.columns as ColumnName[],
    counts: rest.rowCounts,
    groups: rest.groupCounts,
    isWithoutLinks: isOver && invites && !mailsInvitations && linksTakenAt === null && created > 0,
    createdBy: { id: createdBy, username: maker },
  }
}

/** Locks an import. The caller must not lock rows of people afterwards. Refuses `not_found`. */
export const lockImport = async (tx: Tx, id: number) =>
  (await tx.selectFrom('userImports').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

export const findApplying = async (db: Reads, personId: number) =>
  (await db.selectFrom('userImports').select('id').where('createdBy', '=', personId).where('state', '=', 'applying').executeTakeFirst())?.id

/** Discards a person's previews and deletes their rows. Returns the previews. */
export async function discardPreviews(tx: Tx, personId: number) {
  const { rows } = await sql<{ id: number; total: number }>`
    update user_imports set state = 'discarded' where created_by = ${personId} and state = 'previewed' returning id, total`.execute(tx)
  for (const { id } of rows) await tx.deleteFrom('userImportRows').where('importId', '=', id).execute()
  return rows
}

export const updateImport = (tx: Tx, id: number, columns: UpdateObject<Tables, 'userImports'>) =>
  tx.updateTable('userImports').set(columns).where('id', '=', id).execute()
export const removeImport = (tx: Tx, id: number) => tx.deleteFrom('userImports').where('id', '=', id).execute()

/** Makes simultaneous uploads of one person, and the start of an import, wait for each other. */
export const lockImportsOf = (tx: Tx, personId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('imports of a person'), ${personId}::int)`.execute(tx)

export interface NewImport {
  createdBy: number
  fileName: string | null
  encoding: Encoding
  delimiter: string
  columns: string[]
  ignoredColumns: string[]
}
export const insertImport = async (tx: Tx, row: NewImport) =>
  (await tx.insertInto('userImports').values(row).returning('id').executeTakeFirstOrThrow()).id

const storable = (cells: JudgedRow['cells']) => Object.fromEntries(Object.entries(cells).filter(([, cell]) => isStorable(cell)))

/** A judged row as it is stored. */
export const rowOf = ({ line, cells, verdict, person, username, changes, details }: JudgedRow) => ({
  ...{ line, verdict, username, changes },
  cells: storable(cells),
  userId: person?.kind === 'person' ? person.id : null,
  details: keptDetails(details),
})

/** Stores rows, given as JSON. */
export const insertRows = (tx: Tx, importId: number, json: string) =>
  sql`
    insert into user_import_rows (import_id, place, line, cells, verdict, user_id, username, changes, details)
    select ${importId}, line, line, cells, verdict, "userId", username, changes, details from jsonb_to_recordset(${json}::jsonb)
      as row (line int, cells jsonb, verdict text, "userId" int, username text, changes jsonb, details jsonb)`.execute(tx)

/** People whom the file does not name get places above this, after all lines. */
const AFTER_LINES = 1_000_000_000

/**
 * SQL: the people whom an import may deactivate because no row of its file names them, neither by the person that was found nor by a
 * username or address that is theirs by now. `not in` keeps the planner, which may not know how long the file is, from a nested loop.
 */
const missing = (importId: number, callerId: number) => sql`
  select u.id, u.username from users u where u.kind = 'person' and u.is_active and not u.is_exception and u.id <> ${callerId}
    and u.id not in (
      select user_id from user_import_rows where import_id = ${importId} and line is not null and user_id is not null
      union all
      select named.id from user_import_rows join users named on named.username_key = ${lowered(sql`cells ->> 'username'`)}
      where import_id = ${importId} and line is not null
      union all
      select named.id from user_import_rows join users named on named.email_key = ${lowered(sql`cells ->> 'email'`)}
      where import_id = ${importId} and line is not null)
    and not exists (select from provisioned_users p where p.user_id = u.id and p.removed_at is null)
    and not exists (
      select from effective_roles e where e.user_id = u.id and e.role_id = (select id from roles where name = 'admin') offset 0)`

/** Stores a row for each person who would be deactivated because the file does not name them. Returns the number of rows. */
export async function insertMissing(tx: Tx, importId: number, callerId: number) {
  const { numAffectedRows } = await sql`
    insert into user_import_rows (import_id, place, verdict, user_id, username, changes)
    select ${importId}, ${AFTER_LINES} + row_number() over (order by id), 'deactivate', id, username,
      '{"active": {"from": true, "to": false}}'
    from (${missing(importId, callerId)}) as missing`.execute(tx)
  return Number(numAffectedRows)
}

/** Those of `ids` who may still be deactivated because the file does not name them. */
export async function findMissing(db: Reads, importId: number, callerId: number, ids: readonly number[]) {
  const { rows } = await sql<{ id: number }>`
    select id from (${missing(importId, callerId)}) as missing where id = any(${ids}::int[])`.execute(db)
  return rows.map(({ id }) => id)
}

export const setCounts = (tx: Tx, id: number, counts: Counts, groups: readonly GroupCount[], total: number) =>
  tx
    .updateTable('userImports')
    .set({ counts: JSON.stringify(counts), groups: JSON.stringify(groups), total })
    .where('id', '=', id)
    .execute()

interface StoredRow {
  place: number
  line: number | null
  verdict: Verdict
  username: string | null
  cells: JudgedRow['cells']
  changes: Changes
  details: KeptDetail[]
  isSettled: boolean
}
const shown = ({ place: _, isSettled, details, ...row }: StoredRow) => ({ ...row, isDone: isSettled, details: details.map(detailOf) })

/** The rows with a verdict; without one, all rows of the file. */
const rowsWith = (db: Reads, importId: number, verdict: Verdict | undefined) =>
  db
    .selectFrom('userImportRows')
    .where('importId', '=', importId)
    .$if(verdict !== undefined, (rows) => rows.where('verdict', '=', verdict!))
    .$if(verdict === undefined, (rows) => rows.where('place', '<', AFTER_LINES))

const rowColumns = ['place', 'line', 'verdict', 'username', 'cells', 'changes', 'details', 'isSettled'] as const

export async function pageRows(db: Reads, importId: number, { verdict, ...page }: { verdict?: Verdict; limit?: number; offset?: number }) {
  const { limit = 50, offset = 0 } = page
  const all = rowsWith(db, importId, verdict)
  const rows = await all.select(rowColumns).orderBy('place').limit(limit).offset(offset).$castTo<StoredRow>().execute()
  const { count } = await all.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return pageOf('items', rows.map(shown), count, { limit, offset })
}

const ROWS_AT_ONCE = 500
/** All rows in portions, including those of people whom the file does not name. */
export async function* eachRow(db: Reads, importId: number) {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('userImportRows')
      .select(rowColumns)
      .where('importId', '=', importId)
      .where('place', '>', last)
      .orderBy('place')
      .limit(ROWS_AT_ONCE)
      .$castTo<StoredRow>()
      .execute()
    yield rows.map(shown)
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)!.place
  }
}
