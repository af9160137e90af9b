import type { TemplateFor } from '../../../platform/changes/change-kind.ts'
import { type Detail, fieldError } from '../../../platform/errors/field-errors.ts'
import { refuse, refuseField, refuseFields } from '../../../platform/errors/refusal.ts'
import { daySpan } from '../../../platform/http/page.ts'
import { describeDate, isVisible } from '../../../platform/text.ts'
import { revertOfFacts } from '../../../record/audit/rules.ts'
import { type EntityKind, entityKinds, type MeetingView } from './shapes.ts'

interface Checked {
  date: string
  startTime?: string | null
  endTime?: string | null
  titleAr?: string | null
  titleEn?: string | null
}

/** Whether a text is missing or has no visible character. */
export const isBlank = (text: string | null | undefined) => !text || !isVisible(text)

/** The failing fields when both titles are blank. */
export function titleFaults({ titleAr, titleEn }: { titleAr?: string | null; titleEn?: string | null }): Detail[] {
  if (!isBlank(titleAr) || !isBlank(titleEn)) return []
  return [fieldError('titleAr', 'required', { unless: ['titleEn'] }), fieldError('titleEn', 'required', { unless: ['titleAr'] })]
}

/** Refuses an end that is not after the start, and a meeting without a title, each by its field. */
export function checkMeeting({ startTime, endTime, titleAr, titleEn }: Checked) {
  const details: Detail[] = []
  if (startTime && endTime && endTime <= startTime) details.push(fieldError('endTime', 'afterStart'))
  details.push(...titleFaults({ titleAr, titleEn }))
  if (details.length) refuseFields(details)
}

const DAY_MS = 24 * 3600 * 1000
interface SpanQuery {
  date?: string
  from?: string
  to?: string
}

/** Refuses spans of more than `most` days, both ends included. */
function checkSpan({ from, to }: { from: string; to: string }, most: number) {
  daySpan({ from, to })
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= most) refuseField('to', 'maxDays', { limit: most })
  return { from, to }
}

/** The requested days: one `date`, or `from` and `to`, at most 92 days. */
export function daysAsked({ date, from, to }: SpanQuery) {
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) refuseField('date', 'exclusive', { fields: ['from', 'to'] })
    return { from: date, to: date }
  }
  if (from === undefined && to === undefined) refuseField('date', 'required', { unless: ['from', 'to'] })
  if (from === undefined) return refuseField('from', 'required')
  if (to === undefined) return refuseField('to', 'required')
  return checkSpan({ from, to }, 92)
}

/** The order of a day with these meetings first; omitted ones follow in their current order. Refuses `unknown_ids`. */
export function orderDay(present: readonly number[], first: readonly number[]) {
  const known = new Set(present)
  const unknownIds = first.filter((id) => !known.has(id)).sort((one, other) => one - other)
  if (unknownIds.length) refuse('unknown_ids', { body: { unknownIds } })
  const placed = new Set(first)
  return [...first, ...present.filter((id) => !placed.has(id))]
}

interface Around<R> {
  before: R | null
  after: R | null
}

/** The days that a change to a meeting affects. */
export const daysAround = ({ before, after }: Around<{ date: string }>) => [before, after].flatMap((record) => record?.date ?? [])

type MeetingTexts = Pick<MeetingView, 'date' | 'startTime' | 'endTime' | 'titleAr' | 'titleEn' | 'locationAr' | 'locationEn' | 'meetingUrl'>
/** The parameters of the texts about a meeting, in both languages; a text missing in one falls back to the other. */
export function meetingParams({ date, startTime, titleAr, titleEn, locationAr, locationEn }: MeetingTexts) {
  const [placeAr, placeEn] = [locationAr || locationEn, locationEn || locationAr]
  return {
    ar: {
      meeting: titleAr || titleEn || '',
      when: describeDate(date, 'ar') + (startTime ? `، الساعة ${startTime}` : ''),
      where: placeAr ? `، ${placeAr}` : '',
    },
    en: {
      meeting: titleEn || titleAr || '',
      when: describeDate(date, 'en') + (startTime ? ` at ${startTime}` : ''),
      where: placeEn ? `, ${placeEn}` : '',
    },
  }
}

/**
 * As `meetingParams`, for people who cannot open the meeting: `when` also has the end and the place of the meeting and, if it takes place,
 * its address.
 */
function paramsForGuests(meeting: MeetingTexts, isOn: boolean): Params {
  const { ar, en } = meetingParams(meeting)
  const { startTime, endTime } = meeting
  const until = startTime && endTime ? endTime : null
  const url = isOn && meeting.meetingUrl
  const [whenAr, whenEn] = [ar.when + (until ? ` حتى ${until}` : ''), en.when + (until ? ` until ${until}` : '')]
  return {
    ar: { ...ar, when: whenAr + ar.where + (url ? `، ${url}` : ''), where: '' },
    en: { ...en, when: whenEn + en.where + (url ? `, ${url}` : ''), where: '' },
  }
}

const setting = ['date', 'startTime', 'endTime', 'locationAr', 'locationEn', 'meetingUrl'] as const

type Params = ReturnType<typeof meetingParams>
type Template = TemplateFor<Params['ar']>

const isOver = ({ status }: MeetingView) => status === 'completed' || status === 'cancelled'

/** The notice to attendees who stay; null when the change does not concern them. */
function textFor(before: MeetingView, after: MeetingView): Template | null {
  if (before.status !== after.status) {
    if (after.status === 'cancelled' || after.status === 'postponed') return `meeting_${after.status}`
    if (after.status === 'scheduled') return 'meeting_scheduled'
  }
  if (isOver(after)) return null
  return setting.some((field) => before[field] !== after[field]) ? 'meeting_moved' : null
}

const attending = (meeting: MeetingView | null) => meeting?.attendees.flatMap(({ userId }) => userId ?? []) ?? []

/** A notice to some of the attendees, with the parameters for people who can open the meeting and for people who cannot. */
interface AttendeeNotice {
  template: Template
  people: number[]
  params: Params
  paramsForGuests: Params
}

/** The notices that a meeting does not take place, or that the reader is no longer invited. */
const off: Template[] = ['meeting_postponed', 'meeting_cancelled', 'meeting_deleted', 'meeting_left']

/**
 * The notices of a change to a meeting, to everyone but its author. Nobody is told that they were added to a completed or cancelled
 * meeting, or removed from it.
 */
export function meetingTexts({ before, after }: Around<MeetingView>, authorId: number | undefined): AttendeeNotice[] {
  const [had, has] = [attending(before), attending(after)]
  const noticeTo = (template: Template | null, about: MeetingView, all: number[]) => {
    const people = all.filter((id) => id !== authorId)
    if (!template || !people.length) return []
    return [{ template, people, params: meetingParams(about), paramsForGuests: paramsForGuests(about, !off.includes(template)) }]
  }
  if (!before) return after && !isOver(after) ? noticeTo('meeting_scheduled', after, has) : []
  if (!after) return noticeTo('meeting_deleted', before, had)
  const stayed = has.filter((id) => had.includes(id))
  const joined = has.filter((id) => !had.includes(id))
  const left = isOver(after) ? [] : had.filter((id) => !has.includes(id))
  return [
    ...noticeTo(textFor(before, after), after, stayed),
    ...noticeTo(isOver(after) ? null : 'meeting_joined', after, joined),
    // The notice describes the meeting as the removed attendees knew it.
    ...noticeTo('meeting_left', before, left),
  ]
}

interface LogRow<A, R> {
  id: number
  action: string
  targetType: string
  targetId: number
  at: Date
  facts: Record<string, unknown>
  actor: A
  refs: R
}
type Recorded = Record<string, unknown> | null
const kindOf = Object.fromEntries(Object.entries(entityKinds).map(([kind, targetType]) => [targetType, kind])) as Record<string, EntityKind>

/** A row of the audit log, as the log of executive meetings shows it. */
export const entryOf = <A, R>({ id, action, targetType, targetId, at, facts, actor, refs }: LogRow<A, R>) => ({
  id,
  entityKind: kindOf[targetType]!,
  entityId: targetId,
  action: action.slice(targetType.length + 1),
  before: (facts['before'] ?? null) as Recorded,
  after: (facts['after'] ?? null) as Recorded,
  createdAt: at,
  actor,
  revertOf: revertOfFacts(facts),
  refs,
})
