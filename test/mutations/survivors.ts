/** Mutants that no test need notice, each with its reason. A run fails where one of them is killed or is no mutant any more. */
import type { Survivor } from './report.ts'

const MEMORY = 'frees memory: nothing else shows it'

export const survivors: Survivor[] = [
  {
    file: 'server/platform/concurrency.ts',
    from: 'if (last.get(key) === ended) last.delete(key)',
    to: 'if (false) last.delete(key)',
    because: MEMORY,
  },
  {
    file: 'server/platform/concurrency.ts',
    from: 'if (last.get(key) === ended) last.delete(key)',
    to: 'if (last.get(key) === ended) ;',
    because: MEMORY,
  },
]
