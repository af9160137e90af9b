import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both } from './calendar-texts.ts'

const portal = portalWithPages()
const known = /http\S+|calendar-\w+-\w+|Apple|Thunderbird|Google|Outlook|Chrome|Chromium|Linux|Android/

journeys(() => {
  const { visitAs } = browser(portal)
  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    test(`a person makes an address, sees when a calendar has read it, renews it and ends it (${language}, ${size})`, async () => {
      const person = await portal.person(`calendar-${language}-${size}`)
      const { page } = await visitAs(person.username, pair)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
      const read = (address: string) => portal.stranger().send('GET', new URL(address).pathname.slice('/api'.length))
      const address = () => page.getByRole('dialog').getByLabel(t.address, { exact: true }).inputValue()

      await page.goto('/account/security#calendar')
      await page.getByText(t.isOff).waitFor()
      await page.locator('#calendar:focus').waitFor()
      await button(t.make).click()
      const first = await address()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.match((await page.getByRole('link', { name: t.open, exact: true }).getAttribute('href'))!, /^webcal:/)
      await inDialog(t.done).click()
      await page.getByText(t.neverRead).waitFor()
      await until('the focus is in the section', () => page.evaluate(() => !!document.activeElement?.closest('#calendar')))

      assert.equal((await read(first)).status, 200)
      await page.reload()
      await page.getByText(t.read('').trim(), { exact: false }).first().waitFor()
      await button(t.renew).click()
      await inDialog(t.renew).click()
      await until('another address is shown', async () => (await address()) !== first)
      const second = await address()
      assert.deepEqual([(await read(first)).status, (await read(second)).status], [404, 200])
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button').last().waitFor()
      await page.keyboard.press('Escape')
      await inDialog(t.done).click()

      await button(t.end).click()
      await inDialog(t.end).click()
      await page.getByText(t.isOff).waitFor()
      assert.equal((await read(second)).status, 404)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })
  }
})
