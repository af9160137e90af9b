import { administrators } from '../../platform/auth/held.ts'
import type { PeopleQuery } from '../../platform/changes/change-kind.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { executives, readMeeting } from '../meetings/meetings/queries.ts'
import { EXECUTIVE } from '../meetings/rules.ts'
import { appear, checkRecord, listPresent } from './queries.ts'
import { AtMeetings, AtRecord, Others, type Place } from './shapes.ts'

/** Returns the other people present. If the call changes the list, everybody in it gets an event. */
async function be(tx: Tx, userId: number, { place, isEditing, entitled }: { place: Place; isEditing: boolean; entitled: PeopleQuery }) {
  const isNews = await appear(tx, userId, place, isEditing)
  const present = await listPresent(tx, place, entitled)
  const others = present.filter(({ user }) => user.id !== userId)
  if (!isNews) return unchanged(others)
  return changed(others, { kind: 'presence.changed', targetId: userId, facts: {}, payload: { place, present } })
}

const lasting =
  'It lasts for 45 seconds, so a page renews it every 20. The last call of a person counts. People present get `presence_changed` about each other; nothing is recorded.'

export const beAtRecord = command('PUT /admin/presence', {
  summary: 'Announce that the caller has a record open, and get the others who do',
  description: lasting,
  allow: 'admin',
  body: AtRecord,
  reply: Others,
  refuses: ['not_found'],
  run: async ({ tx, actor, body: { targetType, targetId, editing } }) => {
    await checkRecord(tx, targetType, targetId)
    return be(tx, actor.id, { place: { targetType, targetId, date: null }, isEditing: editing, entitled: administrators })
  },
})

function placeOf({ meetingId, date }: { meetingId?: number; date?: string }): Place {
  if (meetingId !== undefined && date !== undefined) refuseField('date', 'exclusive', { fields: ['meetingId'] })
  if (meetingId !== undefined) return { targetType: 'meeting', targetId: meetingId, date: null }
  if (date === undefined) return refuseField('date', 'required', { unless: ['meetingId'] })
  return { targetType: 'meeting_day', targetId: null, date }
}

export const beAtMeetings = command('PUT /executive-meetings/presence', {
  summary: 'Announce that the caller has a meeting or a day of meetings open, and get the others who do',
  description: `Either \`meetingId\` or \`date\`. ${lasting}`,
  allow: EXECUTIVE,
  body: AtMeetings,
  reply: Others,
  refuses: ['not_found'],
  run: async ({ tx, actor, body: { editing, ...asked } }) => {
    const place = placeOf(asked)
    if (place.targetId !== null) await readMeeting(tx, place.targetId)
    return be(tx, actor.id, { place, isEditing: editing, entitled: executives })
  },
})
