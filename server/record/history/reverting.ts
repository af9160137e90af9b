/** Reverting an entry: its preview, and the change itself. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { previewChanges } from '../../access/impact/queries.ts'
import { Impact } from '../../access/impact/shapes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { requireInAdministration } from '../../platform/auth/confirmation.ts'
import { isAnyLastingAdministrator, keepProgramsFromAdministering } from '../../platform/auth/last-admin.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { CommandEndpoint } from '../../platform/http/endpoint.ts'
import { wire } from '../../platform/http/wire.ts'
import { findKnown, freeAttendees, isOver, readNow, withoutLostNames, withoutLostPictures } from './queries.ts'
import { bodyOf, checkUnchanged, comparable, type Entry, operations, type Restoration, restorationOf, takenBy } from './rules.ts'
import { type EntryParams, type Reverted, withEnded } from './shapes.ts'

/**
 * The changes that revert an entry, without those already made; the entry without groups, people and pictures that no longer exist; the
 * members whose grants have ended; and the current record.
 */
async function planRestoration(db: Reads, own: CommandEndpoint, read: Entry, overwrite: string | undefined) {
  const entry = takenBy(own, read)
  const now = await readNow(db, entry)
  const { isKnown, over } = await findKnown(db, entry)
  if (entry.grant && (await isOver(db, entry.fields['expiresAt']?.from))) refuse('nothing_to_revert')
  const present = await withoutLostNames(db, await withoutLostPictures(db, entry))
  const restoration = restorationOf(present, now, { overwrite, known: isKnown })
  const ended = Object.values(entry.sets).flatMap(({ add }) => add.filter((id) => over.has(id)))
  return { present, now, ended, restoration: { ...restoration, fields: await freeAttendees(db, restoration.fields, now) } }
}

/** The impact of a revert on people's access. `noChange` is false even without an impact, because the revert still changes the record. */
async function impactOf(db: Reads, actor: Actor, { operation, targetId }: Entry, { fields, sets }: Restoration) {
  const kind = operations[operation]
  const each = (move: 'add' | 'remove') => Object.fromEntries(Object.entries(sets).map(([field, difference]) => [field, difference[move]]))
  const isActive = fields['isActive'] as boolean | undefined
  const change = { id: targetId, add: each('add'), remove: each('remove'), ...(isActive !== undefined && { set: { isActive } }) }
  return { ...(await previewChanges(db, actor, kind ? [{ kind, ...change }] : [])), noChange: false }
}

/** A person who reverts a change must also be allowed to make it. */
const checkMayRun = (actor: Actor, { allow }: CommandEndpoint) => actor.mayEnter(allow) || refuse('forbidden')

interface Asking {
  db: Reads
  actor: Actor
  commandNamed: (operationId: string) => CommandEndpoint
}
export async function previewRevert({ db, actor, commandNamed }: Asking, entry: Entry, overwrite: string | undefined) {
  const own = commandNamed(entry.operation)
  checkMayRun(actor, own)
  const { restoration, ended } = await planRestoration(db, own, entry, overwrite)
  return { ...(await impactOf(db, actor, entry, restoration)), ended }
}

type Running = Omit<Parameters<CommandEndpoint['run']>[0], 'actor' | 'prepared'> & { actor: Actor }
interface Reverting {
  entry: Entry
  overwrite: string | undefined
  /** The reference to the reverted entry, for the new entry. */
  revertOf: Static<typeof EntryParams>
}
/** Reverts an entry with the command that makes such changes. */
export async function revert(call: Running, { entry, overwrite, revertOf }: Reverting) {
  const { operation, targetId } = entry
  const own = call.commandNamed(operation)
  checkMayRun(call.actor, own)
  if (own.confirm === 'administration') await requireInAdministration(call.tx, call.session!)
  const { present, now, ended, restoration } = await planRestoration(call.tx, own, entry, overwrite)
  // Compared under the lock of the record, because the record may have changed since it was read.
  const due = Object.fromEntries(Object.entries(present.fields).filter(([name]) => name in restoration.fields))
  const ifMatch = async (read: () => unknown) =>
    checkUnchanged(due, { ...now, ...comparable((await read()) as Record<string, unknown>) }, overwrite)
  const body = bodyOf(operation, restoration, now)
  const ends = new Map(entry.ends.map(({ id, from }) => [id, new Date(from)]))
  const endOf = (id: number) => ends.get(id) ?? null
  const { reply: record, changes } = await own.run({ ...call, params: { id: targetId }, body, ifMatch, endOf, prepared: undefined })
  // Changes that end grants whose time is over have the portal as their author. They are not part of the revert.
  const place = changes.findIndex(({ author }) => author === undefined)
  if (place < 0) return refuse('nothing_to_revert')
  const linked = changes.map((change, at) => (at === place ? { ...change, revertOf } : change))
  const reverted = record as Static<typeof Reverted>
  const ofGrants = withEnded.get(operation)
  const answer = ofGrants ? wire(ofGrants as typeof Reverted, { ...reverted, ended }) : wire(own.reply as typeof Reverted, reverted)
  return changedIf(answer, linked)
}

/**
 * For a dry run, reverts an entry and rolls that back to a savepoint, which also releases its locks. Refuses like the revert, except
 * `last_admin`, which it reports. Returns the consequences.
 */
export async function rehearse(call: Running, reverting: Reverting, impact: Awaited<ReturnType<typeof previewRevert>>) {
  await sql`savepoint rehearsal`.execute(call.tx)
  await revert(call, reverting)
  await keepProgramsFromAdministering(call.tx)
  const lastAdmin = !(await isAnyLastingAdministrator(call.tx))
  await sql`rollback to savepoint rehearsal`.execute(call.tx)
  return wire(Impact, { ...impact, lastAdmin })
}
