/** Ordering with a form: forms that change while they are filled in, drafts, and lost replies. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { both as words } from '../../parts/forms/answers/texts.ts'
import { both as ofFiles } from '../../parts/forms/files/texts.ts'
import { browser, findings, journeys, portalWithPages } from '../../testing/browser.ts'
import { both as ofForm } from './form-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const option = (key: string, ar: string, en: string) => ({ key, ar, en })
const [tea, coffee, water] = [option('tea', 'شاي', 'Tea'), option('coffee', 'قهوة', 'Coffee'), option('water', 'ماء', 'Water')]
const drink = { key: 'drink', kind: 'choice', labelAr: 'المشروب', labelEn: 'Drink', required: true, options: [tea, coffee] }
const cups = { key: 'cups', kind: 'items', labelAr: 'الأكواب', labelEn: 'Cups', options: [tea, coffee], mostTotal: 10 }
const place = { key: 'place', kind: 'text', labelAr: 'المكان', labelEn: 'Place', required: true }
const plan = { key: 'plan', kind: 'files', labelAr: 'المخطط', labelEn: 'Plan' }
const noor = { displayNameAr: 'نور', displayNameEn: 'Noor' }

let serviceId = 0
let number = 0

/** Loses the answers to orders, or the orders themselves. */
const lose = (page: Page, what: 'answers' | 'orders') =>
  page.route('**/api/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (what === 'answers') await route.fetch()
    await route.abort()
  })

journeys(() => {
  const { visitAs } = browser(portal)
  const define = async (...fields: object[]) => {
    assert.equal((await portal.admin.put(`/services/${serviceId}/form`, { fields })).status, 200)
  }
  beforeEach(async () => {
    serviceId = (await portal.admin.post('/services', { nameAr: `ضيافة ${++number}`, nameEn: `Hospitality ${number}` })).body.id
    await define(drink, cups)
  })
  afterEach(() => portal.admin.delete(`/services/${serviceId}?force=true`))

  for (const language of ['ar', 'en'] as const) {
    const t = both[language]
    const w = words[language]
    const said = (one: { ar: string; en: string }) => one[language]
    const label = (field: { labelAr: string; labelEn: string }) => (language === 'ar' ? field.labelAr : field.labelEn)
    const titled = (title: string) => `${title} (${language}, phone)`
    async function opened() {
      const person = await portal.person(`orderer-${language}-${number}`, noor)
      const { page, context } = await visitAs(person.username, { language, size: 'phone' })
      await page.goto(`/services?order=${serviceId}`)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radiogroup', { name: label(drink) }).waitFor()
      const send = () => dialog.getByRole('button', { name: t.send }).click()
      const ordered = async () => {
        const { body } = await person.get('/orders/my')
        const details = body.map(async ({ id }: { id: number }) => (await person.get(`/orders/${id}/details`)).body.answers)
        return Promise.all(details)
      }
      return { person, page, context, dialog, send, ordered }
    }

    test(titled('a form that changed meanwhile takes over the answers, and marks those that no longer fit'), async () => {
      const { page, dialog, send, ordered } = await opened()
      await dialog.getByText(said(tea), { exact: true }).first().click()
      await dialog.getByRole('textbox', { name: said(coffee) }).fill('3')
      await define({ ...drink, options: [coffee, water] }, cups, place)
      await send()
      await dialog.getByText(ofForm[language].changed).waitFor()
      await dialog.getByText(w.unfit).waitFor()
      await dialog.getByText(w.new).waitFor()
      assert.ok((await dialog.locator('.answers-mark').first().textContent())!.includes(said(tea)))
      assert.equal(await dialog.getByRole('textbox', { name: said(coffee) }).inputValue(), '3')
      assert.deepEqual(await findings(page), [])
      await send()
      await dialog.getByText(w.again(2)).waitFor()
      await dialog.getByText(said(water), { exact: true }).click()
      await dialog.getByRole('textbox', { name: label(place) }).fill('Hall')
      await send()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await ordered(), [{ drink: 'water', cups: { coffee: 3 }, place: 'Hall' }])
    })

    test(titled('answers survive a reload, and the dialog says that the form has changed since'), async () => {
      const { page, dialog, send, ordered } = await opened()
      await dialog.getByText(said(tea), { exact: true }).first().click()
      await until('the draft is kept', () =>
        page.evaluate(
          () =>
            new Promise((resolve) => {
              const request = indexedDB.open('bawaba', 1)
              request.onsuccess = () => {
                const all = request.result.transaction('kept').objectStore('kept').getAll()
                all.onsuccess = () => resolve(all.result.some((one) => one.given?.drink === 'tea'))
              }
            }),
        ),
      )
      await define(drink, cups, place)
      await page.reload()
      await dialog.getByText(ofForm[language].changed).waitFor()
      await dialog.getByRole('textbox', { name: label(place) }).fill('Hall')
      await send()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await ordered(), [{ drink: 'tea', place: 'Hall' }])
    })

    test(titled('an order whose reply was lost is sent again unchanged, and placed only once'), async () => {
      const { page, dialog, send, ordered } = await opened()
      await dialog.getByText(said(coffee), { exact: true }).first().click()
      let lost = 0
      await page.route('**/api/orders', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        lost++
        await route.abort()
      })
      await send()
      await dialog.getByRole('alert').filter({ hasText: t.unreached }).waitFor()
      assert.equal(lost, 2)
      await page.unroute('**/api/orders')
      await define(drink, cups, place)
      await page.reload()
      await dialog.getByRole('button', { name: t.send }).waitFor()
      await send()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await ordered(), [{ drink: 'coffee' }])
    })

    test(titled('an order that is changed after its answer was lost is not placed twice: the one that arrived is shown'), async () => {
      const { page, dialog, send, ordered } = await opened()
      await dialog.getByText(said(coffee), { exact: true }).first().click()
      await lose(page, 'answers')
      await send()
      await dialog.getByRole('alert').filter({ hasText: t.unreached }).waitFor()
      await page.unroute('**/api/orders')
      await dialog.getByText(said(tea), { exact: true }).first().click()
      await send()
      await page.waitForURL(/\/orders\/\d+$/)
      await page.getByText(t.sentBefore(`${language === 'ar' ? 'ضيافة' : 'Hospitality'} ${number}`)).waitFor()
      assert.deepEqual(await ordered(), [{ drink: 'coffee' }])
    })

    test(titled('an order that never arrived is placed as it was changed since, although an earlier one was like it'), async () => {
      const { person, page, dialog, send, ordered } = await opened()
      const { body: earlier } = await person.post('/orders', { serviceId, answers: { drink: 'coffee' } })
      await portal.meddle('order', earlier.id, `update orders set created_at = now() - interval '1 minute' where id = ${earlier.id}`)
      await dialog.getByText(said(coffee), { exact: true }).first().click()
      await lose(page, 'orders')
      await send()
      await dialog.getByRole('alert').filter({ hasText: t.unreached }).waitFor()
      await page.unroute('**/api/orders')
      await dialog.getByText(said(tea), { exact: true }).first().click()
      await send()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await ordered(), [{ drink: 'tea' }, { drink: 'coffee' }])
    })

    test(titled('an order that was lost and would be refused now is sent as it was changed since'), async () => {
      const { page, dialog, send, ordered } = await opened()
      await dialog.getByText(said(coffee), { exact: true }).first().click()
      await lose(page, 'orders')
      await send()
      await dialog.getByRole('alert').filter({ hasText: t.unreached }).waitFor()
      await page.unroute('**/api/orders')
      await define(drink, cups, place)
      await dialog.getByText(said(tea), { exact: true }).first().click()
      await send()
      await dialog.getByText(ofForm[language].changed).waitFor()
      await dialog.getByRole('textbox', { name: label(place) }).fill('Hall')
      await send()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await ordered(), [{ drink: 'tea', place: 'Hall' }])
    })

    test(titled('an order waits for a file that is still being uploaded, and says so at its field'), async () => {
      const files = ofFiles[language]
      await define(drink, plan)
      const { page, dialog, send, ordered } = await opened()
      await dialog.getByText(said(coffee), { exact: true }).first().click()
      const release = Promise.withResolvers<void>()
      await page.route('**/api/storage/uploads/**', async (route) => {
        await release.promise
        await route.continue()
      })
      await dialog.locator('input[type=file]').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('here') })
      await dialog.getByRole('button', { name: files.stop('\u2068plan.txt\u2069') }).waitFor()
      await send()
      await dialog.getByText(files.uploading).waitFor()
      await page.waitForFunction(() => document.activeElement?.matches('[data-field=plan] [role=group]'))
      assert.deepEqual([await findings(page), await ordered()], [[], []])
      release.resolve()
      await dialog.getByRole('button', { name: files.remove('\u2068plan.txt\u2069') }).waitFor()
      assert.equal(await dialog.getByText(files.uploading).count(), 0)
      await send()
      await dialog.waitFor({ state: 'detached' })
      const [answers] = await ordered()
      assert.equal(answers.plan.length, 1)
    })

    test(titled('an option that is sold out is shown and cannot be chosen'), async () => {
      const offOptions = ['drink.tea', 'cups.tea']
      const { status } = await portal.admin.put(`/services/${serviceId}/notice`, {
        ...{ noticeAr: null, noticeEn: null, paused: false, until: null, offOptions },
      })
      assert.equal(status, 200)
      const { page, dialog, send } = await opened()
      await dialog.getByText(w.soldOut).first().waitFor()
      assert.equal(await dialog.getByRole('radio', { name: said(tea) }).isDisabled(), true)
      assert.equal(await dialog.getByRole('textbox', { name: said(tea) }).isDisabled(), true)
      await send()
      await dialog.getByText(w.again(1)).waitFor()
      assert.deepEqual(await findings(page), [])
    })
  }
})
