/** Computes whom the portal will notify of a change to a meeting. These rules repeat the portal's. */
interface Setting {
  date: string
  startTime: string | null
  endTime: string | null
  locationAr: string | null
  locationEn: string | null
  meetingUrl: string | null
  status?: string
  attendees: readonly { userId: number | null }[]
}
const settings = ['date', 'startTime', 'endTime', 'locationAr', 'locationEn', 'meetingUrl'] as const

/** Whether a change notifies attendees who stay: a new time or place does, and a new status except `completed`. */
export const concernsAll = (before: Setting | undefined, after: Setting) =>
  before === undefined ||
  settings.some((field) => (before[field] ?? '') !== (after[field] ?? '')) ||
  (before.status !== after.status && after.status !== 'completed')

const accountsOf = ({ attendees }: Pick<Setting, 'attendees'>) => new Set(attendees.flatMap(({ userId }) => userId ?? []))

/**
 * The accounts to notify: of attendees who join; who leave, unless the meeting is now cancelled or completed; and who stay, if
 * `concernsAll` is true. Never the author's.
 */
export function accountsNotified(before: Setting | undefined, after: Setting, authorId: number | undefined) {
  const present = accountsOf(after)
  const former = before ? accountsOf(before) : new Set<number>()
  const isOver = after.status === 'cancelled' || after.status === 'completed'
  const stayOrJoin = concernsAll(before, after) ? present : present.difference(former)
  const notified = isOver ? stayOrJoin : stayOrJoin.union(former.difference(present))
  notified.delete(authorId ?? 0)
  return notified
}
