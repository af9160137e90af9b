/** Mutants that no test need notice, each with its reason. A run fails where one of them is killed or is no mutant any more. */
import type { Survivor } from './report.ts'

export const survivors: Survivor[] = []
