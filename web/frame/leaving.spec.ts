/** What a device keeps after its person has left, and what a page shows while the portal is away. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, until } from '../../test/visitor.ts'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'

const portal = portalWithPages()

/** Everything the device keeps for the portal, as text. */
const keptOn = (page: Page) =>
  page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase | undefined>((resolve) => {
      const request = indexedDB.open('bawaba')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => resolve(undefined)
    })
    if (!opened?.objectStoreNames.contains('kept')) return ''
    const all = await new Promise<unknown[]>((resolve) => {
      const request = opened.transaction('kept').objectStore('kept').getAll()
      request.onsuccess = () => resolve(request.result)
    })
    opened.close()
    return JSON.stringify(all)
  })

journeys(() => {
  const { visitAs, problems, closeAll } = browser(portal)
  afterEach(async () => {
    await closeAll()
    assert.deepEqual(problems.splice(0), [])
  })

  test('a sign-out leaves nothing of the person on the device', async () => {
    await portal.person('secretive')
    const { page } = await visitAs('secretive', { language: 'en' })
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('secretive'))
    await page.getByRole('button', { name: 'Menu of' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    assert.doesNotMatch(await keptOn(page), /secretive/)
  })

  test('who signs in after another on the same device takes the place of what was kept', async () => {
    await portal.person('former')
    await portal.person('latter')
    const { page, context } = await visitAs('former', { language: 'en' })
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('former'))
    await context.request.post('/api/auth/login', { data: { username: 'latter', password: PASSWORD }, headers: { origin: portal.base } })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /latter/ }).waitFor()
    await until('nothing of the former is kept', async () => !(await keptOn(page)).includes('former'))
  })

  test('a page of a former version says so where it cannot go on, and is renewed by a press', async () => {
    await portal.person('latecomer')
    const { page } = await visitAs('latecomer', { language: 'en' })
    await page.getByRole('heading', { level: 1, name: /latecomer/ }).waitFor()
    await page.route(/\/assets\/page-[^/]*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.route(/\/$/, (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ headers: { 'x-pages': 'newer' } }) : route.continue(),
    )
    await page.evaluate(() => {
      history.pushState({}, '', '/apps')
      history.pushState({}, '', '/forgot-password')
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    })
    await page.getByRole('heading', { name: 'A newer version of the portal is here' }).waitFor()
    await page.unroute(/\/assets\/page-[^/]*\.js$/)
    await page.getByRole('button', { name: 'Update now' }).first().click()
    await page.locator('input[name=identifier]').waitFor()
  })

  test('without a connection the page shows the last state and says so, and comes back by itself', async () => {
    await portal.person('traveller')
    const { page, context } = await visitAs('traveller', { language: 'en' })
    await page.getByRole('heading', { level: 1, name: /traveller/ }).waitFor()
    await context.setOffline(true)
    await page.getByText('No connection.').waitFor()
    await page.getByRole('heading', { level: 1, name: /traveller/ }).waitFor()
    await context.setOffline(false)
    await page.getByText('No connection.').waitFor({ state: 'detached' })
  })
})
