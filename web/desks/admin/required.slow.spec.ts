/** Requires sign-in through a provider, from the first condition until sign-in by password is back. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { securityTemplates } from '../../../server/lists/notices/security.ts'
import { PASSWORD } from '../../../test/client.ts'
import { codeOf } from '../../../test/factors.ts'
import { addProvider, openProvider, type TestProvider } from '../../../test/oidc/provider.ts'
import { ADMIN_PASSWORD } from '../../../test/portal.ts'
import { both as ofSecurity } from '../../people/security/texts.ts'
import { both as ofDoor } from '../../people/sign-in/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both } from './sign-in/texts.ts'
import { both as ofPerson } from './user/security-texts.ts'

const portal = portalWithPages({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
let provider: TestProvider
before(async () => {
  await portal.ready
  provider = await openProvider({ portalUrl: portal.base })
  await addProvider(portal, provider)
})

const NAMES = { ar: 'حساب المؤسسة', en: 'Work account' }
const LONG = 'fourteen characters'
const known = /Bawaba|admin|\d|(chief|deputy|employee)-\S+|npm run|sign-in|passwords|Entra|Google|Keycloak|Escape/

const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true })
const isHome = (page: Page) => page.waitForURL((url) => url.pathname === '/')

/** Focuses a control and presses a key on it. */
async function press(at: Locator, key = 'Enter') {
  await at.focus()
  await at.page().keyboard.press(key)
}
async function type(at: Locator, text: string) {
  await at.focus()
  await at.page().keyboard.type(text)
}

journeys(() => {
  const { visit, visitAs } = browser(portal, { others: () => [provider.issuer] })

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, s, d, p] = [both[language], ofSecurity[language], ofDoor[language], ofPerson[language]]
    const name = NAMES[language]
    const through = (page: Page) => button(page, d.through(name))
    async function fine(page: Page) {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
    }
    const someone = (who: string, roles: string[] = []) => portal.person(`${who}-${language}-${size}`, { roles })
    /** The provider signs the next person in as `username`, with this address. */
    function comesAs(username: string, email: string) {
      provider.accounts.set(username, { email, name: username })
      provider.as = username
    }
    async function typePassword(page: Page, username: string, password: string) {
      await page.goto('/sign-in')
      await press(button(page, d.withPassword))
      await type(page.locator('input[name=username]'), username)
      await type(page.locator('input[name=password]'), password)
      await page.keyboard.press('Enter')
    }

    test(`a provider is required once all conditions are met, and passwords come back, by keyboard alone (${language}, ${size})`, async () => {
      const chief = await someone('chief', ['admin'])
      const deputy = await someone('deputy', ['admin'])
      const employee = await someone('employee')
      const { email } = (await portal.admin.get(`/users/${employee.id}`)).body
      const { page } = await visitAs(chief.username, pair)
      comesAs(chief.username, `${chief.username}@elsewhere.example`)
      await page.goto('/account/security#connected')
      await press(button(page, s.connect(name)))
      await page.getByText(s.connectedNow).waitFor()

      await page.goto('/admin/sign-in')
      const met = page.locator('.ways-conditions > [data-met]')
      const required = page.getByRole('switch', { name: t.requiredSwitch })
      await required.waitFor()
      assert.equal(await met.count(), 0)
      await press(button(page, t.proveBy(name)))
      await met.filter({ hasText: t.conditions.ownProviderSignIn }).waitFor()
      assert.equal(await required.isDisabled(), true)
      await type(page.getByRole('combobox', { name: t.addException }), deputy.username)
      await foundOption(page, { name: deputy.username }).waitFor()
      await page.keyboard.press('Enter')
      const row = page.locator('.ways-people li', { hasText: deputy.username })
      await row.getByText(t.noLongPassword).waitFor()
      await row.getByText(t.noFactor).waitFor()
      assert.equal(await met.count(), 2)
      await fine(page)

      const theirs = (await visitAs(deputy.username, pair)).page
      await theirs.goto('/account/security')
      await type(theirs.locator('input[name=currentPassword]'), PASSWORD)
      await type(theirs.locator('input[name=newPassword]'), LONG)
      await theirs.keyboard.press('Enter')
      await theirs.getByText(s.passwordChanged).waitFor()
      await press(button(theirs, s.addAuthenticator))
      await press(theirs.locator('summary'))
      const secret = (await theirs.locator('.security-secret').textContent())!.replaceAll(' ', '')
      await type(theirs.locator('input[name=code]'), codeOf(secret))
      await theirs.keyboard.press('Enter')
      await theirs.locator('.security-codes').waitFor()
      await press(theirs.getByLabel(s.keptCodes), 'Space')
      await press(button(theirs, s.done))

      // The page of the first administrator updates.
      await row.getByText(t.noFactor).waitFor({ state: 'detached' })
      await met.nth(3).waitFor()
      assert.equal(await row.getByText(t.noLongPassword).count(), 0)
      await fine(page)

      const working = (await visitAs(employee.username, pair)).page
      // Wait for the page's event stream, which tells the page why the session ends.
      await Promise.all([working.waitForResponse('**/api/events?*'), working.reload()])
      await press(required, 'Space')
      const dialog = page.getByRole('dialog', { name: t.requiredAsk })
      await dialog.waitFor()
      await fine(page)
      await press(button(dialog, t.requiredYes))
      await page.getByText(t.requiredOn).waitFor()
      await required.and(page.locator(':checked')).waitFor()
      assert.equal(await required.evaluate((one) => one === document.activeElement), true)
      await fine(page)

      await working.waitForURL(/sign-in/)
      await working.getByText(d.endings.sso_only).waitFor()
      await through(working).waitFor()
      await fine(working)
      const outside = (await visit(pair)).page
      await typePassword(outside, employee.username, PASSWORD)
      const refused = language === 'ar' ? /^خطأ في اسم المستخدم أو كلمة المرور\./ : /^The username or the password is wrong\./
      await outside.getByText(refused).waitFor()
      await fine(outside)
      comesAs(employee.username, email)
      await press(through(outside))
      await outside.getByRole('heading', { name: d.connectTitle }).waitFor()
      await type(outside.locator('input[name=password]'), PASSWORD)
      await outside.keyboard.press('Enter')
      await isHome(outside)

      const without = (await visit(pair)).page
      await typePassword(without, deputy.username, LONG)
      await without.getByRole('heading', { name: d.secondTitle }).waitFor()
      await type(without.locator('input[name=code]'), codeOf(secret, 1))
      await without.keyboard.press('Enter')
      await isHome(without)
      await page.goto('/notifications')
      const { titleAr, titleEn } = securityTemplates.exception_signed_in
      await page
        .getByText(language === 'ar' ? titleAr : titleEn)
        .first()
        .waitFor()

      await page.goto(`/admin/users/${deputy.id}?tab=security`)
      const exception = page.getByRole('switch', { name: p.exceptionSwitch })
      await press(exception, 'Space')
      await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
      assert.equal(await exception.isChecked(), true)
      await fine(page)
      await page.goto('/admin/sign-in')
      await press(required, 'Space')
      await page.getByText(t.requiredOff).waitFor()
      await portal.stranger().signIn(employee.username)
      await portal.admin.signIn('admin', ADMIN_PASSWORD)
      await page.goto(`/admin/users/${deputy.id}?tab=security`)
      await press(exception, 'Space')
      await page.getByText(p.exceptedNoMore(`${deputy.username}`)).waitFor()
      assert.equal(await exception.isChecked(), false)
      assert.deepEqual((await portal.admin.get('/admin/sign-in/requirements')).body.exceptions, [])
    })
  }
})
