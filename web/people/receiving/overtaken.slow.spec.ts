/** The receiver's board with late and outdated answers, which must not move its orders. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { browser, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
let serviceId = 0
let requester: Awaited<ReturnType<typeof portal.person>>
let prepared: Promise<void> | undefined
async function prepare() {
  serviceId = (await portal.admin.post('/services', { nameAr: 'شاي أخضر', nameEn: 'Green tea' })).body.id
  requester = await portal.person('salma')
}

journeys(() => {
  const { visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))
  afterEach(async () => {
    const orders = (await requester.get('/orders/my')).body as { id: number }[]
    for (const { id } of orders) await portal.admin.delete(`/orders/${id}`)
  })

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const receiver = (role: string) => portal.person(`${role}-${language}-${size}`, { roles: ['order_receiver'] })
    const place = async (notes: string) => (await requester.post('/orders', { serviceId, notes })).body.id as number
    const card = (page: Page, notes: string) => page.locator('.receiving-card').filter({ hasText: notes })
    /** Shows a column, which is a tab on a phone. */
    const openColumn = async (page: Page, column: keyof typeof t.columns) => {
      if (size === 'phone') await page.getByRole('tab', { name: t.shortColumns[column] }).click()
    }
    /** Opens the board, and waits until it receives events. */
    const openBoard = async (page: Page) => {
      const connected = page.waitForResponse((answer) => page.url().endsWith('/incoming') && answer.url().includes('/api/events'))
      await page.goto('/incoming')
      await connected
    }
    const atBoard = async (username: string) => {
      const opened = await visitAs(username, pair)
      await openBoard(opened.page)
      return opened
    }
    /** Records from now on the columns that contain the page's order. */
    const notePlaces = async (page: Page) => {
      await page.evaluate(() => {
        const places: (string | undefined)[] = []
        const look = () =>
          places.push(document.querySelector('[data-order]')?.closest('[aria-label]')?.getAttribute('aria-label') ?? undefined)
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
        Object.assign(window, { places })
      })
      return async () => [...new Set(await page.evaluate(() => (window as unknown as { places: string[] }).places))]
    }
    const untilAnswered = (page: Page) => page.waitForFunction(() => !document.querySelector('.receiving-onward[aria-busy=true]'))

    test(titled('an outdated answer does not return a claimed order to the board'), async () => {
      const [here, there] = [await receiver('reader'), await receiver('faster')]
      const { page, context } = await visitAs(here.username, pair)
      await context.addInitScript(() => {
        const changes: string[] = []
        Object.assign(window, { changes })
        window.EventSource = class extends EventSource {
          constructor(url: string | URL) {
            super(url)
            this.addEventListener('order_incoming_changed', ({ data }) => changes.push(JSON.parse(data).change))
          }
        }
      })
      await openBoard(page)
      await page.getByText(t.emptyColumns.waiting).waitFor()
      const claimed = Promise.withResolvers<void>()
      let answers = 0
      await page.route(/\/api\/orders\/\d+$/, async (route) => {
        const response = await route.fetch()
        if (answers++ === 0) await claimed.promise
        await route.fulfill({ response })
      })
      const id = await place('contested')
      await until('the order is being loaded', () => answers)
      await there.patch(`/orders/${id}/confirm-receipt`, {})
      await page.waitForFunction(() => (window as unknown as { changes: string[] }).changes.includes('claimed'))
      claimed.resolve()
      await until('the order is loaded again', () => answers === 2)
      await place('another')
      await card(page, 'another').waitFor()
      assert.equal(await card(page, 'contested').count(), 0)
    })

    test(titled('an event about an order does not move it back while its receiver goes on with it'), async () => {
      const person = await receiver('brisk')
      const id = await place('brisk')
      const { page } = await atBoard(person.username)
      const prepared = Promise.withResolvers<void>()
      const reread = page.waitForResponse((answer) => answer.url().endsWith(`/api/orders/${id}`))
      await page.route('**/confirm-receipt', async (route) => {
        await prepared.promise
        const response = await route.fetch()
        await (await reread).finished()
        await route.fulfill({ response })
      })
      await card(page, 'brisk').getByRole('button', { name: t.claim }).click()
      await openColumn(page, 'received')
      await card(page, 'brisk').getByRole('button', { name: t.prepare }).click()
      await openColumn(page, 'preparing')
      await card(page, 'brisk').getByRole('button', { name: t.complete }).waitFor()
      const places = await notePlaces(page)
      prepared.resolve()
      await untilAnswered(page)
      assert.deepEqual(await places(), [t.columns.preparing])
      assert.equal((await requester.get(`/orders/${id}`)).body.status, 'preparing')
    })

    test(titled('a reload of the board during a claim leaves the order where its receiver moved it'), async () => {
      const person = await receiver('prompt')
      await place('moved')
      const { page } = await visitAs(person.username, pair)
      const asked = Promise.withResolvers<void>()
      await page.route('**/confirm-receipt', async (route) => {
        await asked.promise
        const reread = page.waitForResponse('**/api/orders/incoming')
        await page.evaluate(() => {
          const { now } = Date
          Date.now = () => now() + 3_600_000
          dispatchEvent(new Event('focus'))
        })
        await (await reread).finished()
        await route.continue()
      })
      await page.goto('/incoming')
      await card(page, 'moved').getByRole('button', { name: t.claim }).click()
      await openColumn(page, 'received')
      await card(page, 'moved').getByRole('button', { name: t.prepare }).waitFor()
      const places = await notePlaces(page)
      asked.resolve()
      await untilAnswered(page)
      assert.deepEqual(await places(), [t.columns.received])
    })
  }
})
