/** Meetings that the person has just changed: the page does not announce these changes to them. */
const JUST_NOW_MS = 4000
const changedAt = new Map<number, number>()

export const noteOwn = (id: number) => void changedAt.set(id, Date.now())
export const isOwn = (id: number) => Date.now() - (changedAt.get(id) ?? 0) < JUST_NOW_MS
