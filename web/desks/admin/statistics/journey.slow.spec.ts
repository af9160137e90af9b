/** Statistics: the sentence, the chart and its table, and the list of openings behind each bar. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { both as calendar } from '../../../parts/forms/calendar/texts.ts'
import { both as charts } from '../../../parts/show/chart/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)

  for (const [n, { language, size }] of pairs.entries()) {
    const t = both[language]
    const [displayNameAr, displayNameEn] = [`سلطان ${n}`, `Sultan ${n}`]
    const name = language === 'ar' ? displayNameAr : displayNameEn

    test(`openings are counted in a sentence and a chart, and a bar lists its openings (${language}, ${size})`, async () => {
      const username = `viewer-${language}-${size}`
      const person = await portal.person(username, { displayNameAr, displayNameEn, roles: ['admin'] })
      const app = {
        slug: `leave-${language}-${size}`,
        nameAr: 'الإجازات',
        nameEn: 'Leave',
        iconName: 'plane',
        color: '#4a6fa5',
        route: '/services',
      }
      const { id } = (await portal.admin.post('/apps', app)).body
      for (let opening = 0; opening < 3; opening++) await person.post(`/apps/${id}/open`)
      const { page } = await visitAs(username, { language, size })
      await page.goto('/admin/statistics')
      await page.getByRole('heading', { level: 1, name: t.title }).waitFor()
      await page.getByRole('img').waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /viewer|Bawaba/), [])
      await page.getByRole('button', { name: charts[language].table }).click()
      await page.waitForURL('**as=table')
      assert.equal(await page.getByRole('row').count(), 31)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: charts[language].chart }).click()
      const bar = page.locator('.bars').getByRole('button', { name })
      await bar.click()
      const beside = page.getByRole(size === 'phone' ? 'dialog' : 'complementary')
      await beside.getByText(t.openingsBy(3)).waitFor()
      assert.equal(await beside.getByRole('listitem').count(), 3)
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Escape')
      await beside.waitFor({ state: 'detached' })
      await page.waitForFunction((text) => document.activeElement?.textContent?.includes(text), name)
      await page.getByRole('button', { name: calendar[language].days(7) }).click()
      await page.waitForURL('**range=7d')
      assert.deepEqual(await tooWide(page), [])
    })
  }

  test('a window without openings says so, and an invalid one shows no figures', async () => {
    await portal.person('archivist', { roles: ['admin'] })
    const { page } = await visitAs('archivist', { language: 'en' })
    await page.goto('/admin/statistics?range=custom&from=2020-01-01&to=2020-01-31')
    await page.getByText(both.en.empty).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.goto('/admin/statistics?range=custom&from=2020-01-31&to=2020-01-01')
    await page.getByText(calendar.en.backwards).waitFor()
    assert.equal(await page.locator('.stats-days').count(), 0)
  })
})
