/**
 * The setup of a whole run. The slow suite must provoke the refusals in `provoked-slowly.txt`, and the ordinary suite all other declared
 * refusals; otherwise the run fails.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { provokedIn, refusals } from './provoked.ts'
import { sharedFolder, globalTeardown as tearDown } from './setup.ts'

export { globalSetup } from './setup.ts'

/** The refusals that only slow tests provoke, because they need an exhausted quota, an instance of their own or an outage. */
const slowly = readFileSync(join(import.meta.dirname, 'provoked-slowly.txt'), 'utf8')
  .trim()
  .split('\n')

export async function globalTeardown() {
  const [provoked, isSlow] = [provokedIn(join(sharedFolder(), 'provoked')), process.env['TEST_SUITE'] === 'slow']
  await tearDown()
  const left = (isSlow ? slowly : refusals.filter((one) => !slowly.includes(one))).filter((one) => !provoked.has(one))
  const unknown = slowly.filter((one) => !refusals.includes(one))
  if (left.length > 0)
    console.error(`\nDeclared in \`refuses\`, and provoked by no ${isSlow ? 'slow' : 'ordinary'} test:\n  ${left.join('\n  ')}`)
  if (unknown.length > 0) console.error(`\nIn test/provoked-slowly.txt, and declared nowhere:\n  ${unknown.join('\n  ')}`)
  if (left.length + unknown.length > 0) process.exitCode = 1
}
