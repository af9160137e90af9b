/** The setup of a whole ordinary run: it fails if no test provoked a declared refusal. */
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
