/** Measures the memory of this process, which runs the portal under test as well. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MIB = 1024 * 1024
const inMib = (bytes: number) => Math.round((bytes / MIB) * 10) / 10

/** The live heap and the resident memory, in MiB. */
export function measureMemory() {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { reachable: inMib(heapUsed + external), resident: inMib(rss) }
}
