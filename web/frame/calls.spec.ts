/** Loading a page makes no call twice. */
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
    const { context, page } = await visit({ serviceWorkers: 'block' })
    // Set directly: choosing a language in the page sends an event, which causes further reads.
    await context.request.post('/api/auth/login', { data: { username, password: PASSWORD }, headers: { origin: portal.base } })
    const calls: string[] = []
    page.on('request', (request) => {
      const [, path] = request.url().split('/api/')
      if (path) calls.push(`${request.method()} ${path}`)
    })
    for (const room of rooms) {
      calls.length = 0
      const listening = page.waitForResponse('**/api/events?*')
      await page.goto(room)
      await listening
      await page.waitForLoadState('networkidle')
      assert.deepEqual([room, ...calls.toSorted()], [room, ...new Set(calls.toSorted())])
    }
  })
})
