/** Signing in through a provider: its button, an account that must be proven first, failures, and the default provider. */
import { slowTest } from '../../../test/suite.ts'
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PASSWORD } from '../../../test/client.ts'
import { addProvider, openProvider, type TestProvider } from '../../../test/oidc/provider.ts'
import { both as failureTexts } from '../../parts/show/provider-failures.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
let provider: TestProvider
let id: number
before(async () => {
  await portal.ready
  provider = await openProvider({ portalUrl: portal.base })
  id = await addProvider(portal, provider)
})

const NAMES = { ar: 'حساب المؤسسة', en: 'Work account' }

journeys(() => {
  const { visit } = browser(portal, { others: () => [provider.issuer] })

  for (const { language, size } of pairs) {
    const t = both[language]
    const key = `${language}-${size}`
    const titled = (title: string) => `${title} (${language}, ${size})`

    test(titled('a person signs in by the button of a provider and reaches the page they wanted'), async () => {
      provider.accounts.set(`new-${key}`, {
        email: `new-${key}@example.org`,
        name: 'Sara',
        preferred_username: `new-${key}`,
        locale: language,
      })
      provider.as = `new-${key}`
      const { page } = await visit({ language, size })
      await page.goto('/orders')
      await page.waitForURL('**/sign-in?next=%2Forders')
      const through = page.getByRole('button', { name: t.through(NAMES[language]) })
      await through.waitFor()
      assert.deepEqual(await findings(page), [])
      await through.click()
      await page.waitForURL('**/orders')
      await page.getByRole('heading', { level: 1 }).waitFor()
    })

    slowTest(titled('an account with the provider’s address asks for its password once, and then opens without it'), async () => {
      const person = await portal.person(`mine-${key}`)
      const { email } = (await portal.admin.get(`/users/${person.id}`)).body
      provider.accounts.set(`sub-${key}`, { email, name: 'Mine' })
      provider.as = `sub-${key}`
      const { page } = await visit({ language, size })
      await page.goto('/sign-in')
      await page.getByRole('button', { name: t.through(NAMES[language]) }).click()
      await page.getByRole('heading', { name: t.connectTitle }).waitFor()
      assert.deepEqual(await findings(page), [])
      const password = page.locator('input[name=password]')
      await password.fill('a wrong guess')
      await page.keyboard.press('Enter')
      await page.locator('input[name=password][aria-invalid=true]').waitFor()
      await password.fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/')
      const again = (await visit({ language, size })).page
      await again.goto('/sign-in')
      await again.getByRole('button', { name: t.through(NAMES[language]) }).click()
      await again.waitForURL((url) => url.pathname === '/')
      await again.getByRole('heading', { level: 1, name: new RegExp(person.username) }).waitFor()
    })

    slowTest(titled('a failure at a provider is explained, and other ways to sign in stay'), async () => {
      const { page } = await visit({ language, size })
      await page.goto('/sign-in?failed=not_allowed')
      await page.getByRole('alert').getByText(failureTexts[language].not_allowed).waitFor()
      await page.getByRole('button', { name: t.through(NAMES[language]) }).waitFor()
      assert.equal(await page.locator('input[name=password]').count(), 1)
      assert.deepEqual(await findings(page), [])
    })
  }

  slowTest('the sign-in page goes to the default provider by itself, but not after a sign-out', async () => {
    await portal.admin.patch(`/admin/sign-in/providers/${id}`, { isDefault: true })
    provider.accounts.set('usual', { email: 'usual@example.org', name: 'Usual', preferred_username: 'usual', locale: 'en' })
    provider.as = 'usual'
    const { page } = await visit({ language: 'en' })
    await page.goto('/notes')
    await page.waitForURL('**/notes')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Account menu, Usual' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in?local=1')
    await page.getByRole('button', { name: both.en.through(NAMES.en) }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    await portal.admin.patch(`/admin/sign-in/providers/${id}`, { isDefault: false })
  })

  slowTest('a link that names a provider, as on a directory’s tile, signs in through that provider without a press', async () => {
    provider.accounts.set('tile', { email: 'tile@example.org', name: 'Tile', preferred_username: 'tile', locale: 'en' })
    for (const query of ['provider=entra', `iss=${encodeURIComponent(provider.issuer)}`]) {
      const { page } = await visit({ language: 'en' })
      await page.goto(`/sign-in?${query}&login_hint=tile`)
      await page.waitForURL((url) => url.pathname === '/')
      await page.getByRole('heading', { level: 1, name: /Tile/ }).waitFor()
    }
  })
})
