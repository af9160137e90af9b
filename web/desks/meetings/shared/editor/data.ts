/** The calls of the meeting editor. */
import { say } from '../../../../parts/overlay/toasts.tsx'
import { known, resource, setCached } from '../../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../../platform/client.ts'
import { matches } from '../../../../platform/folded.ts'
import { isolated, nameOf } from '../../../../platform/language.ts'
import { go } from '../../../../platform/router.ts'
import { me } from '../../../../platform/session.ts'
import { clashesOf } from '../clashes.ts'
import { type Meeting, meetingsOf, placeOf, titleOf } from '../day.ts'
import { noteOwn } from '../own.ts'
import { t } from './texts.ts'
import { fieldsOf, plannedOf, requestTypeOf, type Values, valuesOf } from './values.ts'

type Placed = Schemas['PlacedMeeting']
const alone = ({ conflicts: _, ...meeting }: Placed): Meeting => meeting

/** Saves the changed fields, based on the version that the form was opened with. */
export async function saveMeeting(id: number, changed: Partial<Values>, version: string | undefined) {
  noteOwn(id)
  const { data, response } = await api.PATCH('/executive-meetings/{id}', {
    params: { path: { id } },
    body: fieldsOf(changed),
    headers: ifMatch(version),
  })
  const placed = data as Placed
  const meeting = alone(placed)
  setCached('/executive-meetings/{id}', meeting, { path: { id } }, response)
  return { from: valuesOf(meeting), version: versionOf(response) }
}

/** Confirms that a request was sent, and links to it. */
function sayAsked({ id }: { id: number }) {
  say({ text: t.asked, act: { text: t.toRequest, run: () => go(`/meetings/requests/${id}`) } })
}

/** Adds a meeting or, if `reason` is given, requests one. A toast for an added meeting counts the overlaps that the form did not show. */
export async function saveNew(values: Values, reason?: string) {
  if (reason !== undefined) {
    const body = { type: 'create', details: fieldsOf(values), reason: reason.trim() || null } as const
    return sayAsked(await answer(api.POST('/executive-meetings/requests', { body })))
  }
  const clashes = clashesOf(plannedOf(undefined, values), meetingsOf(values.date).peek() ?? [])
  const seen = new Set(clashes.map(({ other }) => other.id))
  const placed = await answer(api.POST('/executive-meetings', { body: { ...fieldsOf(values), date: values.date } }))
  noteOwn(placed.id)
  const unseen = placed.conflicts.filter(({ id }) => !seen.has(id)).length
  const text = t.added(isolated(titleOf(placed)))
  say({ text: unseen ? `${text} ${t.clashes(unseen)}` : text })
}

/** Requests a change to a meeting that the person may not make. */
export async function askFor(id: number, changed: Partial<Values>, reason: string) {
  const body = { type: requestTypeOf(changed), details: fieldsOf(changed), reason: reason.trim() || null }
  sayAsked(await answer(api.POST('/executive-meetings/{id}/requests', { params: { path: { id } }, body })))
}

export async function askToCancel(id: number, reason: string) {
  const body = { type: 'cancel', details: {}, reason: reason.trim() || null } as const
  sayAsked(await answer(api.POST('/executive-meetings/{id}/requests', { params: { path: { id } }, body })))
}

export type Colleague = Pick<Schemas['NoteUserSummary'], 'id' | 'username' | 'displayNameAr' | 'displayNameEn' | 'avatarUrl'>

/** Colleagues whose names contain the typed text, including oneself. */
export async function findColleagues(typed: string): Promise<Colleague[]> {
  const found = await answer(api.GET('/notes/recipients', { params: { query: { q: typed.slice(0, 200), limit: 8 } } }))
  const own = me.peek()
  // The API omits the caller, who cannot write notes to themselves but can attend a meeting.
  const isMe = own && !found.some(({ id }) => id === own.id) && matches(typed, own.username, own.displayNameAr, own.displayNameEn)
  return isMe ? [own, ...found] : found
}

/** The places of all loaded meetings, without duplicates. */
export const placesUsed = () => [
  ...new Set(
    known('/executive-meetings')
      .flat()
      .map(placeOf)
      .filter((place) => place !== ''),
  ),
]

/** The number of changes on a page of a meeting's history. */
const PAGE = 25
export const historyOf = (id: number, offset: number) =>
  resource('/executive-meetings/audit-logs', { query: { entityKind: 'meeting', entityId: id, limit: PAGE, offset } })

/** The name of the person who changed a meeting last; '' if it is unknown or the caller may not see it. */
export async function lastEditor(id: number) {
  const { entries } = await answer(
    api.GET('/executive-meetings/audit-logs', { params: { query: { entityKind: 'meeting', entityId: id, limit: 1 } } }),
  )
  const actor = entries[0]?.actor
  return actor ? nameOf(actor) : ''
}
