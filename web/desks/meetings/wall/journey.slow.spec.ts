/** A day on a wall display: over hours, past midnight, and without a network. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { setPortalClock } from '../../../testing/clock.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Opens a display of a new day, at ten in the morning. Its own clock is an hour slow. */
  async function setUp(language: 'ar' | 'en', { size = 'desktop', query = '' }: { size?: 'phone' | 'desktop'; query?: string } = {}) {
    const n = ++made
    const date = `2031-08-${String(n).padStart(2, '0')}`
    await portal.person(`wall${n}`, { displayNameAr: 'شاشة', displayNameEn: 'Wall', roles: ['executive_viewer'] })
    const add = async (fields: object) => (await portal.admin.post('/executive-meetings', { date, ...fields })).body.id as number
    await add({
      ...{ titleAr: 'الميزانية', titleEn: 'Budget', startTime: '09:30', endTime: '10:30', notes: 'secret' },
      attendees: [{ name: 'Sultan' }, { name: 'Sir John', kind: 'external' }],
    })
    const projects = await add({ titleAr: 'المشاريع', titleEn: 'Projects', startTime: '11:00', endTime: '12:00' })
    const { page, context } = await visitAs(`wall${n}`, { language, size })
    await page.clock.install({ time: new Date(`${date}T09:00:00Z`) })
    await setPortalClock(page, `${date}T10:00:00Z`)
    await page.goto(`/meetings/${date}/wall${query}`)
    await page.getByRole('heading', { level: 1, name: language === 'ar' ? 'الميزانية' : 'Budget' }).waitFor()
    return { page, context, date, projects, t: both[language] }
  }

  for (const { language, size } of pairs)
    test(`a wall display shows the current and next meetings, and hides the frame of the portal (${language}, ${size})`, async () => {
      const { page, t } = await setUp(language, { size })
      await page.getByText(t.left(language === 'ar' ? 'نصف ساعة' : '30 minutes')).waitFor()
      await page.locator('.wall-next').getByText('11:00').waitFor()
      assert.equal(await page.locator('.bar').isVisible(), false)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /Sultan|Sir John|secret|Bawaba|AH/), [])
      assert.deepEqual(await tooWide(page), [])
    })

  test('the display moves on by itself: to the next meeting, to the evening, and to the next day', async () => {
    const { page, date, t } = await setUp('en')
    await page.clock.fastForward('00:45:00')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByText(t.soon('15 minutes')).waitFor()
    await page.clock.fastForward('09:00:00')
    await page.getByText(t.over).waitFor()
    await page.waitForSelector('.wall[data-night]')
    await page.clock.fastForward('06:00:00')
    const [, day] = /-(\d\d)$/.exec(date)!
    await page.waitForURL(`**/meetings/2031-08-${String(Number(day) + 1).padStart(2, '0')}/wall`)
  })

  test('a public display hides notes and guests, and a lost network shows the time of the last update', async () => {
    const { page, context, projects, t } = await setUp('en', { query: '?public' })
    await page.getByText('Sultan').waitFor()
    assert.equal(await page.getByText(/secret|Sir John/).count(), 0)
    await portal.admin.patch(`/executive-meetings/${projects}`, { titleEn: 'Plans' })
    await page.locator('.wall-next').getByText('Plans').waitFor()
    await context.setOffline(true)
    await page.getByText(t.asOf('10:0')).waitFor()
    await page.getByRole('heading', { name: 'Budget' }).waitFor()
    await context.setOffline(false)
    await page.getByText(t.asOf('10:0')).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.pathname.endsWith('/wall'))
  })
})
