/** A portal with its pages, for the tests of one file. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { ensurePages, readBuiltPages } from '../../server/pages/built.ts'
import { house } from '../../test/house.ts'

const builtPages = async () => {
  await ensurePages(() => {})
  return readBuiltPages()
}

/** A free port. Pages only talk to the origin of PUBLIC_URL, which is set before the portal listens. */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return String(port)
}
const ports = await Promise.all(Array.from({ length: 4 }, freePort))

/** A portal with its pages for one file of tests, at most four. */
export function portalWithPages(env: Record<string, string> = {}) {
  const PORT = ports.pop()!
  return house({ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}`, ...env }, undefined, builtPages)
}

export type Portal = ReturnType<typeof portalWithPages>
