/** The frame: signing in, access to pages, the language, and the palette. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/client.ts'
import { slowTest } from '../../test/suite.ts'
import { browser, findings, journeys, portalWithPages } from '../testing/browser.ts'
import { builtFrom } from '../testing/built.ts'

const portal = portalWithPages()

journeys(() => {
  const { visit, visitAs } = browser(portal)

  slowTest('a person without a session signs in first and then reaches the page they wanted', async () => {
    await portal.person('walker')
    const { page } = await visit({ language: 'en' })
    await page.goto('/orders?status=pending')
    await page.waitForURL(`**/sign-in?next=${encodeURIComponent('/orders?status=pending')}`)
    await page.getByLabel('Username or email').fill('walker')
    await page.getByLabel('Password', { exact: true }).fill('battery staple')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/orders?status=pending')
  })

  slowTest('a wrong password is reported in the language of the page', async () => {
    await portal.person('forgetful')
    const { page } = await visit({ language: 'ar' })
    await page.goto('/sign-in')
    await page.locator('input[name=username]').fill('forgetful')
    await page.locator('input[name=password]').fill('wrong')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .filter({ hasText: /[\u0621-\u064A]/ })
      .waitFor()
  })

  slowTest('a choice of language changes the open page and survives a reload', async () => {
    const person = await portal.person('polyglot')
    const { page } = await visitAs('polyglot', { language: 'ar' })
    await page.getByRole('navigation').getByText('الخدمات').waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await page.locator('.bar > button[aria-haspopup=menu]').last().click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await page.getByRole('navigation').getByText('Services').waitFor()
    assert.deepEqual(await page.evaluate(() => [document.dir, document.documentElement.lang, 'sameDocument' in window]), [
      'ltr',
      'en',
      true,
    ])
    await until('the person’s language is saved', async () => (await person.get('/auth/me')).body['preferredLanguage'] === 'en')
    await page.reload()
    await page.getByRole('navigation').getByText('Services').waitFor()
  })

  slowTest('the link to incoming orders appears and disappears with the right to receive them', async () => {
    const role = (await portal.admin.post('/roles', { name: 'pantry' })).body
    await portal.person('pantry', { roles: ['pantry'] })
    const { page } = await visitAs('pantry', { language: 'en' })
    const board = page.getByRole('navigation').getByText('Incoming')
    await page.getByRole('navigation').getByText('Services').waitFor()
    assert.equal(await board.count(), 0)
    const { body } = await portal.admin.get('/permissions')
    const { id } = body.find(({ name }: { name: string }) => name === 'orders.receive')
    await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [id] })
    await board.waitFor()
    await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [] })
    await board.waitFor({ state: 'detached' })
  })

  slowTest('an unknown address and a forbidden one each have a page that says so', async () => {
    await portal.person('explorer')
    const { page } = await visitAs('explorer', { language: 'en' })
    const answer = await page.goto('/nowhere')
    assert.equal(answer?.status(), 404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.goto('/meetings/2026-11-22')
    await page.getByRole('heading', { name: 'You don’t have access to this page' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  test('a session that was ended elsewhere ends on the open page with a message', async () => {
    const person = await portal.person('twofold')
    const { page } = await visitAs('twofold', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await portal.admin.delete(`/users/${person.id}/sessions`)
    await page.getByText(/^(Your session ended|You were signed out)/).waitFor()
    assert.match(page.url(), /sign-in/)
  })

  slowTest('axe finds no violation on the sign-in page, at home and in the palette, in both directions', async () => {
    await portal.person('inspector')
    for (const language of ['ar', 'en'] as const) {
      const { page: door } = await visit({ language })
      await door.goto('/sign-in')
      await door.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await findings(door), [])
      const { page } = await visitAs('inspector', { language })
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
      assert.deepEqual(await findings(page), [])
    }
  })

  slowTest('Arabic words in the palette of an English page change the theme and sign out, and its hint is not shown again', async () => {
    await portal.person('commander')
    const app = { slug: 'news', nameAr: 'الأخبار', nameEn: 'News', iconName: 'folder', color: '#1f5f8b', route: '/services' }
    await portal.admin.post('/apps', app)
    const { page } = await visitAs('commander', { language: 'en' })
    const hint = page.locator('.hint kbd')
    await hint.waitFor()
    const command = async (typed: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(typed)
      await page.keyboard.press('Enter')
    }
    await command('داكن')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.reload()
    await page.locator('.hint').waitFor()
    assert.equal(await hint.count(), 0)
    await page.locator('.hint button').click()
    await page.locator('.hint').waitFor({ state: 'detached' })
    await command('تسجيل الخروج')
    await page.waitForURL('**/sign-in?local=1')
  })

  slowTest('text typed before the palette opens appears in the palette only', async () => {
    await portal.person('hasty')
    const { page } = await visitAs('hasty', { language: 'en', serviceWorkers: 'block' })
    const requested = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    await page.route(`**/${builtFrom('/palette-dialog.tsx')}`, async (route) => {
      requested.resolve()
      await release.promise
      await route.continue()
    })
    await page.goto('/services')
    const field = page.getByRole('searchbox')
    await field.focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('accou')
    await page.keyboard.press('Enter')
    await requested.promise
    release.resolve()
    await page.waitForFunction(() => document.activeElement?.matches('.palette input'))
    await page.keyboard.type('nt')
    assert.equal(await page.locator('.palette input').inputValue(), 'account')
    await page.getByRole('option', { name: 'My account' }).waitFor()
    assert.equal(await field.inputValue(), '')
    await page.keyboard.press('Escape')
    await page.locator('.palette').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.waitForFunction(() => document.activeElement?.matches('.palette input'))
    assert.equal(await page.locator('.palette input').inputValue(), '')
  })

  slowTest('the palette finds words of the other language, and Enter opens the result', async () => {
    await portal.person('finder')
    const { page } = await visitAs('finder', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('notif')
    // Enter must work even if the list still shows the findings for fewer letters.
    await page.keyboard.press('Enter')
    await page.waitForURL('**/notifications')
  })
})
