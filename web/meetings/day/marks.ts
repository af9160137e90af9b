import { daysWithMeetings } from '../shared/day.ts'
import { t } from './texts.ts'

/** How many meetings each day of a span has, in words. A component that reads it loads it. */
export const marksOf = (from: string, to: string): ReadonlyMap<string, string> =>
  new Map(daysWithMeetings(from, to).data?.map(({ date, meetingCount }) => [date, t.meetings(meetingCount)]))
