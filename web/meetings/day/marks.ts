import { daysWithMeetings } from '../shared/day.ts'
import { t } from './texts.ts'

/** How many meetings there are on the days of a span, in words; reading it in a component asks for it. */
export const marksOf = (from: string, to: string): ReadonlyMap<string, string> =>
  new Map(daysWithMeetings(from, to).data?.map(({ date, meetingCount }) => [date, t.meetings(meetingCount)]))
