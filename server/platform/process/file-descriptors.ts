/** Logs when the process has no file descriptors left: the system then refuses new connections silently. */
import { closeSync, openSync } from 'node:fs'
import type { Logger } from 'pino'

const LOOK_EVERY_MS = 1000
const isUsedUp = (error: unknown) => ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code!)

/** Checks every second. Returns the function that stops the checks. */
export function watchDescriptors(log: Logger) {
  let wereUsedUp = false
  const look = () => {
    let areUsedUp = false
    try {
      closeSync(openSync('/dev/null', 'r'))
    } catch (error) {
      areUsedUp = isUsedUp(error)
    }
    if (areUsedUp && !wereUsedUp) log.error('no file descriptors are left: new connections are refused (raise LimitNOFILE or ulimit -n)')
    if (!areUsedUp && wereUsedUp) log.warn('file descriptors available again')
    wereUsedUp = areUsedUp
  }
  const looking = setInterval(look, LOOK_EVERY_MS).unref()
  return () => clearInterval(looking)
}
