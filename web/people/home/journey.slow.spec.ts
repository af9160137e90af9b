/** The home page: reordering and opening apps, and the clock. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { browser, findings, journeys, languages, pairs, portalWithPages } from '../../testing/browser.ts'
import { builtFrom } from '../../testing/built.ts'

const portal = portalWithPages()

const names = ['Alpha', 'Beta', 'Gamma', 'Delta']
let isMade = false
/** Four apps that everyone sees. */
async function makeApps() {
  if (isMade) return
  isMade = true
  for (const name of names) {
    const slug = name.toLowerCase()
    const external = {
      Beta: { openMode: 'external_tab', externalUrl: 'https://beta.example.org/' },
      Gamma: { openMode: 'external_iframe', externalUrl: `${portal.base}/api/docs/` },
    }[name]
    const body = {
      slug,
      nameAr: `تطبيق ${name}`,
      nameEn: name,
      iconName: 'folder',
      color: '#1f5f8b',
      route: name === 'Alpha' ? '/services' : `/apps/${slug}`,
      openMode: 'internal',
      ...external,
    }
    assert.equal((await portal.admin.post('/apps', body)).status, 201)
  }
}
const shown = (page: Page) => page.locator('.home-name').allTextContents()

journeys(() => {
  const { visitAs, problems } = browser(portal)

  for (const language of languages)
    for (const size of ['desktop', 'phone'] as const)
      test(`apps are reordered by keyboard alone, and undo restores the former order (${language}, ${size})`, async () => {
        await makeApps()
        const username = `sorter-${language}-${size}`
        const person = await portal.person(username)
        const { page } = await visitAs(username, { language, size })
        await page.locator('.home-tile').first().waitFor()
        const before = await shown(page)
        await page.getByRole('button', { name: language === 'ar' ? 'رتّب' : 'Rearrange', exact: true }).press('Enter')
        await page.locator('.home-tile').first().focus()
        await page.keyboard.press('Space')
        await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight')
        await page.keyboard.press('Space')
        const after = [before[1], before[0], ...before.slice(2)]
        await until('the app is moved', async () => (await shown(page)).join() === after.join())
        const saved = async () => (await person.get('/apps')).body as unknown as { nameAr: string; nameEn: string }[]
        await until('the order is saved', async () => (await saved())[1]?.[language === 'ar' ? 'nameAr' : 'nameEn'] === before[0])
        await page.getByRole('button', { name: language === 'ar' ? 'تراجع' : 'Undo' }).click()
        await until('the order is undone', async () => (await saved())[0]?.[language === 'ar' ? 'nameAr' : 'nameEn'] === before[0])
        await until('the page shows the former order', async () => (await shown(page)).join() === before.join())
      })

  for (const connection of ['fast', 'slow'])
    test(`the mouse moves an app without “Rearrange”, and a press still opens it (${connection} connection)`, async () => {
      await makeApps()
      const { username } = await portal.person(`mouse-${connection}`)
      const { page } = await visitAs(username, { language: 'en', serviceWorkers: 'block' })
      const released = Promise.withResolvers<void>()
      for (const file of builtFrom('lists/sorting.ts'))
        await page.route(`**/${file}`, async (route) => {
          if (connection === 'slow') await released.promise
          await route.continue()
        })
      await page.locator('.home-tile').first().waitFor()
      const before = await shown(page)
      const from = (await page.locator('.home-tile').nth(0).boundingBox())!
      const to = (await page.locator('.home-tile').nth(2).boundingBox())!
      await page.mouse.move(from.x + from.width / 2, from.y + 40)
      await page.mouse.down()
      await page.mouse.move(to.x + to.width / 2, to.y + 40, { steps: 8 })
      await page.mouse.up()
      released.resolve()
      const after = [before[1], before[2], before[0], ...before.slice(3)]
      await until('the app is moved', async () => (await shown(page)).join() === after.join())
      assert.equal(new URL(page.url()).pathname, '/')
      await page.getByText('Alpha', { exact: true }).click()
      await page.waitForURL('**/services')
    })

  test('an app’s link opens a new tab, and a framed app also has a link to a new tab in case it stays empty', async () => {
    await makeApps()
    await portal.person('opener')
    const { page, context } = await visitAs('opener', { language: 'en' })
    const beta = page.getByRole('link', { name: 'Beta' })
    assert.deepEqual([await beta.getAttribute('target'), await beta.getAttribute('rel')], ['_blank', 'noopener noreferrer'])
    await page.getByRole('link', { name: 'Gamma' }).click()
    await page.waitForURL('**/apps/gamma')
    await page.getByRole('heading', { name: 'Gamma' }).waitFor()
    await page.getByRole('link', { name: 'Open in a new tab' }).waitFor()
    // The frame fills the window.
    assert.ok((await page.locator('.app-frame').boundingBox())!.height > 500)
    // The portal refuses to be framed, even by itself, and the browser reports that.
    await until('the browser reports the frame', () => problems.length)
    assert.ok(problems.splice(0).every((problem) => /frame-ancestors|X-Frame-Options/i.test(problem)))
    await until(
      'an opening is recorded',
      async () => (await portal.sql<{ count: string }>(`select count(*) from app_opens`))[0]!.count !== '0',
    )
    assert.equal(context.pages().length, 1)
  })

  for (const { language, size } of pairs)
    test(`an app without a page shows its name, a link home and, to administrators, its settings (${language}, ${size})`, async () => {
      await makeApps()
      await portal.person(`reader-${language}-${size}`)
      await portal.person(`keeper-${language}-${size}`, { roles: ['admin'] })
      const [name, home, edit] = language === 'ar' ? ['تطبيق Delta', 'إلى الرئيسية', 'عدّل التطبيق'] : ['Delta', 'Go to home', 'Edit app']
      for (const who of ['reader', 'keeper']) {
        const { page } = await visitAs(`${who}-${language}-${size}`, { language, size })
        await page.goto('/apps/delta')
        await page.getByRole('heading', { name }).waitFor()
        assert.equal(await page.locator('main .empty svg').count(), 1)
        assert.equal(await page.getByRole('main').getByRole('link', { name: home }).getAttribute('href'), '/')
        const links = page.getByRole('main').getByRole('link', { name: edit })
        assert.equal(await links.count(), who === 'keeper' ? 1 : 0)
        if (who === 'keeper') assert.match((await links.getAttribute('href'))!, /^\/admin\/apps\/\d+$/)
        assert.deepEqual(await findings(page), [])
      }
    })

  test('the clock has five styles, each readable as the time', async () => {
    await makeApps()
    const person = await portal.person('watchmaker')
    const { page } = await visitAs('watchmaker', { language: 'en' })
    for (const clockStyle of ['full', 'digital', 'digital-no-seconds', 'analog', 'minimal']) {
      await person.patch('/auth/me/clock-style', { clockStyle })
      // The page changes when the event of the call arrives.
      await page.locator(`.clock[data-style="${clockStyle}"]`).waitFor()
      assert.match((await page.locator('.clock .unseen').textContent())!, /^\d\d:\d\d$/)
      assert.equal(await page.locator('.clock-face').count(), ['full', 'analog'].includes(clockStyle) ? 1 : 0)
    }
    await person.patch('/auth/me/clock-hour12', { clockHour12: true })
    await page.locator('.clock', { hasText: /[ap]m/i }).waitFor()
    // In Arabic, “am” or “pm” follows the digits in reading direction, and the digits keep their order.
    await person.patch('/auth/me/clock-style', { clockStyle: 'digital' })
    await person.patch('/auth/me/language', { language: 'ar' })
    const half = page.locator('.clock-digits > small', { hasText: /[صم]/ })
    await half.waitFor()
    const digits = (await page.locator('.clock-digits > span').boundingBox())!
    const seconds = (await page.locator('.clock-digits > span > small').boundingBox())!
    assert.ok((await half.boundingBox())!.x < digits.x)
    assert.ok(seconds.x > digits.x + digits.width / 2)
  })

  test('the page of an app that the person may not see says so, and axe finds no violation there or while apps are arranged', async () => {
    await makeApps()
    await portal.person('curious')
    const { page } = await visitAs('curious', { language: 'ar', size: 'phone' })
    await page.getByRole('button', { name: 'رتّب' }).click()
    assert.deepEqual(await findings(page), [])
    await page.goto('/apps/secret')
    await page.getByText('ليس هذا التطبيق بين تطبيقاتك').waitFor()
    assert.deepEqual(await findings(page), [])
  })
})
