/** Verifies the whole ledger for an operator, with a result of one line. */
import type { Reads } from '../../platform/database/db.ts'
import { newestSeal } from './seals.ts'
import { verifySeals } from './verification.ts'

const SEALS_AT_ONCE = 10_000

/** Verifies every seal. `said` names the newest one, or the first mismatch. */
export async function verifyWhole(db: Reads): Promise<{ valid: boolean; said: string }> {
  for (let from: number | null = 1; from !== null; ) {
    const { firstMismatch, nextSeal }: Awaited<ReturnType<typeof verifySeals>> = await verifySeals(db, {
      from,
      limit: SEALS_AT_ONCE,
      noted: null,
    })
    if (firstMismatch) {
      const { kind, id, seal, what } = firstMismatch
      return { valid: false, said: `The ledger does not fit its seals: the first ${kind} that is ${what} is ${id}, of seal ${seal}.` }
    }
    from = nextSeal
  }
  const newest = await newestSeal(db)
  return { valid: true, said: newest ? `The ledger fits its seals; the newest is ${newest.seal}.` : 'The ledger has no seal yet.' }
}
