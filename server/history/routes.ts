import type { Static } from 'typebox'
import { previewChanges } from '../impact/queries.ts'
import { Impact } from '../impact/shapes.ts'
import type { Actor } from '../platform/auth/actor.ts'
import { changedIf } from '../platform/changes/outcome.ts'
import type { Reads } from '../platform/database/db.ts'
import { type CommandEndpoint, command } from '../platform/http/endpoint.ts'
import { wire } from '../platform/http/wire.ts'
import { refuse } from '../platform/refusal.ts'
import { findEntry, findKnown, freeAttendees, readNow, withoutLostPictures } from './queries.ts'
import { bodyOf, checkUnchanged, comparable, type Entry, operations, type Restoration, restorationOf } from './rules.ts'
import { ChangedSince, EntryParams, Reverted, Reverting } from './shapes.ts'

/** What puts an entry back, of what is not so already, and the record as it is. */
async function planRestoration(db: Reads, entry: Entry, overwrite: string | undefined) {
  const now = await readNow(db, entry)
  const restoration = restorationOf(await withoutLostPictures(db, entry), now, { overwrite, known: await findKnown(db, entry) })
  return { now, restoration: { ...restoration, fields: await freeAttendees(db, restoration.fields, now) } }
}

/** What would follow for what people have; where nothing of that is touched, it is still a change. */
async function preview(db: Reads, actor: Actor, { operation, targetId }: Entry, { fields, sets }: Restoration) {
  const kind = operations[operation]
  const each = (move: 'add' | 'remove') => Object.fromEntries(Object.entries(sets).map(([field, difference]) => [field, difference[move]]))
  const isActive = fields['isActive'] as boolean | undefined
  const change = { id: targetId, add: each('add'), remove: each('remove'), ...(isActive !== undefined && { set: { isActive } }) }
  return { ...(await previewChanges(db, actor, kind ? [{ kind, ...change }] : [])), noChange: false }
}

interface Planned {
  entry: Entry
  changesAccess: boolean
}

/** A caller who puts a change back must also be allowed to make it. */
const checkMayRun = (actor: Actor, { allow }: CommandEndpoint) => actor.mayEnter(allow) || refuse('forbidden')

export const revertChange = command('POST /admin/history/:kind/:entryId/revert', {
  summary: 'Put back what one entry of a history changed, and only that, as a new change',
  description:
    'As changing the record by hand would, with all that follows from it; the new entry has `revertOf`. What is as it was already is left alone: of sets, id by id. Fields that have been changed since are refused with what they are now, or put back with `overwrite`. Creations and deletions cannot be put back.',
  allow: 'admin',
  params: EntryParams,
  body: Reverting,
  reply: Reverted,
  refuses: [
    'not_found',
    { code: 'changed_since', body: ChangedSince },
    'nothing_to_revert',
    'unknown_ids',
    'name_taken',
    'email_taken',
    'cannot_deactivate_self',
    'system_group',
    'system_role',
    'system_role_permissions',
    'not_executive',
  ],
  answer: async ({ db, actor, commandNamed, params: { kind, entryId }, body: { dryRun, overwrite } }) => {
    if (!dryRun) return undefined
    const entry = await findEntry(db, kind, entryId)
    checkMayRun(actor, commandNamed(entry.operation))
    const { restoration } = await planRestoration(db, entry, overwrite)
    return wire(Impact, await preview(db, actor, entry, restoration))
  },
  prepare: async ({ db, commandNamed, params: { kind, entryId } }): Promise<Planned> => {
    const entry = await findEntry(db, kind, entryId)
    return { entry, changesAccess: commandNamed(entry.operation).changesAccess !== undefined }
  },
  changesAccess: { when: ({ changesAccess }: Planned) => changesAccess },
  run: async ({ params, body: { overwrite }, prepared: { entry }, ...call }) => {
    const { operation, targetId } = entry
    const own = call.commandNamed(operation)
    checkMayRun(call.actor, own)
    const { now, restoration } = await planRestoration(call.tx, entry, overwrite)
    // Once the record is locked: between the reading and that, others may have changed it.
    const due = Object.fromEntries(Object.entries(entry.fields).filter(([name]) => name in restoration.fields))
    const ifMatch = async (read: () => unknown) =>
      checkUnchanged(due, { ...now, ...comparable((await read()) as Record<string, unknown>) }, overwrite)
    const body = bodyOf(operation, restoration, now)
    const { reply: record, changes } = await own.run({ ...call, params: { id: targetId }, body, ifMatch, prepared: undefined })
    const [first, ...others] = changes
    if (!first) return refuse('nothing_to_revert')
    return changedIf(wire(own.reply as typeof Reverted, record as Static<typeof Reverted>), [{ ...first, revertOf: params }, ...others])
  },
})
