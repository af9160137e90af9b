/** The running order of a day: adding, ordering, moving and deleting meetings with mouse, keyboard and touch. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../../test/client.ts'
import { both as ofDialog } from '../../../parts/overlay/dialog-texts.ts'
import { both as toasts } from '../../../parts/texts.ts'
import { browser, findings, foreignTexts, hasLoaded, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { both as ofEditor } from '../shared/editor/texts.ts'
import { both as ofLine } from './line/texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const named = (ar: string, en: string) => ({ displayNameAr: ar, displayNameEn: en })
const names = /Sultan|Noura|Minister|Budget|Projects|Letters|Signing|Hall|Lunch|Bawaba|Ctrl|Alt|Escape|Page Up|Page Down|Shift|AH|\bT\b/

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Opens a new day with three meetings as a person with `role`. */
  async function setUp(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop', role = 'executive_coordinator') {
    const n = ++made
    const date = `2031-05-${String(n).padStart(2, '0')}`
    await portal.person(`maha${n}`, { ...named('مها', 'Maha'), roles: [role] })
    const noura = await portal.person(`noura${n}`, named(`نورة ${n}`, `Noura ${n}`))
    const add = async (fields: object) => (await portal.admin.post('/executive-meetings', { date, ...fields })).body.id as number
    const sultan = { name: 'Sultan', title: null, kind: 'internal' }
    const budget = await add({
      ...{ titleAr: 'الميزانية', titleEn: 'Budget', startTime: '10:00', endTime: '11:00', attendees: [sultan] },
      ...{ locationAr: 'القاعة', locationEn: 'Hall' },
    })
    const projects = await add({ titleAr: 'المشاريع', titleEn: 'Projects', startTime: '10:30', endTime: '12:00', attendees: [sultan] })
    const letters = await add({ titleAr: 'المراسلات', titleEn: 'Letters', startTime: '13:30', endTime: '14:00' })
    const { page } = await visitAs(`maha${n}`, { language, size })
    await page.goto(`/meetings/${date}`)
    await cards(page).nth(2).waitFor()
    const order = async () =>
      ((await portal.admin.get(`/executive-meetings?date=${date}`)).body as { titleEn: string }[]).map(({ titleEn }) => titleEn)
    return { page, date, n, noura, add, order, ids: { budget, projects, letters }, t: both[language] }
  }
  const cards = (page: Page) => page.locator('.day-card')
  /** Waits until the shortcuts are loaded and the page knows whether the person may add meetings. The key N needs both. */
  async function takesKeys(page: Page) {
    await hasLoaded(page, 'frame/later.ts')
    await page.locator('.day-add').waitFor()
  }
  const card = (page: Page, title: string) => cards(page).filter({ has: page.getByRole('link', { name: title, exact: true }) })
  const act = async (page: Page, t: (typeof both)['en'], title: string, text: string) => {
    await card(page, title)
      .getByRole('button', { name: t.acts(title) })
      .click()
    await page
      .getByRole('menuitem', { name: text })
      .or(page.getByRole('menuitemradio', { name: text }))
      .click()
  }

  for (const { language, size } of pairs) {
    const titles = language === 'ar' ? ['الميزانية', 'المشاريع', 'المراسلات'] : ['Budget', 'Projects', 'Letters']

    test(`a day names its gaps and conflicts, and fits every width (${language}, ${size})`, async () => {
      const { page, t } = await setUp(language, size)
      await page.getByText(t.gap(language === 'ar' ? 'ساعة ونصف' : '1 hour 30 minutes')).waitFor()
      await card(page, titles[1]!)
        .getByText(language === 'ar' ? /يتداخل نصف ساعة مع/ : /Overlaps “.Budget.” by 30 minutes/)
        .waitFor()
      assert.equal(await card(page, titles[0]!).locator('.day-warn').count(), 0)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, names), [])
      const print = page.getByRole('link', { name: t.print, exact: true })
      assert.equal(await print.count(), size === 'phone' ? 0 : 1)
      assert.deepEqual(await tooWide(page), [])
    })

    test(`one line adds a meeting once the questions about it are answered (${language}, ${size})`, async () => {
      const { page, t, n, date } = await setUp(language, size)
      const [l, e] = [ofLine[language], ofEditor[language]]
      await page.getByRole('button', { name: t.add, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog
        .getByLabel(l.label)
        .fill(language === 'ar' ? `غداء مع نورة ${n} الساعة 1 في القاعة` : `Lunch with "Noura ${n}" at 1 in the Hall`)
      await dialog.getByText(l.reasons.half_of_day).waitFor()
      await dialog.getByRole('button', { name: l.answerFirst }).waitFor()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: '13:00' }).click()
      await dialog.getByRole('button', { name: e.add }).click()
      // On a phone, the message does not cover the button.
      await page.locator('.toast').waitFor()
      await page.getByRole('button', { name: t.add, exact: true }).first().click({ trial: true })
      await dialog.waitFor({ state: 'detached' })
      const title = language === 'ar' ? 'غداء' : 'Lunch'
      await card(page, title).waitFor()
      const all = (await portal.admin.get(`/executive-meetings?date=${date}`)).body
      const lunch = all.find((one: { titleAr: string; titleEn: string }) => one.titleAr === title || one.titleEn === title)
      assert.equal(lunch.startTime, '13:00')
    })
  }

  for (const language of ['ar', 'en'] as const)
    test(`the page warns of an overlap while the line is typed, and adds the meeting all the same (${language})`, async () => {
      const { page, date } = await setUp(language)
      const [title, line] =
        language === 'ar'
          ? ['مراجعة الإعلام', 'مراجعة الإعلام مع Sultan من 10:15 صباحًا إلى 10:45 صباحًا']
          : ['Press review', 'Press review with Sultan from 10:15 am to 10:45 am']
      await takesKeys(page)
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(ofLine[language].label).pressSequentially(line)
      const budget =
        language === 'ar'
          ? /يتداخل نصف ساعة مع «.الميزانية.»، و.Sultan. في كليهما/
          : /Overlaps “.Budget.” by 30 minutes, with .Sultan. in both/
      await dialog.getByText(budget).waitFor()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await card(page, title).getByText(budget).waitFor()
      const all = (await portal.admin.get(`/executive-meetings?date=${date}`)).body
      const { startTime, endTime, attendees } = all.find((one: { titleAr: string; titleEn: string }) =>
        [one.titleAr, one.titleEn].includes(title),
      )
      assert.deepEqual([startTime, endTime, attendees[0].name], ['10:15', '10:45', 'Sultan'])
      assert.deepEqual(await findings(page), [])
    })

  test('keys change the order and undo it, and another reader sees it without losing their place', async () => {
    const { page, t, order, date } = await setUp('en')
    await portal.person('reader', { roles: ['executive_viewer'] })
    const { page: other } = await visitAs('reader', { language: 'en', viewport: { width: 900, height: 420 } })
    await other.goto(`/meetings/${date}`)
    await cards(other).nth(2).waitFor()
    assert.equal(await other.locator('.ordered-grip').count(), 0)
    const shown = (wanted: string) =>
      other.waitForFunction(
        (wanted) => [...document.querySelectorAll('.day-card h2 a')].map((one) => one.textContent).join() === wanted,
        wanted,
      )
    const step = async (title: string, key: string) => {
      await card(page, title).getByRole('link', { name: title }).focus()
      await page.keyboard.press(key)
    }
    /** Identifies the document and the focused element, with the position of that element in the window. */
    const place = () =>
      other.evaluate(() => {
        const { activeElement } = document
        return [performance.timeOrigin, activeElement!.textContent, Math.round(activeElement!.getBoundingClientRect().top)]
      })
    await card(other, 'Letters').getByRole('link', { name: 'Letters' }).focus()
    await other.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const before = await place()
    assert.ok((await other.evaluate(() => scrollY)) > 0)
    await step('Budget', 'Alt+ArrowDown')
    await page.getByText(t.ordered).waitFor()
    assert.deepEqual(await order(), ['Projects', 'Budget', 'Letters'])
    await shown('Projects,Budget,Letters')
    assert.deepEqual(await place(), before)
    await page.keyboard.press('Control+z')
    await shown('Budget,Projects,Letters')
    assert.deepEqual(await place(), before)
    await step('Letters', 'Alt+ArrowUp')
    await shown('Budget,Letters,Projects')
    assert.deepEqual((await place()).slice(0, 2), before.slice(0, 2))
    await page.getByText(t.ordered).waitFor()
    assert.deepEqual(await order(), ['Budget', 'Letters', 'Projects'])
  })

  test('a meeting that is dragged to a day of the month moves after a confirmation', async () => {
    const { page, t, ids, date } = await setUp('en')
    const target = date.replace(/\d\d$/, '28')
    const grip = page.locator('.ordered-row').filter({ hasText: 'Letters' }).locator('.ordered-grip')
    const [from, to] = [(await grip.boundingBox())!, (await page.locator(`.day-aside [data-day="${target}"]`).boundingBox())!]
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y + 40, { steps: 4 })
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 })
    await page.waitForSelector(`[data-day="${target}"][data-over]`)
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t.notified(0)).waitFor()
    assert.deepEqual(await findings(page), [])
    await dialog.getByRole('button', { name: /^Move to/ }).click()
    await card(page, 'Letters').waitFor({ state: 'detached' })
    assert.equal((await portal.admin.get(`/executive-meetings/${ids.letters}`)).body.date, target)
    await page.getByRole('button', { name: toasts.en.undo }).click()
    await card(page, 'Letters').waitFor()
  })

  test('a change of status can be undone, and a deletion can be undone until the page is left', async () => {
    const { page, t, ids } = await setUp('en')
    await act(page, t, 'Budget', t.statuses.cancelled)
    const chip = card(page, 'Budget').locator('.chip', { hasText: t.statuses.cancelled })
    await chip.waitFor()
    await page.getByRole('button', { name: toasts.en.undo }).waitFor()
    await page.keyboard.press('Control+z')
    await chip.waitFor({ state: 'detached' })
    await act(page, t, 'Letters', t.remove)
    await card(page, 'Letters').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await card(page, 'Letters').waitFor()
    await act(page, t, 'Letters', t.remove)
    await card(page, 'Letters').waitFor({ state: 'detached' })
    await page.goto('/')
    await until('the meeting is deleted', async () => (await portal.admin.get(`/executive-meetings/${ids.letters}`)).status === 404)
  })

  test('the toast about a status mentions only people who were notified, and its undo does not overwrite a later change by somebody else', async () => {
    const { page, t, ids } = await setUp('en')
    const letters = `/executive-meetings/${ids.letters}`
    await act(page, t, 'Letters', t.statuses.postponed)
    await page.getByText(t.said.postponed('\u2068Letters\u2069', ''), { exact: true }).waitFor()
    await portal.admin.patch(letters, { status: 'cancelled' })
    await card(page, 'Letters').locator('.chip', { hasText: t.statuses.cancelled }).waitFor()
    const refused = page.waitForResponse((response) => response.status() === 412)
    await page.getByRole('button', { name: toasts.en.undo }).click()
    await refused
    assert.equal((await portal.admin.get(letters)).body.status, 'cancelled')
  })

  test("a change by somebody else is announced with the former value, and the person's own change is not", async () => {
    const { page, t, ids } = await setUp('en')
    await portal.admin.patch(`/executive-meetings/${ids.letters}`, { startTime: '15:00', endTime: '16:00' })
    await card(page, 'Letters').getByText(t.news.time('13:30')).waitFor()
    const again = page.waitForResponse(/executive-meetings\?date=/)
    await act(page, t, 'Budget', t.highlight)
    await card(page, 'Budget').getByRole('img', { name: t.highlighted }).waitFor()
    await again
    assert.equal(await card(page, 'Budget').locator('.day-news').count(), 0)
  })

  test('Escape in the line returns the focus, and a typed line survives going back', async () => {
    const { page, date } = await setUp('en')
    const field = page.getByRole('dialog').getByLabel(ofLine.en.label)
    await takesKeys(page)
    await page.keyboard.press('n')
    await field.waitFor()
    await page.keyboard.press('Escape')
    await card(page, 'Budget').locator('h2 a:focus').waitFor()
    await card(page, 'Letters').locator('h2 a').focus()
    await page.keyboard.press('n')
    await field.waitFor()
    await page.keyboard.press('Escape')
    await card(page, 'Letters').locator('h2 a:focus').waitFor()
    await page.keyboard.press('n')
    await field.fill('Lunch with the minister')
    await page.goBack()
    await page.goForward()
    await page.waitForURL(`**/meetings/${date}`)
    await cards(page).first().waitFor()
    await takesKeys(page)
    await page.keyboard.press('n')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('dialog input')?.value === 'Lunch with the minister')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: ofDialog.en.discard }).click()
    await page.keyboard.press('n')
    assert.equal(await field.inputValue(), '')
  })

  test('an address opens a meeting beside its day, and a Hijri date in the address leads to its day', async () => {
    const { page, ids, date } = await setUp('en')
    await page.goto(`/meetings/${date}?open=${ids.budget}`)
    await page.getByRole('complementary', { name: 'Budget' }).getByLabel(ofEditor.en.titleEn, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/meetings/${date}`)
    await page.goto('/meetings/14-6-1448')
    await page.waitForURL('**/meetings/2026-11-24')
  })

  test('an empty day links to the nearest day with a meeting, and keys lead to the days around it', async () => {
    const { page, t, date } = await setUp('en')
    await takesKeys(page)
    await page.keyboard.press('BracketLeft')
    await page.waitForURL((url) => !url.pathname.endsWith(date))
    await page.keyboard.press('BracketRight')
    await page.waitForURL(`**/meetings/${date}`)
    await page.goto('/meetings/2031-07-01')
    await page.getByText(t.empty).waitFor()
    await page.locator('.empty a').click()
    await page.waitForURL('**/meetings/2031-0*')
    await cards(page).first().waitFor()
  })

  test('on a phone a sideways swipe leads to the next or previous day', async () => {
    const { page, date } = await setUp('ar', 'phone')
    const swipe = (by: number) =>
      page.evaluate((by) => {
        const touch = (x: number) => new Touch({ identifier: 1, target: document.body, clientX: x, clientY: 300 })
        document.body.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(200)], changedTouches: [touch(200)], bubbles: true }))
        document.body.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: [touch(200 + by)], bubbles: true }))
      }, by)
    await swipe(120)
    const [, day] = /-(\d\d)$/.exec(date)!
    await page.waitForURL(`**/meetings/2031-05-${String(Number(day) + 1).padStart(2, '0')}`)
    await swipe(-120)
    await page.waitForURL(`**/meetings/${date}`)
  })
})
