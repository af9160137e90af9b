/** The setup of a run of the whole ordinary suite: fails it where an endpoint declares a refusal that no test provoked. */
import { join } from 'node:path'
import { findUnprovoked } from './provoked.ts'
import { sharedFolder, globalTeardown as tearDown } from './setup.ts'

export { globalSetup } from './setup.ts'

export async function globalTeardown() {
  const unprovoked = findUnprovoked(join(sharedFolder(), 'provoked'))
  await tearDown()
  if (unprovoked.length === 0) return
  console.error(`\nDeclared in \`refuses\`, and provoked by no test:\n  ${unprovoked.join('\n  ')}`)
  process.exitCode = 1
}
