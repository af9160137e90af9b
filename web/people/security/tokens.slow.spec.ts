import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { withToken } from '../../../test/tokens.ts'
import { both as ofOnce } from '../../parts/overlay/once-texts.ts'
import { both as ofTokens } from '../../parts/show/tokens/texts.ts'
import { isolated } from '../../platform/language.ts'
import { browser, findings, foreignTexts, holdCalls, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both } from './tokens-texts.ts'

const portal = portalWithPages()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const known = /[@\w.-]*\d+[\w-]*|Report|bwp_\w+|Authorization: Bearer|Chrome|Chromium|Linux|Android/
/** Waits for a toast that screen readers announce. */
const announced = (page: Page, text: string) => page.locator('[aria-live] .toast', { hasText: text }).waitFor()

journeys(() => {
  const { visitAs } = browser(portal)
  for (const pair of pairs) {
    const { language, size } = pair
    const [t, k] = [both[language], ofTokens[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const hasFocus = (page: Page, name: string) =>
      page.waitForFunction(
        (name) => (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent) === name,
        name,
      )

    test(titled('a person makes a token with scopes that they may give, sees it once, and ends it'), async () => {
      const person = await portal.person(`maker1-${language}-${size}`, { roles: ['order_receiver'] })
      const { page } = await visitAs(person.username, pair)
      await page.goto('/account/security#tokens')
      await page.getByText(t.none).waitFor()
      await page.locator('#tokens:focus').waitFor()
      await button(page, t.add).click()
      await page.getByLabel(k.name, { exact: true }).fill('Report 1')
      await page.getByLabel(k.scopes['orders:receive']).check()
      assert.equal(await page.getByLabel(k.scopes['people:read']).count(), 0)
      assert.equal(await page.getByLabel(k.scopes['meetings:read']).count(), 0)
      await page.getByLabel(k.scopes['profile:read']).check()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, k.make).click()
      const token = await page.getByLabel(k.token, { exact: true }).inputValue()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.keyboard.press('Control+k')
      await page.getByText(ofOnce[language].unsaved).waitFor()
      await button(page, ofOnce[language].stay).click()
      await button(page, k.done).click()
      await page.getByText('Report 1').waitFor()
      assert.equal((await withToken(portal, token).get('/auth/me')).status, 200)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, k.revokeNamed('Report 1')).click()
      await page.getByRole('dialog').getByRole('button', { name: k.revoke, exact: true }).click()
      await page.getByText(t.none).waitFor()
      assert.equal((await withToken(portal, token).get('/auth/me')).status, 401)
    })

    test(titled('a token shows even if its dialog was closed before it arrived'), async () => {
      const { username } = await portal.person(`hasty-${language}-${size}`)
      const { page } = await visitAs(username, pair)
      await page.goto('/account/security#tokens')
      await button(page, t.add).click()
      await page.getByLabel(k.name, { exact: true }).fill('Report 4')
      await page.getByLabel(k.scopes['profile:read']).check()
      const { began, release } = await holdCalls(page, '**/api/auth/me/tokens')
      await button(page, k.make).click()
      await began
      await button(page, k.cancel).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      release()
      assert.match(await page.getByLabel(k.token, { exact: true }).inputValue(), /^bwp_/)
      await button(page, k.done).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })

    test(titled('by keyboard alone a token is made, copied, used and ended, and the focus is never lost'), async () => {
      const person = await portal.person(`typist-${language}-${size}`)
      const { username } = person
      const { page, context } = await visitAs(username, pair)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/account/security#tokens')
      await button(page, t.add).focus()
      await page.keyboard.press('Enter')
      const isNaming = () => page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
      await isNaming()
      await page.keyboard.press('Enter')
      await page.getByText(k.chooseOne).waitFor()
      await isNaming()
      await page.keyboard.type('Report 2')
      await page.getByLabel(k.scopes['profile:read']).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      const field = page.getByLabel(k.token, { exact: true })
      const token = await field.inputValue()
      await button(page, k.copy).focus()
      await page.keyboard.press('Enter')
      await announced(page, k.copied)
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token)
      await button(page, k.done).focus()
      await page.keyboard.press('Enter')
      await hasFocus(page, t.add)
      const row = page.locator('.token-list li')
      await row.getByText(k.neverUsed).waitFor()
      assert.doesNotMatch(await page.content(), new RegExp(token))

      const send = () => fetch(`${portal.base}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(((await (await send()).json()) as { username: string }).username, username)
      await until('its use is noted', async () => (await person.get('/auth/me/tokens')).body[0].lastUsedAt)
      await page.reload()
      await row.getByText(k.from(isolated('127.0.0.1'))).waitFor()
      assert.doesNotMatch(await page.content(), new RegExp(token))

      await button(page, k.revokeNamed('Report 2')).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await hasFocus(page, k.revokeNamed('Report 2'))
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: k.revoke, exact: true }).focus()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Enter')
      await announced(page, k.revoked(isolated('Report 2')))
      await page.getByText(t.none).waitFor()
      await page.waitForFunction(() => document.activeElement?.id === 'tokens')
      assert.equal((await send()).status, 401)
      assert.deepEqual(await findings(page), [])
    })

    test(titled('a token lasts at most as long as administrators allow, and none can be made while they allow no tokens'), async () => {
      const { username } = await portal.person(`limited-${language}-${size}`)
      const allow = (fields: object) => portal.admin.patch('/admin/sign-in/settings', fields)
      await allow({ tokenMaxDays: 5 })
      const { page } = await visitAs(username, pair)
      await page.goto('/account/security#tokens')
      await button(page, t.add).click()
      const life = page.getByLabel(k.lasts, { exact: true })
      await page.getByLabel(k.name, { exact: true }).fill('Report 3')
      assert.deepEqual(await life.locator('option').allTextContents(), [k.days(5)])
      await page.getByLabel(k.scopes['profile:read']).check()
      await button(page, k.make).click()
      await button(page, k.done).click()
      await allow({ personalTokens: false })
      await page.getByText(t.off).waitFor()
      assert.equal(await button(page, t.add).count(), 0)
      assert.deepEqual(await findings(page), [])
      await allow({ personalTokens: true, tokenMaxDays: 365 })
      await button(page, t.add).waitFor()
    })
  }
})
