/** Applies an import in portions. A row's outcome is committed with its change, so that no interruption makes a row count twice. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { addInvitation } from '../../identity/passwords/queries.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import { type Change, changedIf, type Outcome } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { hasMoved, noMoves } from '../../platform/database/sets.ts'
import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { addJob } from '../../platform/jobs/runner.ts'
import { type Assignment, setManagers } from '../managers/queries.ts'
import { changePerson, createPerson, lockPeople, type PersonEdit } from '../users/queries.ts'
import { findKnown } from './facts.ts'
import { type JudgedRow, openJudging } from './judging.ts'
import { findMissing, keptDetails } from './queries.ts'
import type { FileRow } from './reading.ts'
import type { Changes, Known, Verdict } from './rules.ts'

/** The most rows of one transaction. */
export const MOST_APPLIED = 200

interface Applying {
  id: number
  author: { id: number; username: string }
  invites: boolean
  mailsInvitations: boolean
  deactivatesMissing: boolean
}
/** An import that is being applied, with the person who applies it; undefined in any other state. */
export async function findBeingApplied(db: Reads, id: number): Promise<Applying | undefined> {
  const { rows } = await sql<Omit<Applying, 'author'> & { createdBy: number; username: string }>`
    select i.id, i.created_by, u.username, i.invites, i.mails_invitations, i.deactivates_missing
    from user_imports i join users u on u.id = i.created_by
    where i.id = ${id} and i.state = 'applying'`.execute(db)
  if (!rows[0]) return undefined
  const { createdBy, username, ...one } = rows[0]
  return { ...one, author: { id: createdBy, username } }
}

interface Due {
  place: number
  line: number | null
  cells: FileRow['cells']
  username: string | null
  verdict: Verdict
  userId: number | null
  changes: Changes
}
/**
 * The next rows: first those of new people, because names must be locked before people. People whom the file does not name are left out
 * unless the import deactivates them.
 */
async function readDue(tx: Tx, { id, deactivatesMissing }: Applying, most: number) {
  const read = (isNew: boolean) =>
    sql<Due>`
      select place, line, cells, username, verdict, user_id, changes from user_import_rows
      where import_id = ${id} and not is_settled and ${isNew ? sql`is_new` : sql`not is_new`} and (line is not null or ${deactivatesMissing})
      order by place limit ${most}`.execute(tx)
  const { rows } = await read(true)
  return rows.length ? rows : (await read(false)).rows
}

interface Settled {
  place: number
  verdict: Verdict
  userId: number | null
  details?: readonly Detail[]
}

/** Writes the outcomes of rows. This locks the import, so no row of people may be locked afterwards. */
async function settle(tx: Tx, { id, author }: Applying, settled: readonly Settled[]): Promise<Change> {
  const lines = settled.map(({ details, ...one }) => ({ ...one, details: details ? keptDetails(details) : null }))
  await sql`
    update user_import_rows as r set is_settled = true, verdict = one.verdict, user_id = one."userId",
      details = coalesce(one.details, r.details)
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as one (place int, verdict text, "userId" int, details jsonb)
    where r.import_id = ${id} and r.place = one.place`.execute(tx)
  const { done, total } = await tx
    .updateTable('userImports')
    .set((eb) => ({ done: eb('done', '+', settled.length) }))
    .where('id', '=', id)
    .returning(['done', 'total'])
    .executeTakeFirstOrThrow()
  return { kind: 'import.progressed', targetId: id, facts: { starterId: author.id, state: 'applying', done, total } }
}

interface Doing {
  tx: Tx
  one: Applying
  config: Config
  holders: HoldersOf<'users'>
}

/** Makes the account of a new person. Refuses `username_taken` and `email_taken`. */
async function create({ tx, one }: Doing, { username, fields, moves }: JudgedRow) {
  const isInvited = one.invites && fields.isActive !== false
  const account = { ...fields, username: username!, email: fields.email!, passwordHash: null, emailVouched: true as const }
  const { id, roleIds, groupIds } = await createPerson(
    tx,
    { ...account, ...(isInvited && { invitation: 'pending' as const }) },
    moves.added,
    409,
  )
  if (isInvited && one.mailsInvitations) await addInvitation(tx, { id, username: account.username })
  const facts = { username: account.username, email: account.email, roleIds, groupIds, importId: one.id }
  const created: Change = { kind: 'user.created', targetId: id, facts: { ...facts, ...(isInvited && { isInvited: true as const }) } }
  return { id, changes: [created] }
}

/** The outcome of a row; `managerId` is the new manager of its person. */
interface Applied {
  settled: Settled
  changes: Change[]
  managerId?: number | undefined
}
const left = ({ place, userId }: Due, details?: readonly Detail[]): Applied => ({
  settled: { place, userId, verdict: 'changed_since', ...(details && { details }) },
  changes: [],
})

/**
 * Applies a row of the file if it would still change what its preview showed. `made`: the ids of the people in the rows before it, by
 * username.
 */
async function applyRow(doing: Doing, due: Due, judged: JudgedRow, made: ReadonlyMap<string, number>): Promise<Applied> {
  const { place, verdict } = due
  const { person, manager, fields, moves, changes, details } = judged
  const userId = person?.id ?? null
  if (judged.verdict !== verdict || userId !== due.userId || !isDeepStrictEqual(changes, due.changes)) return left(due, details)
  const managerId = manager && (manager.id ?? made.get(manager.username))
  if (manager && managerId === undefined) return left(due, [fieldError('manager', 'unknownManager', { name: manager.username })])
  if (verdict === 'create') {
    const { id, changes } = await create(doing, judged)
    return { settled: { place, verdict, userId: id }, changes, managerId }
  }
  const isEdited = Object.keys(fields).length > 0 || hasMoved(moves)
  const edited = isEdited ? await edit(doing, person!, { fields, groups: moves }) : []
  return { settled: { place, verdict, userId }, changes: edited, managerId }
}

const edit = ({ tx, one, config, holders }: Doing, person: Known, to: Pick<PersonEdit, 'fields' | 'groups'>) =>
  changePerson(tx, person, { ...to, importId: one.id }, { authorId: one.author.id, holders, config })

/** Deactivates a person whom the file does not name. `person` is undefined if they are inactive, exempt or named by now. */
async function applyMissing(doing: Doing, due: Due, person: Known | undefined): Promise<Applied> {
  if (!person) return left(due)
  const changes = await edit(doing, person, { fields: { isActive: false }, groups: noMoves })
  return { settled: { place: due.place, verdict: 'deactivate', userId: person.id }, changes }
}

/**
 * Applies the next rows, and ends the import after the last. Returns whether the import has ended. Refuses as a change by hand does; no row
 * is applied then. The caller locks `access`: no other job applies the same rows, and no group that they name is deleted.
 */
export async function applySome(doing: Doing, most: number): Promise<Outcome<boolean>> {
  const { tx, one } = doing
  const due = (await findBeingApplied(tx, one.id)) ? await readDue(tx, one, most) : []
  if (due.length === 0) return finish(tx, one)
  const people = due.flatMap(({ userId }) => userId ?? [])
  if (people.length) await lockPeople(tx, people, 'rights')
  const rows = due.filter(({ line, verdict }) => line !== null && verdict !== 'refused')
  const { judge } = await openJudging(tx, { callerId: one.author.id, width: 0, isWhole: false })
  const judged = await judge(
    rows.map(({ line, cells, username, verdict }) => {
      // A new person gets the username that the preview has found for them.
      const found = verdict === 'create' && username !== null ? { username } : {}
      return { line: line!, cells: { ...cells, ...found } }
    }),
  )
  const byPlace = new Map(rows.map(({ place }, at) => [place, judged[at]!]))
  const gone = due.flatMap(({ verdict, userId }) => (verdict === 'deactivate' ? (userId ?? []) : []))
  const missing = gone.length ? await findKnown(tx, await findMissing(tx, one.id, one.author.id, gone)) : new Map<number, Known>()
  const made = new Map<string, number>()
  const managers: Assignment[] = []
  const changes: Change[] = []
  const settled: Settled[] = []
  for (const row of due) {
    const { place, verdict, userId } = row
    const own = byPlace.get(place)
    const done = own
      ? await applyRow(doing, row, own, made)
      : verdict === 'deactivate'
        ? await applyMissing(doing, row, missing.get(userId!))
        : { settled: { place, verdict, userId }, changes: [] }
    const { userId: id, verdict: outcome } = done.settled
    if (own && id !== null && outcome !== 'changed_since') made.set(own.username!, id)
    if (done.managerId !== undefined) managers.push({ userId: id!, managerId: done.managerId })
    settled.push(done.settled)
    changes.push(...done.changes)
  }
  changes.push(...(await setManagers(tx, managers, one.id)))
  return changedIf(false, [...changes, await settle(tx, one, settled)])
}

const detailOf: Partial<Record<Refusal['code'], (changes: Changes) => Detail>> = {
  username_taken: () => fieldError('username', 'taken'),
  email_taken: () => fieldError('email', 'taken'),
  last_admin: ({ active }) => fieldError(active ? 'active' : 'groups', 'lastAdmin'),
  last_break_glass: () => fieldError('username', 'exception'),
}
/** Skips the next row, because it was refused even when it was applied alone. */
export async function leaveNext(tx: Tx, one: Applying, refusal: Refusal): Promise<Outcome<boolean>> {
  const [row] = (await findBeingApplied(tx, one.id)) ? await readDue(tx, one, 1) : []
  if (!row) return changedIf(true, [])
  const detail = detailOf[refusal.code]?.(row.changes)
  return changedIf(false, [await settle(tx, one, [left(row, detail ? [detail] : []).settled])])
}

/** Ends an import that is being applied. */
export async function finish(
  tx: Tx,
  { id, author }: Applying,
  problem: 'not_administrator' | 'error' | null = null,
): Promise<Outcome<boolean>> {
  const state = problem === null ? 'applied' : 'failed'
  const ended = await tx
    .updateTable('userImports')
    .set({ state, problem })
    .where('id', '=', id)
    .where('state', '=', 'applying')
    .returning(['done', 'total'])
    .executeTakeFirst()
  return changedIf(true, ended ? [{ kind: 'import.finished', targetId: id, facts: { starterId: author.id, state, ...ended } }] : [])
}

/** Adds the job that applies an import. Jobs of one import run one at a time. */
export const addApplying = (tx: Tx, importId: number) => addJob(tx, 'apply_import', { importId }, { queue: `import_${importId}`, tries: 8 })
