/** Preloaded into the portal: collects garbage on `SIGWINCH`, which the portal ignores, so that only live memory is measured. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
process.on('SIGWINCH', () => collect())
