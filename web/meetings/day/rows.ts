/** The running order of a day: what is over, what goes on, what is next, and the time between. Pure. */
import type { Meeting } from '../shared/day.ts'
import { minutesOf } from '../shared/slots.ts'

/** `off`: cancelled or postponed. `soon`: begins within ten minutes. */
type State = 'past' | 'now' | 'soon' | 'later' | 'off'

export interface Row {
  meeting: Meeting
  state: State
  /** Minutes without a meeting before it, where that is long enough to be said. */
  gap: number
  /** The line of the present stands before it. */
  isAfterNow: boolean
}

const SOON = 10
/** So many minutes between two meetings are said. */
const SAID = 15

type Shown = Pick<Meeting, 'status' | 'startTime' | 'endTime'>

/** What a meeting is at a time of its own day; `undefined` on another. */
export function stateAt({ status, startTime, endTime }: Shown, time: string | undefined): State {
  if (status === 'cancelled' || status === 'postponed') return 'off'
  if (status === 'completed') return 'past'
  if (!startTime || time === undefined) return 'later'
  if (endTime ? endTime <= time : startTime < time) return 'past'
  if (startTime <= time) return 'now'
  return minutesOf(startTime) - minutesOf(time) <= SOON ? 'soon' : 'later'
}

/** The rows of a day; `time` is the office's, where it is today. */
export function rowsOf(meetings: readonly Meeting[], time: string | undefined): Row[] {
  const states = meetings.map((meeting) => stateAt(meeting, time))
  const isBetween = time !== undefined && !states.includes('now')
  let end: number | undefined
  let isPassed = false
  return meetings.map((meeting, index) => {
    const state = states[index]!
    const { startTime, endTime } = meeting
    const isTimed = startTime && state !== 'off'
    const isAfterNow = isBetween && !isPassed && isTimed && state !== 'past' ? startTime > time : false
    isPassed ||= isAfterNow
    const since = isAfterNow && end !== undefined ? Math.max(end, minutesOf(time!)) : end
    const gap = isTimed && since !== undefined ? minutesOf(startTime) - since : 0
    if (isTimed) end = Math.max(end ?? 0, minutesOf(endTime ?? startTime))
    return { meeting, state, gap: gap >= SAID ? gap : 0, isAfterNow }
  })
}
