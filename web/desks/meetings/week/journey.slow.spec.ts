/** A week on one page: its busy and free times, and moving through it with keys. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Opens a week after 1 June 2031 that no other test uses, with two meetings on Monday and one on Wednesday. */
  async function setUp(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop') {
    const n = ++made
    const first = new Date(Date.UTC(2031, 5, 1 + 7 * n))
    const day = (by: number) => new Date(first.getTime() + by * 86_400_000).toISOString().slice(0, 10)
    await portal.person(`reader${n}`, { displayNameAr: 'ريم', displayNameEn: 'Reem', roles: ['executive_viewer'] })
    const add = async (fields: object) => (await portal.admin.post('/executive-meetings', fields)).body.id as number
    const budget = await add({ date: day(1), titleAr: 'الميزانية', titleEn: 'Budget', startTime: '09:00', endTime: '11:00' })
    await add({ date: day(1), titleAr: 'المشاريع', titleEn: 'Projects', startTime: '10:00', endTime: '11:30' })
    await add({ date: day(3), titleAr: 'زيارة', titleEn: 'Visit', startTime: '15:00', endTime: '16:00' })
    const { page } = await visitAs(`reader${n}`, { language, size })
    await page.goto(`/meetings/week/${day(4)}`)
    await page.locator('.week-card').nth(2).waitFor()
    return { page, day, add, budget, t: both[language] }
  }

  for (const { language, size } of pairs)
    test(`a week shows how busy its days are and which halves are free (${language}, ${size})`, async () => {
      const { page, t } = await setUp(language, size)
      const monday = page.locator('.week-day').nth(1)
      await monday.getByText(language === 'ar' ? 'ساعتان ونصف' : '2 hours 30 minutes').waitFor()
      await monday.getByText(t.freeAfternoon).waitFor()
      assert.equal(await monday.getByRole('img', { name: t.clash }).count(), 2)
      await page.locator('.week-day').nth(3).getByText(t.freeMorning).waitFor()
      await page.locator('.week-day').nth(0).getByText(t.free).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /Bawaba|Ctrl|AH/), [])
      assert.deepEqual(await tooWide(page), [])
    })

  test('arrow keys move through days and meetings, Enter opens a meeting in its day, and the tab returns to the week', async () => {
    const { page, day, budget } = await setUp('en')
    const focused = () => page.evaluate(() => document.activeElement!.textContent)
    await page.locator('.week-day h2 a').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    assert.match((await focused())!, /Budget/)
    await page.keyboard.press('ArrowRight')
    assert.match((await focused())!, /Tuesday/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/meetings/${day(1)}?open=${budget}`)
    await page.getByRole('link', { name: 'Week', exact: true }).click()
    await page.waitForURL(`**/meetings/week/${day(1)}`)
  })

  test('a meeting added by somebody else shows at once, and keys lead to the next and previous week', async () => {
    const { page, day, add, t } = await setUp('en')
    await add({ date: day(2), titleEn: 'Lunch', startTime: '13:00', endTime: '14:00' })
    await page.locator('.week-day').nth(2).getByText('Lunch').waitFor()
    await page.keyboard.press('BracketRight')
    await page.waitForURL(`**/meetings/week/${day(7)}`)
    await page.keyboard.press('BracketLeft')
    await page.waitForURL(`**/meetings/week/${day(0)}`)
    await page.getByRole('button', { name: t.toThis }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/meetings/week/') && !url.pathname.includes('2031'))
  })
})
