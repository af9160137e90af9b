import type { Actor } from '../../platform/auth/actor.ts'
import { unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type Call, command, locksOf } from '../../platform/http/endpoint.ts'
import { AUDIT, MUTATE } from '../../work/meetings/rules.ts'
import { findEntry, findMeetingsEntry } from './queries.ts'
import { previewRevert, rehearse, revert } from './reverting.ts'
import type { Entry } from './rules.ts'
import { ChangedSince, EntryParams, MeetingsEntryParams, Reverted, RevertedMeetings, Reverting } from './shapes.ts'

interface Planned {
  entry: Entry
  locks: 'access' | 'texts' | undefined
  /** The consequences, for a dry run. */
  impact: Awaited<ReturnType<typeof previewRevert>> | undefined
}

export const revertChange = command('POST /admin/history/:kind/:entryId/revert', {
  summary: 'Revert exactly the changes of one entry of a history, as a new change',
  description:
    'It works like a manual change of the record, with all its consequences; the new entry has `revertOf`. Values that are already restored do not change; in sets, this applies id by id. If fields have changed since, it is refused with their current values, unless `overwrite` allows reverting them, too. Creations and deletions cannot be reverted.',
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
    'not_requestable',
    'managed_elsewhere',
    'grants_admin',
  ],
  prepare: async (call): Promise<Planned> => {
    const { kind, entryId } = call.params
    const { dryRun, overwrite } = call.body
    const entry = await findEntry(call.db, kind, entryId)
    return { entry, locks: locksOfRevert(call, entry), impact: dryRun ? await previewRevert(call, entry, overwrite) : undefined }
  },
  locks: { when: ({ prepared }: { prepared: Planned }) => prepared.locks },
  run: async ({ prepared: { entry, impact }, ...call }) => {
    const reverting = { entry, overwrite: call.body.overwrite, revertOf: call.params }
    if (!impact) return revert(call, reverting)
    return unchanged(await rehearse(call, reverting, impact))
  },
})

/** A revert takes the locks of the command that makes the change. */
function locksOfRevert(call: Call, { operation, fields, sets }: Entry) {
  const locks = locksOf(call.commandNamed(operation), { ...call, body: { ...fields, ...sets }, prepared: undefined })
  return locks === 'access' || locks === 'texts' ? locks : undefined
}

/** People may read the log without the right to change meetings. */
const checkMayMutate = (actor: Actor) => actor.mayEnter(MUTATE) || refuse('forbidden')

export const revertMeetingsChange = command('POST /executive-meetings/audit-logs/:entryId/revert', {
  summary: 'Revert exactly the changes of one entry of the meetings’ log, as a new change',
  description:
    'For entries that changed a meeting or a task; the new entry has `revertOf`. If fields have changed since, it is refused with their current values, unless `overwrite` allows reverting them, too. Creations and deletions cannot be reverted. Attendees are notified as after any change.',
  allow: AUDIT,
  params: MeetingsEntryParams,
  body: Reverting,
  reply: RevertedMeetings,
  refuses: ['not_found', 'forbidden', { code: 'changed_since', body: ChangedSince }, 'nothing_to_revert', 'unknown_ids', 'not_executive'],
  prepare: async ({ params: { entryId }, body: { dryRun, overwrite }, ...call }) => {
    checkMayMutate(call.actor)
    const entry = await findMeetingsEntry(call.db, entryId)
    return { entry, impact: dryRun ? await previewRevert(call, entry, overwrite) : undefined }
  },
  run: async ({ prepared: { entry, impact }, ...call }) => {
    const { entryId } = call.params
    const kind = entry.operation === 'changeMeeting' ? 'meeting' : 'task'
    const reverting = { entry, overwrite: call.body.overwrite, revertOf: { kind, entryId } as const }
    if (!impact) return revert(call, reverting)
    return unchanged(await rehearse(call, reverting, impact))
  },
})
