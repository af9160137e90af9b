/** Creating an account, signing in, and resetting a forgotten password. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../../test/client.ts'
import { browser, findings, journeys, languages, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visit } = browser(portal)

  test('a person can create an account while registration is open, and errors are shown at their fields', async () => {
    await portal.person('taken')
    await portal.admin.patch('/settings', { registrationOpen: true })
    const { page } = await visit({ language: 'en' })
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    await page.getByLabel('Username').fill('taken')
    await page.getByLabel('Email').fill('new@example.org')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.locator('input[name=username][aria-invalid=true]:focus').waitFor()
    await page.getByLabel('Username').fill('newcomer')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: /newcomer/ }).waitFor()
    await portal.admin.patch('/settings', { registrationOpen: false })
  })

  test('the registration page says that registration is closed', async () => {
    const { page } = await visit({ language: 'ar', size: 'phone' })
    await page.goto('/register')
    await page.getByText('التسجيل مغلق').waitFor()
    assert.deepEqual(await findings(page), [])
  })

  test('a sign-in that is answered late leads nobody away from the page to which they have gone', async () => {
    const { page } = await visit({ language: 'en' })
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/auth/login', async (route) => {
      await gate.promise
      await route.fulfill({ status: 401, json: { code: 'second_factor_required', messageAr: '', messageEn: '', methods: ['totp'] } })
    })
    await page.goto('/sign-in')
    await page.locator('input[name=username]').fill('somebody')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: both.en.forgot }).click()
    await page.getByRole('heading', { name: both.en.forgotTitle }).waitFor()
    const answered = page.waitForResponse('**/api/auth/login')
    gate.resolve()
    await (await answered).finished()
    // The answer is handled before two frames are drawn.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    assert.equal(new URL(page.url()).pathname, '/forgot-password')
  })

  for (const next of ['/register', '/sign-in', '//evil.example', '/apps/%ff', '/nowhere'])
    test(`a person sent to ${next} lands on the home page after signing in`, async () => {
      const { username } = await portal.person(`sent-${next.replace(/\W/g, '-')}`)
      const { page } = await visit({ language: 'en' })
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await page.locator('input[name=username]').fill(username)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /sent/ }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/')
    })

  for (const language of languages)
    test(`a forgotten password is reset by a link that works once (${language})`, async () => {
      const person = await portal.person(`forgetful-${language}`)
      const { page } = await visit({ language, size: language === 'ar' ? 'phone' : 'desktop' })
      await page.goto('/forgot-password')
      await page.locator('input[name=identifier]').fill(`forgetful-${language}`)
      await page.keyboard.press('Enter')
      await page.locator('.door-done h1').waitFor()
      assert.deepEqual(await findings(page), [])
      const { body } = await portal.admin.post(`/auth/admin/users/${person.id}/issue-reset-link`, {})
      const link = new URL(Object.values(body).find((value) => String(value).includes('token=')) as string)
      await page.goto(link.pathname + link.search)
      await page.locator('input[name=newPassword]').fill('another password')
      assert.doesNotMatch(page.url(), /token/)
      await page.keyboard.press('Enter')
      await page.locator('.door-done').waitFor()
      await page.goto(link.pathname + link.search)
      await page.locator('.door-done').getByRole('link').waitFor()
      assert.match((await page.locator('.door-done a').getAttribute('href'))!, /forgot-password/)
      await page.goto('/sign-in')
      await page.locator('input[name=username]').fill(`forgetful-${language}`)
      await page.locator('input[name=password]').fill('another password')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /forgetful/ }).waitFor()
    })
})
