/** A person's own orders: followed live, cancelled and restored, filtered, deleted. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { until } from '../../../test/client.ts'
import { both as ofParts } from '../../parts/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const service = { nameAr: 'قهوة عربية', nameEn: 'Arabic coffee' }
let serviceId = 0
let receiver: Awaited<ReturnType<typeof portal.person>>

let prepared: Promise<void> | undefined
async function prepare() {
  serviceId = (await portal.admin.post('/services', service)).body.id
  receiver = await portal.person('noura', { roles: ['order_receiver'], displayNameAr: 'نورة القحطاني', displayNameEn: 'Noura Alqahtani' })
}

journeys(() => {
  const { visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const name = language === 'ar' ? service.nameAr : service.nameEn
    const titled = (title: string) => `${title} (${language}, ${size})`
    /** A person with one order, who has the list of orders open. */
    const withOrder = async (role: string, notes = 'Two cups') => {
      const person = await portal.person(`${role}-${language}-${size}`)
      const { id } = (await person.post('/orders', { serviceId, notes })).body
      const opened = await visitAs(person.username, pair)
      await opened.page.goto('/orders')
      const card = opened.page.locator('.orders-card')
      await card.getByText(name).waitFor()
      return { person, id, card, ...opened }
    }
    const passTime = (id: number) =>
      portal.meddle('order', id, `update orders set cancelled_at = cancelled_at - interval '16 seconds' where id = ${id}`)

    test(titled('an open order updates live, and shows its receiver and history'), async () => {
      const { page, card, id } = await withOrder('watcher')
      await receiver.patch(`/orders/${id}/confirm-receipt`)
      await card.getByText(language === 'ar' ? 'نورة القحطاني' : 'Noura Alqahtani').waitFor()
      await receiver.patch(`/orders/${id}/status`, { status: 'preparing' })
      await card.locator('[aria-current=step]').getByText(t.statuses.preparing).waitFor()
      assert.deepEqual(await findings(page), [])
      await card.getByRole('link').click()
      await page.waitForURL(`**/orders/${id}`)
      await page.getByRole('heading', { name }).waitFor()
      await receiver.patch(`/orders/${id}/status`, { status: 'completed' })
      await page.locator('[aria-current=step]').getByText(t.statuses.completed).waitFor()
      await page.waitForFunction(() => document.querySelectorAll('.orders-entries li').length === 4)
      assert.deepEqual(await findings(page), [])
      await page.goBack()
      await page.waitForURL('**/orders')
      await page.waitForFunction(() => document.activeElement?.matches('.orders-name'))
    })

    test(titled('a change of an order during the first load of its page is shown'), async () => {
      const { page, card, id } = await withOrder('reader')
      await receiver.patch(`/orders/${id}/confirm-receipt`)
      await card.getByText(language === 'ar' ? 'نورة القحطاني' : 'Noura Alqahtani').waitFor()
      const [read, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route(`**/api/orders/${id}`, async (route) => {
        const response = await route.fetch()
        read.resolve()
        await release.promise
        await route.fulfill({ response })
      })
      await card.getByRole('link').click()
      await read.promise
      // The page requests `/stats/home` once the event has arrived.
      const updated = page.waitForResponse('**/api/stats/home')
      await receiver.patch(`/orders/${id}/status`, { status: 'completed' })
      await updated
      release.resolve()
      await page.locator('[aria-current=step]').getByText(t.statuses.completed).waitFor()
    })

    test(titled('a cancellation is undone by the button, by Ctrl Z, and after a reload'), async () => {
      const { page, card, id, person } = await withOrder('fickle')
      const isPending = () => until('the order waits again', async () => (await person.get(`/orders/${id}`)).body.status === 'pending')
      await card.getByRole('button', { name: t.cancel }).click()
      await page.getByText(t.said.cancelled(name)).waitFor()
      await card.getByRole('button', { name: t.undo }).click()
      await card.getByRole('button', { name: t.cancel }).waitFor()
      await isPending()
      await card.getByRole('button', { name: t.cancel }).click()
      await page.getByText(t.said.cancelled(name)).waitFor()
      await page.keyboard.press('Control+z')
      await card.getByRole('button', { name: t.cancel }).waitFor()
      await card.getByRole('button', { name: t.cancel }).click()
      await card.getByRole('button', { name: t.undo }).waitFor()
      await portal.meddle('order', id, `update orders set cancelled_at = now() + interval '5 minutes' where id = ${id}`)
      await page.reload()
      await card.getByRole('button', { name: t.undo }).click()
      await card.getByRole('button', { name: t.cancel }).waitFor()
      await isPending()
    })

    test(titled('undoing too late is refused with a message, and is no longer offered'), async () => {
      const { page, card, id } = await withOrder('late')
      await card.getByRole('button', { name: t.cancel }).click()
      await card.getByRole('button', { name: t.undo }).waitFor()
      await passTime(id)
      await card.getByRole('button', { name: t.undo }).click()
      await page.locator('.toast[data-kind=error]').waitFor()
      await card.getByRole('button', { name: t.undo }).waitFor({ state: 'detached' })
      await page.reload()
      await card.getByText(t.statuses.cancelled).waitFor()
      await card.getByRole('button', { name: t.undo }).waitFor({ state: 'detached' })
      assert.deepEqual(await findings(page), [])
    })

    test(titled('an order restored or deleted elsewhere is restored or removed here'), async () => {
      const { page, card, id, person } = await withOrder('twin')
      await person.patch(`/orders/${id}/status`, { status: 'cancelled' })
      await card.getByRole('button', { name: t.undo }).waitFor()
      await person.patch(`/orders/${id}/status`, { status: 'pending' })
      await card.getByRole('button', { name: t.cancel }).waitFor()
      await portal.admin.delete(`/orders/${id}`)
      await page.getByText(t.empty).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    test(titled('filters are in the address, and closed orders can be deleted'), async () => {
      const { page, card, person, id } = await withOrder('tidy')
      await person.post('/orders', { serviceId, notes: 'حليب' })
      await person.patch(`/orders/${id}/status`, { status: 'cancelled' })
      await passTime(id)
      await page.goto('/orders?status=cancelled')
      await card.getByText(t.statuses.cancelled).waitFor()
      assert.equal(await card.count(), 1)
      await card.getByRole('button', { name: t.actsOn(name) }).click()
      await page.getByRole('menuitem', { name: t.remove }).click()
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.removeYes }).click()
      await page.getByText(t.none).waitFor()
      await page.getByRole('tab', { name: t.tabs.open }).click()
      await page.waitForURL('**/orders?status=open')
      await card.getByText('حليب').waitFor()
      assert.equal((await person.get('/orders/my')).body.length, 1)
      await page.goto(`/orders/${id}`)
      await page.getByRole('heading', { name: t.goneTitle }).waitFor()
    })

    test(titled('offline, the orders can be read, a move says that nothing changed, and the page catches up by itself'), async () => {
      const { page, card, context, id } = await withOrder('traveller')
      await context.setOffline(true)
      await card.getByRole('button', { name: t.cancel }).click()
      await page.locator('.toast[data-kind=error]').getByText(ofParts[language].unreached).waitFor()
      await card.getByRole('button', { name: t.cancel }).waitFor()
      await receiver.patch(`/orders/${id}/confirm-receipt`)
      await context.setOffline(false)
      await card.locator('[aria-current=step]').getByText(t.statuses.received).waitFor()
    })
  }
})
