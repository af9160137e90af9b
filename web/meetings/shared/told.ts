/** Whom the portal tells of a change to a meeting, by the rule of its notices. */
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

/** Whether those who stay are told: of another time or place, and of another status but `completed`. */
export const concernsAll = (before: Setting | undefined, after: Setting) =>
  before === undefined ||
  settings.some((field) => (before[field] ?? '') !== (after[field] ?? '')) ||
  (before.status !== after.status && after.status !== 'completed')

const accountsOf = ({ attendees }: Pick<Setting, 'attendees'>) => new Set(attendees.flatMap(({ userId }) => userId ?? []))

/** The accounts that are told: those who join or leave, and of what concerns all those who stay; never the author. */
export function accountsTold(before: Setting | undefined, after: Setting, authorId: number | undefined) {
  const present = accountsOf(after)
  const former = before ? accountsOf(before) : new Set<number>()
  const isOver = after.status === 'cancelled' || after.status === 'completed'
  const stayOrJoin = concernsAll(before, after) ? present : present.difference(former)
  const told = isOver ? stayOrJoin : stayOrJoin.union(former.difference(present))
  told.delete(authorId ?? 0)
  return told
}
