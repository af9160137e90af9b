/** The frame by keyboard, on a narrow screen, with large text and in high contrast. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, findings, foreignTexts, hasLoaded, journeys, languages, portalWithPages, tooWide } from '../testing/browser.ts'

const portal = portalWithPages()
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')

journeys(() => {
  const { visit, visitAs } = browser(portal)

  for (const language of languages)
    test(`the keyboard opens, navigates and closes the menu, palette and shortcuts, and the focus returns (${language})`, async () => {
      await portal.person(`typist-${language}`)
      const { page } = await visitAs(`typist-${language}`, { language })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Tab')
      assert.match(await focused(page), language === 'ar' ? /تخطَّ/ : /Skip/)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.id === 'main')

      const menu = page.locator('.bar button[aria-haspopup=menu]').last()
      await menu.focus()
      const name = await focused(page)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.getAttribute('role')?.startsWith('menuitem'))
      const first = await focused(page)
      await page.keyboard.press('ArrowDown')
      assert.notEqual(await focused(page), first)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      assert.match(await focused(page), language === 'ar' ? /تسجيل الخروج/ : /Sign out/)
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-haspopup') === 'menu')
      assert.equal(await focused(page), name)

      await hasLoaded(page, 'frame/later.ts')
      await page.keyboard.press('Shift+Slash')
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await focused(page), name)

      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
      const chosen = () => page.locator('[role=option][aria-selected=true]').textContent()
      const top = await chosen()
      await page.keyboard.press('ArrowDown')
      assert.notEqual(await chosen(), top)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await focused(page), name)

      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.waitForURL('**/orders')
    })

  test('going back restores the focus', async () => {
    await portal.person('wanderer')
    const { page } = await visitAs('wanderer', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Notes', exact: true }).press('Enter')
    await page.waitForURL('**/notes')
    await page.goBack()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Notes')
  })

  for (const theme of ['light', 'dark', 'contrast'])
    test(`axe finds no violation at home in the theme ${theme}`, async () => {
      await portal.person(`onlooker-${theme}`)
      const { page } = await visitAs(`onlooker-${theme}`, { language: 'ar' })
      await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), theme)
      assert.deepEqual(await findings(page), [])
    })

  test('a page contains no text of the other language', async () => {
    await portal.person('monoglot')
    for (const language of ['ar', 'en'] as const) {
      const { page: door } = await visit({ language })
      for (const address of ['/sign-in', '/register', '/forgot-password', '/reset-password']) {
        await door.goto(address)
        await door.locator('.door :is(h1, form)').first().waitFor()
        assert.deepEqual(await foreignTexts(door, language, /Bawaba/), [], address)
      }
      const { page } = await visitAs('monoglot', { language })
      for (const address of ['/', '/nowhere', '/apps/none', '/admin/users']) {
        await page.goto(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.deepEqual(await foreignTexts(page, language, /monoglot/), [], address)
      }
      await hasLoaded(page, 'frame/later.ts')
      await page.keyboard.press('Shift+Slash')
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await foreignTexts(page, language, /monoglot/), [])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
      assert.deepEqual(await foreignTexts(page, language, /monoglot|Switch to English|التبديل إلى العربية/), [])
    }
  })

  test('nothing overflows at 320 pixels with text of twice the size', async () => {
    await portal.person('squinter')
    for (const language of ['ar', 'en'] as const) {
      const options = { language, viewport: { width: 320, height: 640 } }
      const { page: door } = await visit(options)
      await door.goto('/sign-in')
      await door.getByRole('heading', { level: 1 }).waitFor()
      const { page } = await visitAs('squinter', options)
      await page.getByRole('heading', { level: 1 }).waitFor()
      for (const one of [door, page]) assert.deepEqual(await tooWide(one), [])
    }
  })
})
