/** Webhooks, as administrators set them up and look after them. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fileReceiver, WEBHOOK_ENV } from '../../../test/receiver.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as ofSaving } from '../../parts/forms/saving-texts.ts'
import { both as once } from '../../parts/overlay/once-texts.ts'
import { browser, findings, foreignTexts, holdCalls, journeys, pairs, portalWithPages, pressBack, tooWide } from '../../testing/browser.ts'
import { both } from './webhooks/texts.ts'

const portal = portalWithPages(WEBHOOK_ENV)
const known = /127\.0\.0\.1\S*|https|http|WEBHOOK_INTERNAL_HOSTS|whsec_\S+|msg_\S+|Warehouse\S*|\d+|"[^"]*"|[{}:,]|keeper\S*|null|true/

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, f] = [both[language], forms[language]]
    const isFine = async (page: Page) => {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
      // `tooWide` leaves the window narrow.
      await page.setViewportSize(size === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 })
    }

    test(`a webhook is added, tested, reported as failing, paused and resumed, and gets a new secret (${language}, ${size})`, async () => {
      const receiver = await fileReceiver()
      const { username } = await portal.person(`keeper-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const { page } = await visitAs(username, pair)
      await page.goto('/admin/webhooks')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await button(page, t.create).first().click()
      await button(page, t.make).click()
      await page.getByText(t.chooseOne).waitFor()
      await page.getByLabel(t.name, { exact: true }).fill('Warehouse')
      await page.getByLabel(t.url, { exact: true }).fill('http://stock.example.org/')
      await page.getByLabel(t.areas.order, { exact: true }).check()
      await page.locator('details').first().locator('summary').click()
      await page.getByLabel(t.types['user.created'], { exact: true }).check()
      await button(page, t.make).click()
      await page.locator('.field .error:not(:empty)').first().waitFor()
      await isFine(page)
      await page.getByLabel(t.url, { exact: true }).fill(`${receiver.url}/hook`)
      await button(page, t.make).click()
      await page.getByText(t.secretOnce).waitFor()
      assert.match(await page.getByLabel(t.secret, { exact: true }).inputValue(), /^whsec_/)
      await isFine(page)
      await button(page, t.done).click()
      await page.getByText(t.noMessages).waitFor()

      await button(page, t.test).click()
      const delivered = page.locator('.webhooks-message', { hasText: t.deliveryStates.delivered })
      await delivered.waitFor()
      await isFine(page)
      await delivered.click()
      await page.getByText('"webhook.test"').waitFor()
      await isFine(page)
      await button(page, t.sendAgain).click()
      await page.getByText(t.replayed(1)).waitFor()
      const types = page.getByLabel(t.type, { exact: true })
      await types.selectOption(t.types['role.created'])
      await page.getByText(t.noneSuch).waitFor()
      await isFine(page)
      await types.selectOption(t.types['webhook.test'])
      await page.waitForURL(/type=webhook\.test$/)
      await delivered.waitFor()
      await types.selectOption(t.allTypes)

      receiver.answers = (_got, reply) => reply.writeHead(429, { 'retry-after': '60' }).end()
      await button(page, t.test).click()
      await page.getByText(t.rests('…').split('…')[0]!.trim()).waitFor()
      await isFine(page)
      await portal.sql('update webhooks set rests_until = now()')

      receiver.answers = (_got, reply) => reply.writeHead(500).end()
      await button(page, t.test).click()
      await page.getByText(t.answered(500)).waitFor()
      await isFine(page)
      receiver.answers = (_got, reply) => reply.writeHead(204).end()

      await page.getByLabel(t.name, { exact: true }).fill('Warehouse 2')
      await button(page, f.save).click()
      await page.getByText(t.saved).waitFor()

      await button(page, t.pause).click()
      await page.getByRole('dialog').getByRole('button', { name: t.pause, exact: true }).click()
      await page.getByText(t.pausedTitle).waitFor()
      await isFine(page)
      await button(page, t.resumeMissed).click()
      await page.getByText(t.resumed).waitFor()

      await button(page, t.rotate).click()
      await button(page, t.rotateNow).click()
      await page.getByText(t.secretOnce).waitFor()
      await button(page, t.done).click()
      await page.goto('/admin/webhooks')
      await page.getByRole('link', { name: 'Warehouse 2' }).waitFor()
      await isFine(page)
      await page.getByRole('link', { name: 'Warehouse 2' }).click()
      await button(page, t.remove).click()
      await page.getByRole('dialog').getByRole('button', { name: t.remove, exact: true }).click()
      await page.waitForURL(/webhooks$/)
      await page.getByText(t.empty).waitFor()
    })

    test(`a secret shows even if its form was closed before it arrived, and Back asks before it is lost (${language}, ${size})`, async () => {
      const receiver = await fileReceiver()
      const { username } = await portal.person(`keeper-${admins++}`, { roles: ['admin'] })
      const { page } = await visitAs(username, pair)
      await page.goto('/admin/webhooks')
      await button(page, t.create).first().click()
      await page.getByLabel(t.name, { exact: true }).fill('Warehouse')
      await page.getByLabel(t.url, { exact: true }).fill('example.org/hook')
      await page.getByLabel(t.areas.order, { exact: true }).check()
      await button(page, t.make).click()
      await page.getByText(ofSaving[language].url).waitFor()
      await page.getByLabel(t.url, { exact: true }).fill(`${receiver.url}/hook`)
      const { began, release } = await holdCalls(page, '**/api/webhooks')
      await button(page, t.make).click()
      await began
      await page.getByRole('dialog').getByRole('button', { name: t.cancel, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      release()
      const secret = page.getByLabel(t.secret, { exact: true })
      assert.match(await secret.inputValue(), /^whsec_/)
      await page.evaluate(() => history.pushState(history.state, '', location.href))
      await pressBack(page)
      await page.getByText(once[language].unsaved).waitFor()
      assert.match(await secret.inputValue(), /^whsec_/)
      await button(page, once[language].stay).click()
      await button(page, t.done).click()
      await page.getByText(t.noMessages).waitFor()
      await button(page, t.remove).click()
      await page.getByRole('dialog').getByRole('button', { name: t.remove, exact: true }).click()
      await page.waitForURL(/webhooks$/)
    })
  }
})
