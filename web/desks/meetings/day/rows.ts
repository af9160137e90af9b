/** The running order of a day: the state of each meeting, and the gaps between meetings. Pure. */
import type { Meeting } from '../shared/day.ts'
import { minutesOf } from '../shared/slots.ts'

/** `off`: cancelled or postponed. `soon`: begins within ten minutes. */
type State = 'past' | 'now' | 'soon' | 'later' | 'off'

export interface Row {
  meeting: Meeting
  state: State
  /** Minutes without a meeting before this one; 0 if they are too few to show. */
  gap: number
  /** Whether the line that marks the present is directly above this meeting. */
  isAfterNow: boolean
}

const SOON = 10
/** The shortest gap that is shown, in minutes. */
const SAID = 15

type Shown = Pick<Meeting, 'status' | 'startTime' | 'endTime'>

/** The state of a meeting at a time of its day; `time` is undefined if its day is not today. */
export function stateAt({ status, startTime, endTime }: Shown, time: string | undefined): State {
  if (status === 'cancelled' || status === 'postponed') return 'off'
  if (status === 'completed') return 'past'
  if (!startTime || time === undefined) return 'later'
  if (endTime ? endTime <= time : startTime < time) return 'past'
  if (startTime <= time) return 'now'
  return minutesOf(startTime) - minutesOf(time) <= SOON ? 'soon' : 'later'
}

/** The rows of a day; `time` is the office's time if the day is today, otherwise undefined. */
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
