import { daysWithMeetings } from '../shared/day.ts'
import { t } from './texts.ts'

/** The number of meetings on each day of a span, in words. A component that reads the numbers loads them. */
export const marksOf = (from: string, to: string): ReadonlyMap<string, string> =>
  new Map(daysWithMeetings(from, to).data?.map(({ date, meetingCount }) => [date, t.meetings(meetingCount)]))
