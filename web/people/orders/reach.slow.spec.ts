/** The catalogue, orders and the board on narrow screens, with large letters, in every theme, in one language at a time. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, findings, foreignTexts, journeys, languages, portalWithPages, tooWide } from '../../testing/browser.ts'

const portal = portalWithPages()
let orderId = 0

/** Creates a receiver with orders in four statuses, and two services, one of them unavailable. */
async function prepare() {
  const category = (await portal.admin.post('/service-categories', { nameAr: 'الضيافة', nameEn: 'Hospitality' })).body
  const coffee = (await portal.admin.post('/services', { nameAr: 'قهوة عربية', nameEn: 'Arabic coffee', categoryId: category.id })).body
  await portal.admin.post('/services', { nameAr: 'جهاز عرض', nameEn: 'Projector', isAvailable: false })
  const names = { displayNameAr: 'نورة بنت عبد الرحمن القحطاني', displayNameEn: 'Noura bint Abdulrahman Alqahtani' }
  const person = await portal.person('noura', { ...names, roles: ['order_receiver'] })
  const place = async () => (await person.post('/orders', { serviceId: coffee.id })).body.id as number
  const [received, preparing, cancelled] = [await place(), await place(), await place()]
  orderId = received
  for (const id of [received, preparing]) await person.patch(`/orders/${id}/confirm-receipt`)
  await person.patch(`/orders/${preparing}/status`, { status: 'preparing' })
  await person.patch(`/orders/${cancelled}/status`, { status: 'cancelled' })
  await place()
}
let prepared: Promise<void> | undefined

const addresses = () => ['/services', '/orders', `/orders/${orderId}`, '/incoming']
const arrive = async (page: Page, address: string) => {
  await page.goto(address)
  await page.locator('main .card').first().waitFor()
}

journeys(() => {
  const { visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))

  for (const [theme, language] of [
    ['light', 'en'],
    ['dark', 'ar'],
    ['contrast', 'ar'],
  ] as const)
    test(`axe finds nothing in the theme ${theme}, and no text is in the other language (${language})`, async () => {
      const { page } = await visitAs('noura', { language })
      await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
      for (const address of addresses()) {
        await arrive(page, address)
        assert.deepEqual(await findings(page), [], address)
        assert.deepEqual(await foreignTexts(page, language, /noura/), [], address)
      }
    })

  for (const language of languages)
    test(`nothing overflows at 320 pixels, or with letters of twice the size (${language})`, async () => {
      const { page } = await visitAs('noura', { language, viewport: { width: 320, height: 640 } })
      for (const address of addresses()) {
        await arrive(page, address)
        assert.deepEqual(await tooWide(page), [], address)
      }
    })
})
