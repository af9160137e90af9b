/** Facts about printed days: how they have changed since the printing, and their newest archives. Pure. */
import type { Schemas } from '../../../platform/client.ts'

type Archive = Schemas['PdfArchive']
type Meeting = Pick<Schemas['Meeting'], 'createdAt' | 'updatedAt'>

/** The numbers of meetings added, changed and removed since a day was printed, derived from its present meetings. */
export function changesSince({ createdAt, meetingCount }: Pick<Archive, 'createdAt' | 'meetingCount'>, meetings: readonly Meeting[]) {
  const added = meetings.filter((one) => one.createdAt > createdAt).length
  const changed = meetings.filter((one) => one.createdAt <= createdAt && one.updatedAt > createdAt).length
  return { added, changed, removed: Math.max(0, meetingCount - (meetings.length - added)) }
}

/** Groups archives, which come newest first, by their day; the day that was printed last comes first. */
export const byDay = (archives: readonly Archive[]) => Map.groupBy(archives, ({ date }) => date)

/** The newest archive of a day in each language. Only these are reported as out of date. */
export function newestOf<A extends Pick<Archive, 'id' | 'language'>>(archives: readonly A[]) {
  const newest = new Map<string, A>()
  for (const one of archives) if ((newest.get(one.language)?.id ?? 0) < one.id) newest.set(one.language, one)
  return new Set(newest.values())
}
