/** The actions on a meeting of the day, each with its undo. */

import { undoOrder } from '../../../parts/lists/ordered/undoing.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { actsOn, waitFor } from '../../../platform/acts.ts'
import { answer, api, guess, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { isolated } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { removeSoon } from '../../../platform/removals.ts'
import { go } from '../../../platform/router.ts'
import { me } from '../../../platform/session.ts'
import { type Meeting, meetingsOf, titleOf } from '../shared/day.ts'
import { dayName } from '../shared/days.ts'
import { noteOwn } from '../shared/own.ts'
import { accountsNotified } from '../shared/told.ts'
import { t } from './texts.ts'

const nameOf = (meeting: Meeting) => isolated(titleOf(meeting))
const about = ({ id }: Meeting) => `meeting ${id}`

/** The number of colleagues who are notified of a change to a meeting. */
export const countNotified = (meeting: Meeting) => accountsNotified(undefined, meeting, me.value?.id).size

/**
 * Shows a change of a day before the portal confirms it. The calls for a day run one after the other. A reply that is read before a call
 * has ended may show the old state, so replies are held back until then.
 */
function guessDay<T>(date: string, by: (all: Meeting[]) => Meeting[], call: () => Promise<{ data?: T }>) {
  const list = meetingsOf(date)
  const before = actsOn('/executive-meetings', { query: { date } })
  const sent = guess(list.change(by), before.then(call))
  const settled = sent.then(
    () => void list.change((all) => all),
    () => {},
  )
  waitFor(settled, date, '/executive-meetings')
  return sent
}

/**
 * Changes single fields of a meeting and shows the change at once. With `version`, the portal refuses if the meeting has changed since that
 * version. Returns the new version.
 */
async function patch({ id, date }: Meeting, fields: Schemas['MeetingChanges'], version?: string) {
  noteOwn(id)
  let now: string | undefined
  await guessDay(
    date,
    (all) => all.map((one) => (one.id === id ? { ...one, ...(fields as Partial<Meeting>) } : one)),
    async () => {
      const reply = await api.PATCH('/executive-meetings/{id}', { params: { path: { id } }, body: fields, headers: ifMatch(version) })
      now = versionOf(reply.response)
      return reply
    },
  )
  return now
}

/** Changes single fields, and shows a toast with undo. Undo works only until somebody else changes the meeting. */
async function change(
  meeting: Meeting,
  fields: Partial<Meeting> & Schemas['MeetingChanges'],
  back: Schemas['MeetingChanges'],
  text: string,
) {
  let version: string | undefined
  const sent = patch(meeting, fields).then((now) => {
    version = now
  })
  if (await attempt(sent)) say({ about: about(meeting), text, undo: () => void attempt(patch({ ...meeting, ...fields }, back, version)) })
}

export async function setStatus(meeting: Meeting, status: Meeting['status']) {
  if (status === meeting.status) return
  const told = countNotified(meeting)
  const text = t.said[status](nameOf(meeting), told > 0 ? t.told(told) : '')
  await change(meeting, { status }, { status: meeting.status }, text)
}

export async function highlight(meeting: Meeting) {
  const isHighlighted = !meeting.isHighlighted
  const text = (isHighlighted ? t.highlightedNow : t.plainNow)(nameOf(meeting))
  await change(meeting, { isHighlighted }, { isHighlighted: !isHighlighted }, text)
}

const HELD_MS = 8000
/** Deletes a meeting after eight seconds, or when the page closes. Until then, the deletion can be undone. */
export function remove(meeting: Meeting) {
  const until = Date.now() + HELD_MS
  noteOwn(meeting.id)
  say({
    about: about(meeting),
    text: t.removed(nameOf(meeting)),
    undo: removeSoon('/executive-meetings/{id}', meeting.id, until),
    undoUntil: until,
  })
}

/** Moves a meeting to another day; undo puts it back at its former place. */
export async function moveTo(meeting: Meeting, date: string) {
  const { id } = meeting
  const params = { path: { id } }
  noteOwn(id)
  const { response } = await api.PATCH('/executive-meetings/{id}', { params, body: { date } })
  const undo = () => {
    noteOwn(id)
    const body = { date: meeting.date, sortOrder: meeting.sortOrder }
    attempt(answer(api.PATCH('/executive-meetings/{id}', { params, body, headers: ifMatch(versionOf(response)) })))
  }
  say({
    about: about(meeting),
    text: t.moved(nameOf(meeting), dayName(date)),
    undo,
    act: { text: t.goThere, run: () => go(`/meetings/${date}`) },
  })
}

/** Copies a meeting to a day. Undo works only until somebody changes the copy. */
export async function copyTo(meeting: Meeting, date: string) {
  const copy = await answer(api.POST('/executive-meetings/{id}/duplicate', { params: { path: { id: meeting.id } }, body: { date } }))
  noteOwn(copy.id)
  const params = { path: { id: copy.id } }
  // The answer above has no version.
  const read = await api.GET('/executive-meetings/{id}', { params }).catch(() => undefined)
  const takeBack = (read: { response: Response }) =>
    answer(api.DELETE('/executive-meetings/{id}', { params, headers: ifMatch(versionOf(read.response)) }))
  say({
    about: about(copy),
    text: t.copied(nameOf(copy), dayName(copy.date)),
    ...(read && { undo: () => void attempt(takeBack(read)) }),
    act: { text: t.goThere, run: () => go(`/meetings/${copy.date}`) },
  })
}

function send(date: string, order: readonly Meeting[]) {
  const ids = order.map(({ id }) => id)
  const put = (some: number[]) => api.PUT('/executive-meetings/order', { body: { date, ids: some } })
  const sent = () =>
    put(ids).catch((failure) => {
      if (!(failure instanceof Refusal && failure.code === 'unknown_ids')) throw failure
      // Somebody has deleted or moved some of the meetings: order the rest.
      const gone = new Set(failure.body['unknownIds'] as number[])
      return put(ids.filter((id) => !gone.has(id)))
    })
  return attempt(guessDay(date, (all) => order.flatMap(({ id }) => all.find((one) => one.id === id) ?? []), sent))
}

/** Saves the order of a day, and shows a toast with undo. Undo works only until somebody else changes the order. */
export async function order(date: string, wanted: readonly Meeting[], former: readonly Meeting[]) {
  if (!(await send(date, wanted))) return
  say({ about: `order ${date}`, text: t.ordered, undo: undoOrder(wanted, meetingsOf(date).peek, () => send(date, former)) })
}
