/** Programs that do not come as npm packages: CI must have those that Debian offers, other machines need not have any. */
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

/** Options for tests that need a program. Without it, tests are skipped with a message; in CI they fail if Debian has the program. */
export function needing(program: string, { isInDebian = true } = {}) {
  if (isInstalled(program)) return {}
  if (!isInDebian) return { skip: `${program} is not installed` }
  if (process.env['CI']) throw new Error(`${program} is not installed, which CI has to`)
  return { skip: `${program} is not installed; CI runs this` }
}
