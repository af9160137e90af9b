/** Keyboard only: Tab reaches the controls of common acts, which can be done and undone. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { PASSWORD, until } from '../../test/client.ts'
import { both as ofAccount } from '../people/account/texts.ts'
import { both as ofOpen } from '../people/notes/open-texts.ts'
import { both as ofLists } from '../people/notes/texts.ts'
import { both as ofOrders } from '../people/orders/texts.ts'
import { both as ofSecurity } from '../people/security/texts.ts'
import { browser, journeys, pairs, portalWithPages } from '../testing/browser.ts'
import { both } from './texts.ts'

const ofNotes = { ar: { ...ofLists.ar, ...ofOpen.ar }, en: { ...ofLists.en, ...ofOpen.en } }
const portal = portalWithPages()

/** More Tab stops than any page has. */
const MOST_STEPS = 80
/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, wanted: Locator) {
  await wanted.first().waitFor()
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (await wanted.evaluateAll((found) => found.some((one) => one === document.activeElement))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${MOST_STEPS} times Tab do not lead to ${wanted}`)
}
async function pressOn(page: Page, wanted: Locator) {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}

/** Runs a command of the palette. */
async function command(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await page.waitForFunction(() => document.activeElement?.matches('.palette input'))
  await page.keyboard.type(text)
  await page.getByRole('option', { name: text }).waitFor()
  await page.keyboard.press('Enter')
}

journeys(() => {
  const { visit, visitAs } = browser(portal)

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    const someone = (role: string) => portal.person(`${role}-${language}-${size}`)
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

    test(titled('an order is cancelled and restored by keyboard alone, even after a reload'), async () => {
      const t = ofOrders[language]
      const person = await someone('fickle')
      const { body: service } = await portal.admin.post('/services', { nameAr: 'شاي', nameEn: 'Tea' })
      const { id } = (await person.post('/orders', { serviceId: service.id })).body
      const isNow = (status: string) =>
        until(`the order is ${status}`, async () => (await person.get(`/orders/${id}`)).body.status === status)
      const { page } = await visitAs(person.username, pair)
      const card = page.locator('.orders-card')
      await page.goto('/orders')
      await pressOn(page, card.getByRole('button', { name: t.cancel }))
      await isNow('cancelled')
      await pressOn(page, card.getByRole('button', { name: t.undo }))
      await isNow('pending')
      await pressOn(page, card.getByRole('button', { name: t.cancel }))
      await isNow('cancelled')
      // Extends the time for restoring, because a busy machine may load the page slowly.
      await portal.meddle('order', id, `update orders set cancelled_at = cancelled_at + interval '5 minutes' where id = ${id}`)
      await page.reload()
      await pressOn(page, card.getByRole('button', { name: t.undo }))
      await isNow('pending')
    })

    test(titled('a note is sent, read and answered by keyboard alone'), async () => {
      const t = ofNotes[language]
      const [owner, reader] = [await someone('owner'), await someone('reader')]
      const { id } = (await owner.post('/notes', { title: 'Visit', content: 'On Sunday at nine' })).body
      const { page } = await visitAs(owner.username, pair)
      const { page: theirs } = await visitAs(reader.username, pair)
      await page.goto(`/notes/${id}`)
      await pressOn(page, button(page, t.send))
      await tabTo(page, page.getByRole('combobox', { name: t.findPeople }))
      await page.keyboard.type(reader.username)
      await page.getByRole('option', { name: reader.username, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await pressOn(page, page.locator('.dialog-end button'))
      await theirs.goto('/notes/received')
      await pressOn(theirs, theirs.getByRole('link', { name: 'Visit' }))
      await tabTo(theirs, theirs.getByRole('textbox', { name: t.replyTo(owner.username) }))
      await theirs.keyboard.type('I will meet them')
      await theirs.keyboard.press('Control+Enter')
      await page.getByText('I will meet them').waitFor()
    })

    test(titled('by keyboard alone, a person changes the language while filling in a form, and ends a different session'), async () => {
      const person = await someone('traveller')
      const { page } = await visitAs(person.username, pair)
      await page.goto('/account')
      const field = page.getByRole('textbox', { name: ofAccount[language].nameEn })
      await tabTo(page, field)
      await page.keyboard.type('half a na')
      await command(page, both[language].switchLanguage)
      await page.waitForFunction((former) => document.documentElement.lang !== former, language)
      const otherLanguage = language === 'ar' ? 'en' : 'ar'
      assert.match(await page.getByRole('textbox', { name: ofAccount[otherLanguage].nameEn }).inputValue(), /half a na$/)
      await command(page, both[otherLanguage].switchLanguage)
      await page.waitForFunction((now) => document.documentElement.lang === now, language)

      const elsewhere = (await visit(pair)).page
      await elsewhere.goto('/sign-in')
      await tabTo(elsewhere, elsewhere.locator('input[name=username]'))
      await elsewhere.keyboard.type(person.username)
      await tabTo(elsewhere, elsewhere.locator('input[name=password]'))
      await elsewhere.keyboard.type(PASSWORD)
      await elsewhere.keyboard.press('Enter')
      await elsewhere.waitForURL((url) => url.pathname === '/')
      await page.goto('/account/security')
      await pressOn(page, button(page, ofSecurity[language].endOthers))
      await elsewhere.waitForURL('**/sign-in**')
    })
  }
})
