/** The frame of the administration: the sections in the bar, the list of places, and people who may not see them. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { both as noPage } from '../../frame/no-page-texts.ts'
import { both as frame } from '../../frame/texts.ts'
import { browser, findings, foreignTexts, hasLoaded, journeys, languages, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { builtFrom } from '../../testing/built.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const everything = ['admin', 'order_receiver', 'executive_office_manager']

journeys(() => {
  const { visitAs } = browser(portal)
  /** The visible sections, in order. */
  const sections = (page: Page) =>
    page
      .locator('.sections')
      .evaluate((nav) =>
        [...nav.querySelectorAll('.sections-row > a, .more')]
          .filter((one) => getComputedStyle(one).visibility === 'visible')
          .map((one) => one.textContent!.trim()),
      )

  for (const language of languages) {
    const { pages } = frame[language]
    const all = [pages.home, pages.services, pages.orders, pages.receiving, pages.notes, pages.meetings, pages.admin]

    test(`the bar shows all seven sections down to 1024 pixels without overflow (${language})`, async () => {
      await portal.person(`master-${language}`, { roles: everything })
      const { page } = await visitAs(`master-${language}`, { language })
      await page.goto('/admin')
      await page.getByRole('heading', { level: 1, name: both[language].title }).waitFor()
      await page.locator('.sections').getByText(pages.receiving, { exact: true }).waitFor()
      for (const width of [1440, 1280, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        await page.waitForFunction((wanted) => innerWidth === wanted, width)
        assert.deepEqual(await sections(page), all, String(width))
        await page.waitForFunction(() => {
          const bar = document.querySelector('.bar')!
          return bar.scrollWidth <= bar.clientWidth
        })
      }
    })

    test(`at twice the font size the last sections move behind “more”, except the current one (${language})`, async () => {
      await portal.person(`reader-${language}`, { roles: everything })
      const { page } = await visitAs(`reader-${language}`, { language, viewport: { width: 1500, height: 800 } })
      await page.goto('/admin')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.evaluate(() => document.styleSheets[0]!.insertRule(':root { font-size: 200% }', document.styleSheets[0]!.cssRules.length))
      await page.getByRole('button', { name: pages.more, exact: true }).waitFor()
      const shown = await sections(page)
      assert.deepEqual(shown.slice(-2), [pages.admin, pages.more])
      assert.ok(shown.length < all.length)
      assert.ok(await page.locator('.bar').evaluate((bar) => bar.scrollWidth <= bar.clientWidth))
    })

    test(`on phones, a person’s four most important sections are in the bottom bar, and the rest behind “more” (${language})`, async () => {
      const short = { ...pages, ...frame[language].short }
      for (const [roles, wanted] of [
        [[], [short.home, short.services, short.orders, short.notes]],
        [['order_receiver'], [short.home, short.receiving, short.services, short.orders, short.more]],
        [everything, [short.home, short.receiving, short.meetings, short.admin, short.more]],
      ] as const) {
        const name = `walker-${language}-${roles.length}`
        await portal.person(name, { roles: [...roles] })
        const { page } = await visitAs(name, { language, size: 'phone' })
        for (const one of wanted) await page.locator('nav.sections').getByText(one, { exact: true }).waitFor()
        assert.deepEqual(await sections(page), wanted)
      }
    })
  }

  for (const { language, size } of pairs) {
    const t = both[language]

    test(`each place of the administration opens its page (${language}, ${size})`, async () => {
      await portal.person(`chief-${language}-${size}`, { roles: ['admin'] })
      const { page } = await visitAs(`chief-${language}-${size}`, { language, size })
      await page.goto('/admin')
      await page.getByRole('heading', { level: 1, name: t.title }).waitFor()
      const places = page.getByRole('navigation', { name: t.places })
      await places.waitFor()
      if (size === 'phone')
        for (const name of [t.names.users, t.names.groups, t.names.roles, t.names.apps])
          await places.getByRole('link', { name: new RegExp(`^${name}\\s*\\d+$`) }).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /chief\S*|Bawaba|admin/), [])
      for (const address of await places.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')!))) {
        await page.goto(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.equal(await page.getByRole('heading', { name: noPage[language].notFound }).count(), 0, address)
        if (size === 'phone' && address !== '/admin') {
          await page.locator('.brand').filter({ hasText: t.title }).click()
          await page.waitForURL('**/admin')
        }
      }
      await page.goto('/admin')
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await tooWide(page), [])
    })
  }

  test('the slash key focuses the finder, which finds places by words of either language, as the palette does', async () => {
    await portal.person('searcher', { roles: ['admin'] })
    const { page } = await visitAs('searcher', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(both.ar.names.overview)
    await page.getByRole('option', { name: both.en.names.overview }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin')
    await page.locator('main:focus, main h1:focus').waitFor()
    await hasLoaded(page, 'frame/later.ts')
    // The page gets the focus before the frame of the administration, which handles the key, is there.
    await page.locator('.desk-find input').waitFor()
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.closest('.desk-find'))
    await page.keyboard.type(both.ar.names.overview)
    await page.getByRole('option', { name: both.en.names.overview }).waitFor()
    assert.deepEqual(await findings(page), [])
  })

  test('a finder that is focused while a page loads keeps the focus', async () => {
    await portal.person('hasty', { roles: ['admin'] })
    const { page } = await visitAs('hasty', { language: 'en', serviceWorkers: 'block' })
    const held = Promise.withResolvers<void>()
    for (const file of builtFrom('admin/users/page.tsx'))
      await page.route(`**/${file}`, async (route) => {
        await held.promise
        await route.continue()
      })
    await page.goto('/admin')
    await page.getByRole('heading', { level: 1, name: both.en.title }).waitFor()
    await page.locator('.desk-list').getByRole('link', { name: both.en.names.users }).click()
    await page.locator('.desk-find input').pressSequentially('sal')
    held.resolve()
    await page.getByRole('heading', { level: 1, name: both.en.names.users }).waitFor()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    assert.ok(await page.locator('.desk-find input').evaluate((field) => field === document.activeElement))
  })

  test('the palette finds records of the administration and starts its actions', async () => {
    await portal.person('beginner', { roles: ['admin'] })
    await portal.person('sought.after', { displayNameEn: 'Dana Qahtani' })
    const group = (await portal.admin.post('/groups', { name: 'archives', descriptionEn: 'Archivists' })).body
    const { page } = await visitAs('beginner', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const palette = page.locator('.palette')
    const choose = async (typed: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill(typed)
      const found = palette.getByRole('option', { name })
      await found.waitFor()
      assert.deepEqual(await findings(page), [])
      await found.click()
    }
    await choose('sought.after', /Dana Qahtani.*Account/)
    await page.waitForURL(/\/admin\/users\/\d+$/)
    await choose('archivists', 'Archivists')
    await page.waitForURL(`**/admin/groups/${group.id}`)
    await choose(both.ar.acts.invite, both.en.acts.invite)
    await page.waitForURL('**/admin/users?add=person')
    await page.getByRole('dialog').getByRole('heading', { name: both.en.acts.invite }).waitFor()
  })

  test('people who are not administrators neither load nor find anything of the administration', async () => {
    await portal.person('outsider')
    const { page } = await visitAs('outsider', { language: 'en', serviceWorkers: 'block' })
    const loaded: string[] = []
    page.on('request', (request) => void loaded.push(request.url()))
    await page.goto('/admin')
    await page.getByRole('heading', { name: noPage.en.notAllowed }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(both.en.names.overview)
    await page.locator('.palette-list[aria-busy=false]').waitFor()
    assert.equal(await page.getByRole('option', { name: both.en.names.overview }).count(), 0)
    const desk = builtFrom('admin/desk.tsx')
    assert.deepEqual(
      loaded.filter((url) => desk.some((file) => url.endsWith(file))),
      [],
    )
  })

  test('an administrator who loses the role while a page is open sees “not allowed” instead of the page', async () => {
    const person = await portal.person('former', { roles: ['admin'] })
    const { page } = await visitAs('former', { language: 'en' })
    await page.goto('/admin')
    await page.getByRole('navigation', { name: both.en.places }).waitFor()
    await portal.admin.delete(`/users/${person.id}/roles/admin`)
    await page.getByRole('heading', { name: noPage.en.notAllowed }).waitFor()
  })

  test('in a low window, the list of places scrolls to the current place', async () => {
    await portal.person('low', { roles: ['admin'] })
    const { page } = await visitAs('low', { language: 'en', viewport: { width: 1440, height: 500 } })
    await page.goto('/admin/sign-in')
    await page.waitForFunction(() => {
      const current = document.querySelector('.desk-list [aria-current]')
      return current && current.getBoundingClientRect().bottom <= innerHeight
    })
    assert.equal(await page.evaluate(() => scrollY), 0)
  })
})
