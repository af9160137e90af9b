/** Settings, the audit log, the overview and the system page. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { Client, until } from '../../../test/client.ts'
import { sealLedger } from '../../../test/sealing.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as ofOnce } from '../../parts/overlay/once-texts.ts'
import { both as ofLog } from '../../parts/show/log/texts.ts'
import { browser, findings, foreignTexts, holdCalls, journeys, pairs, portalWithPages, takeFirst, tooWide } from '../../testing/browser.ts'
import { both as ofAudit } from './audit/texts.ts'
import { both as ofSteps } from './overview/first-steps/texts.ts'
import { both as ofOverview } from './overview/texts.ts'
import { both as ofSettings } from './settings/texts.ts'
import { both as ofActs } from './shared/person-acts/texts.ts'
import { both as ofSystem } from './system/texts.ts'
import { both as ofDesk } from './texts.ts'

const portal = portalWithPages()
const names = { siteNameAr: 'مؤسسة النور', siteNameEn: 'Al-Noor Foundation' }

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  /** The settings to restore before each test, because the tests change them. */
  let initial: object
  before(async () => {
    await portal.ready
    const { updatedAt: _, ...settings } = (await portal.admin.get('/settings')).body
    initial = settings
  })
  beforeEach(() => portal.admin.patch('/settings', initial))

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    /** Opens `path` as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`admin-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      return opened
    }

    const s = ofSettings[language]
    test(titled('a setting is saved when its field loses focus, shown at once, and undone'), async () => {
      const former = (await portal.admin.get('/settings')).body
      const { page } = await at('/admin/settings')
      const field = language === 'ar' ? 'siteNameAr' : 'siteNameEn'
      await page.getByLabel(s[field]).fill(names[field])
      await page.locator('.settings-preview').getByText(names[field]).waitFor()
      await page.getByLabel(s[field]).blur()
      await page.getByText(s.saved(s[field])).waitFor()
      assert.equal((await portal.admin.get('/settings')).body[field], names[field])
      await page.keyboard.press('Control+z')
      await page.getByText(s.putBack(s[field])).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin-\d+/), [])
      assert.equal((await portal.admin.get('/settings')).body[field], former[field])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('a text that another administrator saved in the meantime is not overwritten without asking'), async () => {
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

    test(titled('a text that was saved without an answer does not count as another administrator’s'), async () => {
      const { page } = await at('/admin/settings')
      let lost = 0
      await page.route('**/api/settings', async (route) => {
        if (route.request().method() !== 'PATCH' || lost > 0) return route.fallback()
        lost++
        await route.fetch()
        await page.getByLabel(s.footerTextEn).fill('Second')
        await route.abort()
      })
      await page.getByLabel(s.footerTextEn).fill('First')
      await page.getByLabel(s.footerTextEn).press('Enter')
      await until('the answer is lost', () => lost > 0)
      await page.getByText(s.saved(s.footerTextEn)).waitFor()
      assert.equal((await portal.admin.get('/settings')).body.footerTextEn, 'Second')
    })

    test(titled('opening registration shows the consequences first, and time zone and currency are found by name'), async () => {
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
      await takeFirst(page.getByRole('combobox', { name: s.timeZone }), 'cairo')
      await page.getByText(s.saved(s.timeZone)).waitFor()
      await takeFirst(page.getByRole('combobox', { name: s.currency }), 'sar')
      await page.getByText(s.saved(s.currency)).waitFor()
      const { timeZone, currency, registrationOpen } = (await portal.admin.get('/settings')).body
      assert.deepEqual({ timeZone, currency, registrationOpen }, { timeZone: 'Africa/Cairo', currency: 'SAR', registrationOpen: false })
    })

    const a = ofAudit[language]
    const log = ofLog[language]
    test(titled('the log says who changed what, with the values before and after, filtered by the address'), async () => {
      const dana = await portal.person(`dana-${language}-${size}`, { displayNameAr: 'دانة السبيعي', displayNameEn: 'Dana Alsubaie' })
      const group = (
        await portal.admin.post('/groups', { name: `finance-${language}-${size}`, descriptionAr: 'المالية', descriptionEn: 'Finance' })
      ).body
      await portal.admin.post(`/groups/${group.id}/users`, { userId: dana.id })
      await portal.admin.patch(`/users/${dana.id}`, { displayNameEn: 'Dana Al-Subaie', isActive: false })
      const { page } = await at(`/admin/audit?type=group&id=${group.id}`)
      const entries = page.locator('.log-entry')
      await entries.nth(1).waitFor()
      assert.equal(await entries.count(), 2)
      const first = await entries.first().textContent()
      for (const name of language === 'ar' ? ['دانة السبيعي', 'المالية'] : ['Dana Alsubaie', 'Finance'])
        assert.ok(first!.includes(name), first!)
      assert.deepEqual(await findings(page), [])
      await page.goto(`/admin/audit?type=user&id=${dana.id}`)
      await entries.first().getByRole('button', { name: log.open }).click()
      await page.locator('.log-changes').getByText('Dana Al-Subaie').waitFor()
      assert.match(page.url(), /open=\d+/)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin(-\d+)?|Dana Al-?[sS]ubaie|JSON|dana-\S+/), [])
      await page.getByRole('button', { name: a.forced }).click()
      await page.getByText(a.nothing).waitFor()
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('new entries of another administrator are shown on request'), async () => {
      await portal.admin.post('/groups', { name: `first-${language}-${size}` })
      const { page } = await at('/admin/audit?type=group')
      await page.locator('.log-entry').first().waitFor()
      await portal.admin.post('/groups', { name: `second-${language}-${size}` })
      await page.getByRole('button', { name: log.fresh(1) }).click()
      await page.locator('.log-entry').getByText(`second-${language}-${size}`).waitFor()
    })

    test(titled('the log is verified and exported as CSV'), async () => {
      await sealLedger(portal)
      const { page } = await at('/admin/audit')
      await page.getByRole('button', { name: a.verify }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: a.verify }).click()
      await dialog.locator('[data-state=good]').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: a.export }).click()
      const file = page.waitForEvent('download')
      await dialog.getByRole('button', { name: a.export }).click()
      assert.equal((await file).suggestedFilename(), 'audit-log.csv')
    })

    const o = ofOverview[language]
    const acts = ofActs[language]
    const f = ofSteps[language]
    test(titled('an empty portal shows its first steps, and a step is done once its records exist'), async () => {
      const { page } = await at('/admin')
      await page.getByRole('button', { name: f.proposals.mail }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(f.address).fill('https://mail.example.org/')
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: f.saves.app }).click()
      await page.getByText(f.said.app).waitFor()
      await page.locator('li[data-done]').filter({ hasText: f.titles.app }).waitFor()
      await page.goto('/admin?step=people')
      await dialog.getByLabel(f.addresses).fill(`lina-${language}-${size}@example.org, admin@nowhere`)
      // Escape asks before the links are lost: before they arrive, and until the browser has copied them.
      const stay = async () => {
        await page.keyboard.press('Escape')
        await dialog.getByText(ofOnce[language].unsaved).waitFor()
        await dialog.getByRole('button', { name: ofOnce[language].stay }).click()
      }
      const { began, release } = await holdCalls(page, '**/api/users/bulk')
      await dialog.getByRole('button', { name: f.inviteAll(1) }).click()
      await began
      await stay()
      release()
      await dialog.getByText(f.invited(1)).waitFor()
      assert.match((await dialog.locator('code').textContent())!, /reset-password/)
      assert.deepEqual(await findings(page), [])
      await page.evaluate(() => {
        Object.defineProperty(Object.getPrototypeOf(navigator), 'clipboard', { value: undefined })
        document.execCommand = () => false
        // The failure is logged, which the test expects.
        window.reportError = () => {}
      })
      await dialog.getByRole('button', { name: f.copyLinks }).click()
      await dialog.locator('.toast[data-kind=error]').waitFor()
      await stay()
      await page.evaluate(() => {
        document.execCommand = () => true
      })
      await dialog.getByRole('button', { name: f.copyLinks }).click()
      await dialog.getByText(f.copied).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.goto('/admin')
      await page.getByRole('button', { name: f.hide }).click()
      await page.locator('.overview-list').first().waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin(-\d+)?|dana-\S+|lina-\S+|source/), [])
      assert.deepEqual(await tooWide(page), [])
      const { body } = await portal.admin.get('/admin/apps')
      await portal.admin.delete(`/apps/${body[0].id}`)
    })

    test(titled('an administrator who names the portal while a colleague does is asked which name to keep'), async () => {
      const { page } = await at('/admin?step=name')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(f.nameEn).fill('Mine')
      await portal.admin.patch('/settings', { siteNameAr: names.siteNameAr, siteNameEn: 'Theirs' })
      await dialog.getByText('Theirs').waitFor()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: forms[language].takeMine }).click()
      await dialog.getByRole('button', { name: f.saves.name }).click()
      await page.getByText(f.said.name).waitFor()
      const { siteNameAr, siteNameEn } = (await portal.admin.get('/settings')).body
      assert.deepEqual([siteNameAr, siteNameEn], [names.siteNameAr, 'Mine'])
    })

    test(titled('an administrator issues a reset link from the overview to a person who cannot be mailed'), async () => {
      const dana = await portal.person(`forgetful-${language}-${size}`)
      const { page } = await at('/admin')
      await new Client(portal.base).post('/auth/forgot-password', { identifier: dana.username })
      const request = page.locator('.overview-needs').filter({ hasText: dana.username })
      await request.waitFor()
      // Opening the person's page marks other notifications about them as read, but the request stays until a link is issued.
      await page.goto(`/admin/users/${dana.id}`)
      await page.getByRole('heading', { level: 1 }).filter({ hasText: dana.username }).waitFor()
      await page.goto('/admin')
      await request.getByRole('button', { name: o.issue }).click()
      const link = page.getByRole('dialog').getByLabel(acts.link.link, { exact: true })
      await link.waitFor()
      assert.match(await link.inputValue(), /reset-password/)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('dialog').getByRole('button', { name: acts.link.done }).click()
      await request.waitFor({ state: 'detached' })
    })

    const y = ofSystem[language]
    test(titled('the system page shows the portal’s health, and which parts are not set up'), async () => {
      await sealLedger(portal)
      const { page } = await at('/admin/system')
      await page.getByText(y.sentence(0)).waitFor()
      assert.equal(await page.locator('.system-exceptions li').count(), 3)
      await page.locator('.system-row').filter({ hasText: y.database }).first().waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin-\d+/), [])
      assert.deepEqual(await tooWide(page), [])
    })
  }

  test('the finder opens a single setting', async () => {
    const { username } = await portal.person('finder', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en' })
    await page.goto('/admin/settings')
    await page.getByRole('combobox', { name: ofDesk.en.find }).fill('open reg')
    await page.getByRole('option', { name: ofDesk.en.settings.registration }).click()
    await page.locator('#registration:focus').waitFor()
  })
})
