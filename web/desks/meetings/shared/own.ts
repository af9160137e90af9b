/** Remembers meetings that the person has just changed, because the page must not announce their own changes to them. */
const JUST_NOW_MS = 4000
const changedAt = new Map<number, number>()

export const noteOwn = (id: number) => void changedAt.set(id, Date.now())
export const isOwn = (id: number) => Date.now() - (changedAt.get(id) ?? 0) < JUST_NOW_MS
