import { ensurePages, readBuiltPages } from '../../server/site/pages/built.ts'
import { freePort } from '../../test/free-port.ts'
import { testPortal } from '../../test/portal.ts'

const builtPages = async () => {
  await ensurePages(() => {})
  return readBuiltPages()
}

/** A portal with its pages for one file of tests. */
export function portalWithPages(env: Record<string, string> = {}, host = '127.0.0.1') {
  const settled = { ...env }
  // Pages only talk to the origin of PUBLIC_URL. A hook of its own would be too late: hooks of a file start concurrently, and the portal
  // reads its configuration once it has its pages.
  const findPages = async () => {
    const PORT = String(await freePort())
    Object.assign(settled, { PORT, PUBLIC_URL: `http://${host}:${PORT}`, ...env })
    return builtPages()
  }
  return testPortal(settled, undefined, findPages)
}

/** As `portalWithPages`, under the name `localhost`, because browsers make no passkeys for IP addresses. Pass `site` to `browser`. */
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
