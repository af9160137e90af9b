/** A person makes an API token on their security page, uses it and ends it. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withToken } from '../../test/tokens.ts'
import { both as ofTokens } from '../parts/tokens/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../testing/browser.ts'
import { both } from './tokens-texts.ts'

const portal = portalWithPages()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const known = /[@\w.-]*\d+[\w-]*|Report|bwp_\w+|Authorization: Bearer|Chrome|Chromium|Linux|Android/

journeys(() => {
  const { visitAs } = browser(portal)
  for (const pair of pairs) {
    const { language, size } = pair
    const [t, k] = [both[language], ofTokens[language]]
    test(`a person makes a token with what they may give, sees it once, and ends it (${language}, ${size})`, async () => {
      const person = await portal.person(`maker1-${language}-${size}`, { roles: ['order_receiver'] })
      const { page } = await visitAs(person.username, pair)
      await page.goto('/account/security#tokens')
      await page.getByText(t.none).waitFor()
      await button(page, t.add).click()
      await page.getByLabel(k.name, { exact: true }).fill('Report 1')
      assert.equal(await page.getByLabel(k.scopes['people:read']).count(), 0)
      assert.equal(await page.getByLabel(k.scopes['meetings:read']).count(), 0)
      await page.getByLabel(k.scopes['orders:receive']).check()
      await page.getByLabel(k.scopes['profile:read']).check()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, k.make).click()
      const token = await page.getByLabel(k.token, { exact: true }).inputValue()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
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
  }
})
