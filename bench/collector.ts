/** Imported before the portal: it collects garbage on `SIGWINCH`, which means nothing else to it, so that what stays is measured. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
process.on('SIGWINCH', () => collect())
