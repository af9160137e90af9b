/** From the first sign-in to the first order; no order is lost or sent twice. */

import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { PASSWORD, until } from '../../../test/client.ts'
import { slowTest } from '../../../test/suite.ts'
import { both as words } from '../../parts/forms/answers/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as ofOrders } from '../orders/texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const coffee = { nameAr: 'قهوة عربية', nameEn: 'Arabic coffee', descriptionAr: 'مع التمر', descriptionEn: 'With dates' }
let coffeeId = 0
let hallId = 0
const hall = { nameAr: 'قاعة', nameEn: 'Hall' }
const seats = { key: 'seats', kind: 'number', labelAr: 'عدد الكراسي', labelEn: 'Seats', required: true, max: 50 }

let prepared: Promise<void> | undefined
async function prepare() {
  const category = await portal.admin.post('/service-categories', { nameAr: 'الضيافة', nameEn: 'Hospitality' })
  coffeeId = (await portal.admin.post('/services', { ...coffee, categoryId: category.body.id })).body.id
  await portal.admin.post('/services', { nameAr: 'طباعة', nameEn: 'Printing' })
  await portal.admin.post('/services', { nameAr: 'جهاز عرض', nameEn: 'Projector', isAvailable: false })
  hallId = (await portal.admin.post('/services', hall)).body.id
  await portal.admin.put(`/services/${hallId}/form`, { fields: [seats] })
}

journeys(() => {
  const { visit, visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const name = language === 'ar' ? coffee.nameAr : coffee.nameEn
    const titled = (title: string) => `${title} (${language}, ${size})`
    const someone = async (role: string) => portal.person(`${role}-${language}-${size}`)

    test(titled('the first sign-in leads to the first order, by keyboard alone'), async () => {
      const person = await someone('newcomer')
      const { page } = await visit(pair)
      // Simulates a slow device: callbacks of the next frame must not undo what happened before it.
      await page.addInitScript(() => {
        const draw = requestAnimationFrame
        window.requestAnimationFrame = (then) => Number(setTimeout(() => draw(then), 400))
      })
      const services = page.waitForResponse('**/api/services')
      await page.route('**/api/service-categories', async (route) => {
        await services
        await page.evaluate(() => new Promise(requestAnimationFrame))
        await route.continue()
      })
      await page.goto('/services')
      await page.locator('input[name=username]').fill(person.username)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/services')
      await person.patch('/auth/me/language', { language })
      await page
        .locator('.services-card')
        .getByRole('button', { name: t.orderOf(name) })
        .focus()
      await page.evaluate(() => new Promise(requestAnimationFrame))
      await page.evaluate(() => {
        const note = () => Object.assign(window, { focused: document.activeElement?.tagName })
        new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ['open'] })
      })
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('textbox').waitFor()
      // With the focus a frame late, text typed at once would press the close button.
      assert.equal(await page.evaluate(() => 'focused' in window && window.focused), 'TEXTAREA')
      await page.keyboard.type('قاعة ٣, three cups')
      await page.keyboard.press('Control+Enter')
      await page.locator('.services-running').getByText(name).waitFor()
      await page.getByText(t.sent(name)).waitFor()
      assert.deepEqual(await findings(page), [])
      const { body } = await person.get('/orders/my')
      assert.deepEqual([body.length, body[0].notes, body[0].status], [1, 'قاعة ٣, three cups', 'pending'])
      assert.ok(!page.url().includes('order='))
    })

    test(titled('a form focuses the first wrong answer and takes Arabic digits, and its order is repeated in one press'), async () => {
      const person = await someone('host')
      const { page } = await visitAs(person.username, pair)
      await page.goto(`/services?order=${hallId}`)
      const field = page.getByRole('dialog').getByRole('textbox', { name: seats[language === 'ar' ? 'labelAr' : 'labelEn'] })
      await field.waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByText(words[language].again(1)).waitFor()
      assert.equal(await field.evaluate((it) => it === document.activeElement), true)
      assert.deepEqual(await findings(page), [])
      await field.fill('١٢')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('.services-again').getByRole('button', { name: t.againBefore }).click()
      await until('there are two orders', async () => (await person.get('/orders/my')).body.length === 2)
      const answers = (await person.get('/orders/my')).body.map(
        async ({ id }: { id: number }) => (await person.get(`/orders/${id}/details`)).body.answers,
      )
      assert.deepEqual(await Promise.all(answers), [{ seats: 12 }, { seats: 12 }])
    })

    slowTest(titled('a double press orders once, in the dialog and on a recent order'), async () => {
      const person = await someone('hasty')
      await person.post('/orders', { serviceId: coffeeId, notes: 'Two' })
      const { page } = await visitAs(person.username, pair)
      const now = Date.now()
      await page.clock.setFixedTime(now)
      await page.goto('/services')
      const again = page.locator('.services-again').getByRole('button', { name: t.againBefore }).filter({ hasText: 'Two' })
      await again.dblclick()
      await page.getByText(t.sent(name)).waitFor()
      const press = async () => {
        await page.locator('.services-again [aria-busy]').waitFor({ state: 'detached' })
        const answered = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/orders'))
        await again.click()
        return ((await (await answered).json()) as { id: number }).id
      }
      const same = await press()
      await page.clock.setFixedTime(now + 3000)
      assert.notEqual(await press(), same)
      await page.goto(`/services?order=${coffeeId}`)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('Three')
      await dialog.getByRole('button', { name: t.send }).dblclick()
      await dialog.waitFor({ state: 'detached' })
      const { body } = await person.get('/orders/my')
      assert.deepEqual(
        body.map(({ notes }: { notes: string }) => notes),
        ['Three', 'Two', 'Two', 'Two'],
      )
    })

    test(titled('typed notes survive a reload, and offline nothing is lost or sent twice'), async () => {
      const person = await someone('careful')
      const { page, context } = await visitAs(person.username, pair)
      await page.goto(`/services?order=${coffeeId}`)
      const notes = page.getByRole('dialog').getByRole('textbox')
      await notes.fill('Without sugar')
      const kept = () =>
        page.evaluate(
          () =>
            new Promise((resolve) => {
              const request = indexedDB.open('bawaba', 1)
              request.onsuccess = () => {
                const all = request.result.transaction('kept').objectStore('kept').getAll()
                all.onsuccess = () => resolve(all.result.some((one) => one.notes === 'Without sugar'))
              }
            }),
        )
      await until('the draft is kept', kept)
      await page.reload()
      await notes.waitFor()
      await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Without sugar')
      await context.setOffline(true)
      await page.getByRole('button', { name: t.send }).click()
      await page.getByRole('alert').filter({ hasText: t.unreached }).waitFor()
      assert.deepEqual(await findings(page), [])
      await context.setOffline(false)
      await page.getByRole('button', { name: t.send }).click()
      await page.getByText(t.sent(name)).waitFor()
      assert.equal((await person.get('/orders/my')).body.length, 1)
    })

    slowTest(titled('notes that change after the answer was lost are not ordered twice: what arrived is shown'), async () => {
      const person = await someone('unlucky')
      const { page } = await visitAs(person.username, pair)
      await page.goto(`/services?order=${coffeeId}`)
      const notes = page.getByRole('dialog').getByRole('textbox')
      await notes.fill('Three cups')
      await page.route('**/api/orders', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        await route.abort()
      })
      await page.getByRole('button', { name: t.send }).click()
      await page.getByRole('alert').filter({ hasText: t.unreached }).waitFor()
      await page.unroute('**/api/orders')
      // Simulates a database whose clock is behind that of the portal.
      const arrived = (await person.get('/orders/my')).body[0].id as number
      await portal.meddle('order', arrived, `update orders set created_at = created_at - interval '5 seconds' where id = ${arrived}`)
      await notes.fill('Three cups!')
      const busy = { status: 429, json: { code: 'rate_limited', messageAr: 'busy', messageEn: 'busy' } }
      await page.route('**/api/orders', (route) => (route.request().method() === 'POST' ? route.fulfill(busy) : route.continue()))
      await page.getByRole('button', { name: t.send }).click()
      await page.getByRole('alert').filter({ hasText: 'busy' }).waitFor()
      await page.unroute('**/api/orders')
      await page.getByRole('button', { name: t.send }).click()
      const [{ id }, ...others] = (await person.get('/orders/my')).body
      await page.waitForURL(`**/orders/${id}`)
      await page.getByText(t.sentBefore(name)).waitFor()
      assert.deepEqual([others, (await person.get(`/orders/${id}`)).body.notes], [[], 'Three cups'])
    })

    slowTest(titled('a recent order that is pressed again because its answer was lost is placed once'), async () => {
      const person = await someone('patient')
      await person.post('/orders', { serviceId: coffeeId, notes: 'Four' })
      const { page } = await visitAs(person.username, pair)
      const now = Date.now()
      await page.clock.setFixedTime(now)
      await page.goto('/services')
      await page.route('**/api/orders', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        await route.abort()
      })
      const again = page.locator('.services-again').getByRole('button', { name: t.againBefore })
      await again.click()
      await page.getByText(t.unreached).waitFor()
      await page.unroute('**/api/orders')
      await page.clock.setFixedTime(now + 10_000)
      await again.click()
      await page.getByText(t.sent(name)).waitFor()
      assert.equal((await person.get('/orders/my')).body.length, 2)
    })

    slowTest(titled('an order without a form is ordered again with its notes'), async () => {
      const person = await someone('regular')
      const { id } = (await person.post('/orders', { serviceId: coffeeId, notes: 'Without sugar' })).body
      const { page } = await visitAs(person.username, pair)
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: ofOrders[language].again }).click()
      const dialog = page.getByRole('dialog')
      await page.waitForFunction(
        () => document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value === 'Without sugar',
      )
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+Enter')
      await dialog.waitFor({ state: 'detached' })
      const { body } = await person.get('/orders/my')
      assert.deepEqual(
        body.map(({ notes }: { notes: string }) => notes),
        ['Without sugar', 'Without sugar'],
      )
    })

    slowTest(titled('the search hides services that do not match, and unavailable services cannot be ordered'), async () => {
      const person = await someone('seeker')
      const { page } = await visitAs(person.username, pair)
      await page.goto('/services')
      const cards = page.locator('.services-card')
      await cards.getByText(t.unavailable).waitFor()
      assert.equal(await cards.getByRole('button').count(), 3)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('searchbox').fill('قَهوه')
      await page.waitForFunction(() => document.querySelectorAll('.services-card').length === 1)
      await cards.getByText(name).waitFor()
      await page.reload()
      await cards.getByText(name).waitFor()
      assert.equal(await cards.count(), 1)
      await page.getByRole('searchbox').fill('zzz')
      await page.getByText(t.none('zzz')).waitFor()
      await page.getByRole('button', { name: t.showAll }).click()
      await page.waitForFunction(() => document.querySelectorAll('.services-card').length === 4)
    })

    slowTest(titled('“order coffee” in the palette opens the order, and going back closes it'), async () => {
      const person = await someone('commander')
      const { page } = await visitAs(person.username, pair)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(language === 'ar' ? 'اطلب قهوه' : 'order coffee')
      await page.getByRole('option', { name: t.orderOf(name) }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/services?order=${coffeeId}`)
      await page.getByRole('dialog').getByRole('textbox').waitFor()
      await page.goBack()
      await page.waitForURL((url) => url.pathname === '/')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
  }
})
