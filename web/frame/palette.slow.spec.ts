import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, portalWithPages } from '../testing/browser.ts'
import { builtFrom } from '../testing/built.ts'
import { both } from './palette-texts.ts'
import { both as frame } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)
  const t = both.en
  const someone = async (username: string) => {
    await portal.person(username)
    const opened = await visitAs(username, { language: 'en', serviceWorkers: 'block' })
    await opened.page.getByRole('heading', { level: 1 }).waitFor()
    return opened
  }

  test('typing “coffee” makes at most four calls', async () => {
    await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })
    const { page } = await someone('thirsty')
    // Counts only the palette's calls, because calls of the page itself may still be under way.
    const urls = new Set<string>()
    page.on(
      'request',
      (request) => void (/api\/(services|notes\?|notes\/recipients|orders\/incoming)/.test(request.url()) && urls.add(request.url())),
    )
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    // Stops the clock while typing, so that even slow keys fall into one pause of the palette.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 10_000)
    await page.keyboard.type('coffee')
    await page.clock.resume()
    await page.getByRole('option', { name: /Coffee/ }).waitFor()
    await page.locator('.palette-list[aria-busy=false]').waitFor()
    assert.ok(urls.size <= 4, [...urls].join('\n'))
  })

  test('a failed source is reported, hides no other results, and can be tried again', async () => {
    await portal.person('sought')
    const { page } = await someone('patient')
    let isBroken = true
    await page.route('**/api/notes/recipients?*', (route) => (isBroken ? route.fulfill({ status: 500, json: {} }) : route.continue()))
    for (const file of builtFrom('/palette.ts')) await page.route(`**/${file}`, (route) => (isBroken ? route.abort() : route.continue()))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('sought')
    await page.getByText(t.partly).waitFor()
    await page.getByRole('combobox').fill('notif')
    await page.getByRole('option', { name: frame.en.pages.notifications }).waitFor()
    assert.deepEqual(await findings(page), [])
    isBroken = false
    await page.getByRole('combobox').fill('sought')
    await page.getByRole('button', { name: frame.en.retry }).click()
    await page.getByRole('option', { name: /sought/ }).waitFor()
    await page.getByText(t.partly).waitFor({ state: 'detached' })
  })

  test('an opened result comes first the next time', async () => {
    const { page } = await someone('regular')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('notifications')
    await page.getByRole('option', { name: frame.en.pages.notifications }).click()
    await page.waitForURL('**/notifications')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: t.groups.recent }).getByRole('option', { name: frame.en.pages.notifications }).waitFor()
  })
})
