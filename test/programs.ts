/** Programs that do not come as packages: CI has all of them, other machines need none. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

function isInstalled(program: string) {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {}
  }
  return false
}

/** Options for tests that need a program: without it they are skipped with a message, and fail in CI, unless Debian has none to install. */
export function needing(program: string, { isInDebian = true } = {}) {
  if (isInstalled(program)) return {}
  if (!isInDebian) return { skip: `${program} is not installed` }
  if (process.env['CI']) throw new Error(`${program} is not installed, which CI has to`)
  return { skip: `${program} is not installed; CI runs this` }
}
