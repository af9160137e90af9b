/** A portal with its pages, for the tests of one file. */
import { ensurePages, readBuiltPages } from '../../server/pages/built.ts'
import { freePort } from '../../test/free-port.ts'
import { testPortal } from '../../test/portal.ts'

const builtPages = async () => {
  await ensurePages(() => {})
  return readBuiltPages()
}

/** Pages only talk to the origin of PUBLIC_URL, which is set before the portal listens. */
const ports = await Promise.all(Array.from({ length: 4 }, async () => String(await freePort())))

/** A portal with its pages for one file of tests, at most four. */
export function portalWithPages(env: Record<string, string> = {}, host = '127.0.0.1') {
  const PORT = ports.pop()!
  return testPortal({ PORT, PUBLIC_URL: `http://${host}:${PORT}`, ...env }, undefined, builtPages)
}

/** The same under a name, because browsers make no passkeys for addresses; `site` is for `browser`. */
export function namedPortalWithPages(env: Record<string, string> = {}) {
  const portal = portalWithPages(env, 'localhost')
  const site = {
    get base() {
      return portal.base.replace('127.0.0.1', 'localhost')
    },
  }
  return { portal, site }
}

export type Portal = ReturnType<typeof portalWithPages>
