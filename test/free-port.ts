import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * The first port to try, below those that Linux gives to `listen(0)`, because seconds may pass before the port is used. Two runs at once
 * would take each other's ports: give one of them `TEST_PORTS`, such as 24000.
 */
const FIRST = Number(process.env['TEST_PORTS']) || 20_000
const given = new Set<number>()

/** Claims a port for this file, in a folder that all files of the run share; false if the port is claimed already. */
async function claims(port: number) {
  if (given.has(port)) return false
  given.add(port)
  const shared = process.env['TEST_SHARED']
  if (!shared) return true
  return writeFile(join(shared, `port-${port}`), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
}

async function isFree(port: number) {
  const probe = createServer().listen(port, '127.0.0.1')
  const isListening = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await once(probe.close(), 'close')
  return isListening
}

/** A port of 127.0.0.1 that nothing listens on, and that no other file of the run gets. */
export async function freePort() {
  for (let port = FIRST; ; port++) if ((await claims(port)) && (await isFree(port))) return port
}
