import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addProvider, openProvider, type TestProvider } from '../../../test/oidc/provider.ts'
import { both as ofConfirming } from '../../frame/confirm-texts.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
let provider: TestProvider
before(async () => {
  await portal.ready
  provider = await openProvider({ portalUrl: portal.base })
  await addProvider(portal, provider)
})

const NAMES = { ar: 'حساب المؤسسة', en: 'Work account' }

journeys(() => {
  const { visitAs } = browser(portal, { others: () => [provider.issuer] })

  for (const { language, size } of pairs) {
    const t = both[language]
    const name = NAMES[language]
    test(`a person connects a provider, confirms through it in a second window, and disconnects it (${language}, ${size})`, async () => {
      const { id, username } = await portal.person(`linked-${language}-${size}`)
      provider.accounts.set(username, { email: `${username}@elsewhere.example`, name: 'Linked' })
      provider.as = username
      const { page } = await visitAs(username, { language, size })
      await page.goto('/account/security')
      await page.getByRole('button', { name: t.connect(name) }).click()
      await page.getByText(t.connectedNow).waitFor()
      assert.equal(new URL(page.url()).search, '')
      await page.locator('#connected li', { hasText: `${username}@elsewhere.example` }).waitFor()
      assert.deepEqual(await findings(page), [])

      await portal.sql("update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1", [id])
      await page.getByRole('button', { name: t.disconnectNamed(name) }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.disconnect, exact: true }).click()
      const window = page.waitForEvent('popup')
      await page.getByRole('button', { name: ofConfirming[language].provider(name) }).click()
      await (await window).waitForEvent('close')
      await page.getByText(t.disconnected(name)).waitFor()
    })
  }
})
