/**
 * Ordering again in one press, or through the form if something no longer fits: nothing that was ordered is left out or goes to another
 * person.
 */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as words } from '../../parts/forms/answers/texts.ts'
import { both as ofHeld } from '../../parts/show/approval/words-texts.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as ofWhom } from './for-whom-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newService } = makers(portal)
const [tea, dark] = [
  { key: 'tea', ar: 'شاي', en: 'Tea' },
  { key: 'dark', ar: 'داكن', en: 'Dark' },
]
const cups = { key: 'cups', kind: 'items', labelAr: 'الأكواب', labelEn: 'Cups', options: [tea, dark] }
const place = { key: 'place', kind: 'text', labelAr: 'المكان', labelEn: 'Place', required: true }

journeys(() => {
  const { visitAs } = browser(portal)
  let count = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`

    /** A service and somebody who orders it. */
    let world: Awaited<ReturnType<typeof openWorld>>
    async function openWorld() {
      await portal.ready
      const n = ++count
      const [person, friend] = [
        await portal.person(`again${n}`),
        await portal.person(`friend${n}`, { displayNameAr: 'سارة', displayNameEn: 'Sara' }),
      ]
      const service = await newService({ nameAr: `ضيافة ${n}`, nameEn: `Hospitality ${n}` })
      const define = async (...fields: object[]) => {
        assert.equal((await portal.admin.put(`/services/${service.id}/form`, { fields })).status, 200)
      }
      const order = async (body: object) => {
        const { body: made, text } = await person.post('/orders', { serviceId: service.id, ...body })
        assert.ok(made.id, text)
        return made.id as number
      }
      const ordered = async () => (await person.get('/orders/my')).body as { id: number }[]
      const answersOf = async (id: number) => (await person.get(`/orders/${id}/details`)).body
      return { person, friend, service, define, order, ordered, answersOf }
    }
    beforeEach(async () => {
      world = await openWorld()
    })
    const chip = (page: Page) => page.locator('.services-again').getByRole('button', { name: t.againBefore })
    async function openServices() {
      const { page } = await visitAs(world.person.username, pair)
      await page.goto('/services')
      await chip(page).waitFor()
      return { page, dialog: page.getByRole('dialog') }
    }
    const isOpenFor = (page: Page, id: number) => page.waitForURL(({ searchParams }) => searchParams.get('again') === String(id))

    test(titled('an order whose option is gone opens the form with a mark, and is sent only as the person leaves it'), async () => {
      const { define, order, ordered, answersOf } = world
      await define(cups)
      const id = await order({ answers: { cups: { tea: 2, dark: 1 } } })
      await define({ ...cups, options: [tea] })
      const { page, dialog } = await openServices()
      await chip(page).click()
      await isOpenFor(page, id)
      await dialog.getByText(words[language].unfit).waitFor()
      assert.deepEqual([await findings(page), (await ordered()).length], [[], 1])
      await dialog.getByRole('button', { name: t.send }).click()
      await dialog.waitFor({ state: 'detached' })
      const [latest] = await ordered()
      assert.deepEqual((await answersOf(latest!.id)).answers, { cups: { tea: 2 } })
    })

    test(titled('an order of a service whose form is read late, or has changed meanwhile, keeps its answers'), async () => {
      const { define, order, ordered, answersOf } = world
      await define(cups)
      await order({ answers: { cups: { tea: 2 } } })
      const { page } = await visitAs(world.person.username, pair)
      const release = Promise.withResolvers<void>()
      await page.route('**/api/service-catalogue', async (route) => {
        await release.promise
        await route.continue()
      })
      await page.goto('/services')
      await chip(page).click()
      await page.locator('.services-again [aria-busy]').waitFor()
      assert.equal((await ordered()).length, 1)
      release.resolve()
      await until('the order is repeated', async () => (await ordered()).length === 2)
      const [second] = await ordered()
      assert.deepEqual((await answersOf(second!.id)).answers, { cups: { tea: 2 } })

      await page.route('**/api/orders', async (route) => {
        if (route.request().method() === 'POST') await define(cups, place)
        await route.continue()
      })
      await page.reload()
      await chip(page).click()
      await isOpenFor(page, second!.id)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: place[language === 'ar' ? 'labelAr' : 'labelEn'] }).waitFor()
      assert.equal(await dialog.getByRole('textbox', { name: tea[language] }).inputValue(), '2')
      assert.equal((await ordered()).length, 2)
    })

    test(titled('an order that was for somebody else opens the form with that person, also when that is no longer allowed'), async () => {
      const { friend, service, order, ordered } = world
      const handling = (onBehalf: string) => portal.admin.put(`/services/${service.id}/handling`, { onBehalf })
      assert.equal((await handling('everyone')).status, 200)
      const id = await order({ forUserId: friend.id, notes: 'Two' })
      const { page, dialog } = await openServices()
      await chip(page).click()
      await isOpenFor(page, id)
      const whom = dialog.locator('.services-whom')
      const name = language === 'ar' ? 'سارة' : 'Sara'
      await whom.getByText(name, { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await handling('nobody')
      const { page: later, dialog: form } = await openServices()
      await chip(later).click()
      await isOpenFor(later, id)
      await form.locator('.services-whom').getByText(name, { exact: true }).waitFor()
      await form.getByRole('button', { name: t.send }).click()
      await form.getByText(ofWhom[language].wrong.forbidden).waitFor()
      assert.deepEqual([await findings(later), (await ordered()).length], [[], 1])
    })

    test(titled('an answer that the portal refuses opens the form instead of ending in a message'), async () => {
      const { friend, define, order, ordered } = world
      await define({ key: 'host', kind: 'person', labelAr: 'المضيف', labelEn: 'Host' })
      const id = await order({ answers: { host: friend.id } })
      await portal.admin.patch(`/users/${friend.id}`, { isActive: false })
      const { page, dialog } = await openServices()
      await chip(page).click()
      await isOpenFor(page, id)
      await dialog.getByRole('button', { name: t.send }).waitFor()
      assert.deepEqual([await findings(page), (await ordered()).length], [[], 1])
    })

    test(titled('orders in progress say what waits for an approval, and include those that somebody else placed'), async () => {
      const { person, friend, service } = world
      const approver = await portal.person(`approver${count}`)
      const steps = [{ key: 'budget', nameAr: 'الميزانية', nameEn: 'Budget', userIds: [approver.id] }]
      const handling = await portal.admin.put(`/services/${service.id}/handling`, { onBehalf: 'everyone', steps })
      assert.equal(handling.status, 200, handling.text)
      const { body } = await friend.post('/orders', { serviceId: service.id, forUserId: person.id })
      assert.ok(body.id)
      const { page } = await visitAs(person.username, pair)
      await page.goto('/services')
      const running = page.locator('.services-running')
      await running.getByText(ofHeld[language].states.waiting).waitFor()
      assert.equal(await running.getByRole('link').count(), 1)
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+k')
      await page
        .getByRole('option')
        .filter({ hasText: ofHeld[language].states.waiting })
        .filter({ hasText: language === 'ar' ? service.nameAr : service.nameEn })
        .waitFor()
    })
  }
})
