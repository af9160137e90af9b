/** Loading a page asks the portal for nothing twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'

const portal = portalWithPages()
const rooms = ['/', '/services', '/orders', '/incoming', '/notes', '/notes/received', '/notes/sent', '/notifications', '/account']

journeys(() => {
  const { visitAs } = browser(portal)

  test('no page asks for the same twice while it is loaded', async () => {
    await portal.person('frugal')
    const { page } = await visitAs('frugal', { language: 'en', serviceWorkers: 'block' })
    const asked: string[] = []
    page.on('request', (request) => {
      const [, path] = request.url().split('/api/')
      if (path) asked.push(`${request.method()} ${path}`)
    })
    for (const room of rooms) {
      asked.length = 0
      const listening = page.waitForResponse('**/api/events?*')
      await page.goto(room)
      await listening
      await page.waitForLoadState('networkidle')
      assert.deepEqual([room, ...asked.toSorted()], [room, ...new Set(asked.toSorted())])
    }
  })
})
