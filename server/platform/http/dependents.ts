/** Refuses to delete an object on which other things depend. */
import { refuse } from '../errors/refusal.ts'

/** Refuses `has_dependents` with the counts unless all are zero or the deletion is forced. Returns whether it had to be forced. */
export function checkDependents(counts: Record<string, number>, force: boolean | undefined) {
  const hasSome = Object.values(counts).some((count) => count > 0)
  if (hasSome && !force) refuse('has_dependents', { body: counts })
  return hasSome
}

/** Whether a deletion also removes the things that depend on the object. */
export const takesDependents = ({ query }: { query: { force?: boolean } }) => query.force === true
