import '../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../../test/client.ts'
import { both as ofAccount } from '../people/account/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../testing/browser.ts'
import { both } from './confirm-texts.ts'

const portal = portalWithPages()

/** Refuses calls of the pages until the person has confirmed themselves. */
async function demandConfirmation(page: Page, ...paths: string[]) {
  let isConfirmed = false
  page.on('response', (response) => {
    if (response.url().endsWith('/auth/me/confirm') && response.ok()) isConfirmed = true
  })
  for (const path of paths)
    await page.route(
      (url) => url.pathname === `/api${path}`,
      (route) => {
        if (isConfirmed) return route.continue()
        const json = { code: 'confirmation_required', messageEn: 'Confirm that it is you to continue.', messageAr: 'أكّد هويتك للمتابعة.' }
        return route.fulfill({ status: 403, json: { ...json, methods: ['password'] } })
      },
    )
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const { language, size } of pairs) {
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`

    test(titled('a call that needs confirmation asks for it on the page, and is then carried out'), async () => {
      const { id, username } = await portal.person(`sure-${language}-${size}`)
      const { page } = await visitAs(username, { language, size })
      await page.goto('/account')
      await demandConfirmation(page, '/auth/me/profile')
      await page.locator('input[name=displayNameEn]').fill('Dana')
      await page.getByRole('button', { name: ofAccount[language].save, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: t.title })
      const password = dialog.locator('input[name=password]')
      await password.waitFor()
      assert.deepEqual(await findings(page), [])
      assert.equal(await password.evaluate((field) => field === document.activeElement), true)
      await password.fill('a wrong guess')
      await page.keyboard.press('Enter')
      await dialog.locator('input[name=password][aria-invalid=true]').waitFor()
      await password.fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText(ofAccount[language].saved).waitFor()
      assert.equal(await dialog.count(), 0)
      assert.equal((await portal.admin.get(`/users/${id}`)).body.displayNameEn, 'Dana')
    })
  }

  test('several calls that need confirmation cause only one question', async () => {
    const { username } = await portal.person('hurried')
    const { page } = await visitAs(username, { language: 'en', serviceWorkers: 'block' })
    await demandConfirmation(page, '/services', '/service-categories')
    await page.goto('/services')
    const dialog = page.getByRole('dialog', { name: both.en.title })
    const again = ['/services', '/service-categories'].map((one) =>
      page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(one) && response.ok()),
    )
    await dialog.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await Promise.all(again)
    assert.equal(await page.locator('dialog').count(), 0)
  })

  test('closing the question keeps the typed text, and the form says why it was not saved', async () => {
    const { username } = await portal.person('unsure')
    const { page } = await visitAs(username, { language: 'en' })
    await page.goto('/account')
    await demandConfirmation(page, '/auth/me/profile')
    const field = page.locator('input[name=displayNameEn]')
    await field.fill('Dana')
    const button = page.getByRole('button', { name: ofAccount.en.save, exact: true })
    await button.click()
    await page.getByRole('dialog', { name: both.en.title }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Confirm that it is you to continue.').waitFor()
    assert.equal(await field.inputValue(), 'Dana')
    assert.equal(await button.evaluate((one) => one === document.activeElement), true)
  })
})
