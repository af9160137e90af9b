/** What the portal says of itself and what was done in it, as administrators set and watch it. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../testing/browser.ts'
import { both as ofSettings } from './settings/texts.ts'
import { both as ofDesk } from './texts.ts'

const portal = portalWithPages()
const names = { siteNameAr: 'مؤسسة النور', siteNameEn: 'Al-Noor Foundation' }

journeys(() => {
  const { visitAs } = browser(portal)
  let visitors = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    /** An administrator at an address of the administration. */
    async function at(path: string) {
      const { username } = await portal.person(`admin-${visitors++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      return opened
    }

    const s = ofSettings[language]
    test(titled('a setting is saved when its field is left, seen at once, and put back'), async () => {
      const former = (await portal.admin.get('/settings')).body
      const { page } = await at('/admin/settings')
      const field = language === 'ar' ? 'siteNameAr' : 'siteNameEn'
      await page.getByLabel(s[field]).fill(names[field])
      await page.locator('.settings-preview').getByText(names[field]).waitFor()
      await page.getByLabel(s[field]).blur()
      await page.getByText(s.saved(s[field])).waitFor()
      assert.equal((await portal.admin.get('/settings')).body[field], names[field])
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin-\d+/), [])
      await page.keyboard.press('Control+z')
      await page.getByText(s.putBack(s[field])).waitFor()
      assert.equal((await portal.admin.get('/settings')).body[field], former[field])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('a text that another administrator saved meanwhile is not written over unasked'), async () => {
      const { page } = await at('/admin/settings')
      await page.getByLabel(s.footerTextEn).fill('Mine')
      await portal.admin.patch('/settings', { footerTextEn: 'Theirs', footerTextAr: 'نصّ آخر' })
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=footerTextAr]')?.value === 'نصّ آخر')
      await page.getByLabel(s.footerTextEn).press('Enter')
      await page.getByText(s.overtaken('Theirs')).waitFor()
      assert.equal((await portal.admin.get('/settings')).body.footerTextEn, 'Theirs')
      await page.getByRole('button', { name: s.keepMine }).click()
      await page.getByText(s.saved(s.footerTextEn)).waitFor()
      assert.equal((await portal.admin.get('/settings')).body.footerTextEn, 'Mine')
    })

    test(titled('opening registration says first what follows; time zone and currency are found by their names'), async () => {
      const apps: { isActive: boolean; restrictionCount: number }[] = (await portal.admin.get('/admin/apps')).body
      const open = apps.filter(({ isActive, restrictionCount }) => isActive && restrictionCount === 0).length
      await portal.admin.patch('/settings', { registrationOpen: false })
      const { page } = await at('/admin/settings#registration')
      await page.locator('#registration:focus').waitFor()
      await page.getByRole('switch', { name: s.registrationOpen }).click()
      await page.getByText(s.openConsequence(open)).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.equal((await portal.admin.get('/settings')).body.registrationOpen, false)
      await page.getByRole('button', { name: s.openRegistration }).click()
      await page.getByText(s.opened).waitFor()
      assert.equal((await portal.admin.get('/settings')).body.registrationOpen, true)
      await page.getByRole('switch', { name: s.registrationOpen }).click()
      await page.getByText(s.closed).waitFor()
      await page.getByRole('combobox', { name: s.timeZone }).fill('cairo')
      await page.getByRole('option').first().click()
      await page.getByText(s.saved(s.timeZone)).waitFor()
      await page.getByRole('combobox', { name: s.currency }).fill('sar')
      await page.getByRole('option').first().click()
      await page.getByText(s.saved(s.currency)).waitFor()
      const { timeZone, currency, registrationOpen } = (await portal.admin.get('/settings')).body
      assert.deepEqual({ timeZone, currency, registrationOpen }, { timeZone: 'Africa/Cairo', currency: 'SAR', registrationOpen: false })
    })
  }

  test('a single setting is found by its name', async () => {
    const { username } = await portal.person('finder', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en' })
    await page.goto('/admin/settings')
    await page.getByRole('combobox', { name: ofDesk.en.find }).fill('open reg')
    await page.getByRole('option', { name: ofDesk.en.settings.registration }).click()
    await page.locator('#registration:focus').waitFor()
  })
})
