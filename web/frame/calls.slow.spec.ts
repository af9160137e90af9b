import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/client.ts'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'

const portal = portalWithPages()
const rooms = [
  ...[
    '/',
    '/services',
    '/orders',
    '/incoming',
    '/approvals',
    '/notes',
    '/notes/received',
    '/notes/sent',
    '/notifications',
    '/account',
    '/account/security',
  ],
  ...['/access', '/access/offers', '/access/requests', '/access/review'],
]

journeys(() => {
  const { visit } = browser(portal)

  test('no page makes the same call twice while it loads', async () => {
    const { username } = await portal.person('frugal')
    const { context, page: first } = await visit({ serviceWorkers: 'block' })
    // Signs in by a direct call: choosing a language in the page would send an event, which causes further reads.
    await context.request.post('/api/auth/login', { data: { username, password: PASSWORD }, headers: { origin: portal.base } })
    await first.close()
    for (const room of rooms) {
      // Each address gets a new page, so that a late call of the previous address is not counted for this one.
      const page = await context.newPage()
      const calls: string[] = []
      page.on('request', (request) => {
        const [, path] = request.url().split('/api/')
        if (path) calls.push(`${request.method()} ${path}`)
      })
      const listening = page.waitForResponse('**/api/events?*')
      // Waits for background work as well. It begins later, with a HEAD request, and reads some of the page's data.
      const background = page.waitForResponse((response) => response.request().method() === 'HEAD')
      const duty = page.waitForResponse('**/api/auth/me/security')
      await page.goto(room)
      await page.waitForLoadState('networkidle')
      await Promise.all([listening, background, duty])
      assert.deepEqual([room, ...calls.toSorted()], [room, ...new Set(calls.toSorted())])
      await page.close()
    }
  })
})
