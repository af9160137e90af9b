/** Editing a meeting, requesting a change, and merging it with what somebody else has saved. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { both as ofForm } from '../../../parts/forms/form/texts.ts'
import { both as ofFilters } from '../../../parts/lists/filters/texts.ts'
import { both as ofHistory } from '../../../parts/show/history/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { setClocks } from '../../../testing/clock.ts'
import { both as ofDay } from '../day/texts.ts'
import { both } from '../shared/editor/texts.ts'
import { both as words } from '../texts.ts'

const portal = portalWithPages()
const names = /Sultan|Huda|Budget|Hall|Minister|Bawaba|Ctrl|Escape|AH|https/

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Creates two meetings on a new day, and opens the first as a person with `role`. */
  async function setUp(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop', role = 'executive_office_manager') {
    const n = ++made
    const date = `2031-06-${String(n).padStart(2, '0')}`
    await portal.person(`maha${n}`, { displayNameAr: 'مها', displayNameEn: 'Maha', roles: [role] })
    const huda = await portal.person(`huda${n}`, { displayNameAr: `هدى ${n}`, displayNameEn: `Huda ${n}` })
    const add = async (fields: object) => (await portal.admin.post('/executive-meetings', { date, ...fields })).body.id as number
    const attendees = [{ name: 'Sultan', title: null, kind: 'internal' }]
    const id = await add({ titleAr: 'الميزانية', titleEn: 'Budget', startTime: '10:00', endTime: '11:00', attendees })
    await add({ titleAr: 'زيارة', titleEn: 'Minister', startTime: '12:00', endTime: '13:00', attendees })
    const { page } = await visitAs(`maha${n}`, { language, size })
    await page.goto(`/meetings/${id}`)
    await page.getByRole('heading', { level: 1, name: language === 'ar' ? 'الميزانية' : 'Budget' }).waitFor()
    const read = async () => (await portal.admin.get(`/executive-meetings/${id}`)).body
    return { page, id, n, date, huda, read, t: both[language] }
  }

  for (const { language, size } of pairs) {
    test(`typing shows a conflict at once, a colleague joins, and saving says whom it notifies (${language}, ${size})`, async () => {
      const { page, n, read, t, huda } = await setUp(language, size)
      await page.getByLabel(t.end, { exact: true }).fill('12:30')
      await page
        .getByText(language === 'ar' ? /يتداخل نصف ساعة مع/ : /Overlaps “.Minister.” by 30 minutes, with .Sultan. in both/)
        .waitFor()
      await page.getByRole('combobox', { name: t.addPerson }).fill(`huda${n}`)
      await foundOption(page, { name: new RegExp(`@huda${n}$`) }).click()
      await page.getByRole('button', { name: t.saveNotifying(1) }).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, names), [])
      await page.getByRole('button', { name: t.saveNotifying(1) }).click()
      await page.getByText(ofForm[language].saved, { exact: true }).waitFor()
      const saved = await read()
      assert.equal(saved.endTime, '12:30')
      assert.deepEqual(
        saved.attendees.map(({ userId }: { userId: number | null }) => userId),
        [null, huda.id],
      )
      assert.deepEqual(await tooWide(page), [])
    })
  }

  test('attendees can be reordered by keyboard, and a person added by name can have a title and is external', async () => {
    const { page, read, t } = await setUp('en')
    await page.getByRole('combobox', { name: t.addPerson }).fill('Sir John')
    await foundOption(page, { name: /Sir John/ }).click()
    const rows = page.locator('.meeting-person')
    await rows.nth(1).getByLabel(t.personTitle).fill('Independent member')
    await page.getByText(/Tell them yourself/).waitFor()
    await rows.nth(1).getByLabel(t.personTitle).press('Alt+ArrowUp')
    await page.keyboard.press('Control+s')
    await page.getByText(ofForm.en.saved, { exact: true }).waitFor()
    assert.deepEqual(
      (await read()).attendees.map(({ name, title, kind }: { name: string; title: string | null; kind: string }) => [name, title, kind]),
      [
        ['Sir John', 'Independent member', 'external'],
        ['Sultan', null, 'internal'],
      ],
    )
  })

  test('changes by two people are merged, and for a field that both changed the page offers both texts', async () => {
    const { page, id, read, t } = await setUp('en')
    await page.getByLabel(t.notes).fill('mine')
    await portal.admin.patch(`/executive-meetings/${id}`, { locationEn: 'Hall', notes: 'theirs' })
    await page.getByRole('button', { name: ofForm.en.takeMine }).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.getByRole('button', { name: ofForm.en.takeMine }).click()
    await page.getByRole('button', { name: t.save, exact: true }).click()
    await page.getByText(ofForm.en.saved, { exact: true }).waitFor()
    const { notes, locationEn } = await read()
    assert.deepEqual([notes, locationEn], ['mine', 'Hall'])
  })

  test('people who may not edit request the change with a reason', async () => {
    const { page, id, read, t } = await setUp('en', 'desktop', 'executive_ceo')
    await page.getByLabel(t.start, { exact: true }).fill('09:00')
    await page.getByLabel(t.reason).fill('The minister is early')
    await page.getByRole('button', { name: t.ask }).click()
    await page.getByText(t.asked).waitFor()
    assert.equal((await read()).startTime, '10:00')
    const { items } = (await portal.admin.get(`/executive-meetings/requests?meetingId=${id}`)).body
    assert.deepEqual([items[0].type, items[0].details, items[0].reason], ['reschedule', { startTime: '09:00' }, 'The minister is early'])
  })

  test('going back from a changed meeting says that nothing is lost, and offers to return to the typed changes and reason', async () => {
    const { page, id, date, t } = await setUp('en', 'desktop', 'executive_ceo')
    await page.goto(`/meetings/${date}`)
    await page.getByRole('link', { name: 'Budget', exact: true }).click()
    await page.getByLabel(t.notes).fill('Bring the plan')
    await page.getByLabel(t.reason).fill('The minister asked')
    await page.goBack()
    await page.waitForURL(`**/meetings/${date}`)
    await page.getByText(ofForm.en.unsavedKept).waitFor()
    await page.getByRole('button', { name: ofForm.en.back }).click()
    await page.waitForURL(`**/meetings/${date}?open=${id}`)
    await page.getByText(ofForm.en.restored).waitFor()
    assert.equal(await page.getByLabel(t.notes).inputValue(), 'Bring the plan')
    await page.waitForFunction(() => [...document.querySelectorAll('textarea')].at(-1)?.value === 'The minister asked')
    assert.deepEqual(await findings(page), [])
  })

  test('a reader sees a meeting without form fields or history, and a manager sees its history', async () => {
    const { page, t } = await setUp('en', 'desktop', 'executive_viewer')
    await page.getByText(t.mayNot).waitFor()
    assert.equal(await page.getByRole('textbox').count(), 0)
    assert.equal(await page.getByRole('tab').count(), 0)
    const { page: manager, id } = await setUp('en')
    await portal.admin.patch(`/executive-meetings/${id}`, { notes: 'new' })
    await manager.getByRole('tab', { name: t.tabs.history }).click()
    await manager.getByText(t.history.update('', 'Notes').trim(), { exact: false }).waitFor()
    assert.deepEqual(await findings(manager), [])
  })

  test('a change of a meeting is reverted from its history', async () => {
    const { page, id, read, t } = await setUp('en')
    await portal.admin.patch(`/executive-meetings/${id}`, { startTime: '08:00', locationEn: 'Hall' })
    await page.getByRole('tab', { name: t.tabs.history }).click()
    const putBack = page.getByRole('button', { name: ofHistory.en.putBack })
    await putBack.click()
    const preview = page.getByRole('region', { name: ofHistory.en.putBackTitle })
    await preview
      .locator('p')
      .filter({ hasText: /^From: .*08:00.*10:00/ })
      .waitFor()
    assert.deepEqual(await findings(page), [])
    await preview.getByRole('button', { name: ofHistory.en.putBack }).click()
    await page.getByText(ofHistory.en.done, { exact: true }).waitFor()
    const { startTime, locationEn } = await read()
    assert.deepEqual([startTime, locationEn], ['10:00', null])
  })

  test('midnight changes neither the day of a new meeting nor the day that somebody has chosen for it', async () => {
    const { page, t } = await setUp('en')
    await setClocks(page, Date.parse('2031-12-28T23:58:00Z'))
    await page.goto('/meetings/new')
    const date = page.getByRole('textbox', { name: t.date })
    await date.waitFor()
    const day = 24 * 3600 * 1000
    const passes = async (ms: number) => {
      await page.clock.fastForward(ms)
      // The frame in which effects of the new day would run.
      await page.clock.runFor(1000)
    }
    await passes(5 * 60_000)
    assert.equal(await date.inputValue(), '28/12/2031')
    await date.fill('30/12/2031')
    await date.press('Enter')
    await passes(day)
    assert.equal(await date.inputValue(), '30/12/2031')
    // A form that is opened on another day has the chosen day from its draft.
    const later = await page.context().newPage()
    await setClocks(later, Date.parse('2031-12-29T09:00:00Z'))
    await later.goto('/meetings/new')
    await later.getByText(ofForm.en.restored).waitFor()
    assert.equal(await later.getByRole('textbox', { name: t.date }).inputValue(), '30/12/2031')
  })

  test('an address without a meeting or a day says so, also in the title of the tab, and a new meeting is added by the full form', async () => {
    const { page, t, date } = await setUp('en')
    await page.goto('/meetings/999999')
    await page.getByText(words.en.gone).waitFor()
    const isTitled = (text: string) => page.waitForFunction((title) => document.title.startsWith(title), text)
    await isTitled(words.en.gone)
    await page.goto('/meetings/2031-02-30')
    await page.getByRole('heading', { level: 1, name: ofDay.en.notADay }).waitFor()
    await isTitled(ofDay.en.notADay)
    await page.goto(`/meetings/${date}?open=99999999999`)
    await page.getByText(ofFilters.en.wrong).waitFor()
    await page.waitForURL(`**/meetings/${date}`)
    await page.goto(`/meetings/new?date=${date}`)
    await page.getByLabel(t.titleEn, { exact: true }).fill('Lunch')
    await page.getByRole('button', { name: t.add, exact: true }).click()
    await page.waitForURL(`**/meetings/${date}`)
    await page.getByRole('link', { name: 'Lunch', exact: true }).waitFor()
  })
})
