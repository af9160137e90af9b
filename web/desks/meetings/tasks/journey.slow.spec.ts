/** The office's tasks: moving, adding, changing, deleting and filtering them, while other people do so too. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../../test/client.ts'
import { both as filters } from '../../../parts/lists/filters/texts.ts'
import { both as toasts } from '../../../parts/texts.ts'
import { browser, findings, foreignTexts, hasLoaded, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const TASKS = '/executive-meetings/tasks'
const named = (ar: string, en: string) => ({ displayNameAr: ar, displayNameEn: en })
const DAY_MS = 86_400_000
/** The office's day `by` days from now. The office's time zone is UTC here. */
const day = (by: number) => new Date(Date.now() + by * DAY_MS).toISOString().slice(0, 10)

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Creates a coordinator with a late task and a task for a meeting, and a viewer with a task, and opens the list for both. */
  async function setUp(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop') {
    const n = ++made
    const maha = await portal.person(`maha${n}`, { ...named('مها', 'Maha'), roles: ['executive_coordinator'] })
    const salem = await portal.person(`salem${n}`, { ...named(`سالم ${n}`, `Salem ${n}`), roles: ['executive_viewer'] })
    const title = (ar: string, en: string) => ({ titleAr: `${ar} ${n}`, titleEn: `${en} ${n}` })
    const meeting = (await maha.post('/executive-meetings', { ...title('الميزانية', 'Budget'), date: day(1), startTime: '09:00' })).body.id
    const task = async (fields: object) => (await maha.post(TASKS, fields)).body.id as number
    const ids = {
      minutes: await task({ ...title('المحضر', 'Minutes'), assigneeId: maha.id, dueDate: day(-2), meetingId: meeting }),
      slides: await task({ ...title('العرض', 'Slides'), assigneeId: salem.id, dueDate: day(0) }),
      visit: await task({ ...title('الزيارة', 'Visit'), assigneeId: maha.id }),
    }
    const t = both[language]
    const open = async (username: string, path = '/meetings/tasks') => {
      const { page } = await visitAs(username, { language, size })
      await page.goto(path)
      return page
    }
    const page = await open(`maha${n}`)
    const name = (ar: string, en: string) => `${language === 'ar' ? ar : en} ${n}`
    const quoted = (ar: string, en: string) => t.quoted(`\u2068${name(ar, en)}\u2069`)
    await row(page, name('المحضر', 'Minutes')).waitFor()
    return { page, t, n, maha, salem, meeting, ids, open, name, quoted }
  }
  const row = (page: Page, text: string) => page.locator('.tasks-row').filter({ has: page.getByRole('link', { name: text, exact: true }) })
  const section = (page: Page, title: string) => page.locator('.tasks-section').filter({ has: page.getByRole('heading', { name: title }) })
  // A task that another test added may have a title in one language only.
  const known = /Bawaba|admin|القاعة|Hall|\d/

  for (const { language, size } of pairs) {
    test(`a person’s own tasks come first by due day, a press moves a task on, and a key undoes it (${language}, ${size})`, async () => {
      const { page, t, ids, maha, name, quoted } = await setUp(language, size)
      const own = section(page, t.mine)
      await own.getByText(t.late(2)).waitFor()
      await own.getByText(name('الميزانية', 'Budget')).waitFor()
      await section(page, t.others).getByText(name('العرض', 'Slides')).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      const minutes = quoted('المحضر', 'Minutes')
      const status = async () => (await maha.get(`${TASKS}/${ids.minutes}`)).body.status
      await page.getByRole('button', { name: t.moves.in_progress(minutes) }).click()
      await page.getByText(t.said.in_progress(minutes)).waitFor()
      await page.getByRole('button', { name: t.moves.done(minutes) }).click()
      await page.getByText(t.said.done(minutes)).waitFor()
      await until('the task is done', async () => (await status()) === 'done')
      // The task stays in its place.
      await page.getByRole('button', { name: t.moves.open(minutes) }).waitFor()
      await page.keyboard.press('Control+z')
      await page.getByRole('button', { name: t.moves.done(minutes) }).waitFor()
      await page.waitForFunction(() => !document.querySelector('.tasks-row[data-status=done]'))
      await until('the task is in progress again', async () => (await status()) === 'in_progress')
      assert.deepEqual(await tooWide(page), [])
    })

    test(`a task is added, found by its address, changed, and deleted with time to undo (${language}, ${size})`, async () => {
      const { page, t, maha, salem, name, quoted } = await setUp(language, size)
      await page.getByRole('button', { name: t.add }).click()
      const beside = page.getByRole(size === 'phone' ? 'dialog' : 'complementary')
      await beside.getByLabel(language === 'ar' ? t.titleAr : t.titleEn, { exact: true }).fill(name('القاعة', 'Hall'))
      await beside.getByLabel(t.assignee).selectOption({ label: name('سالم', 'Salem') })
      await beside.getByLabel(t.meeting).selectOption({ index: 1 })
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await beside.getByRole('button', { name: t.createNotifying(`\u2068${name('سالم', 'Salem')}\u2069`) }).click()
      await page.getByText(t.created(quoted('القاعة', 'Hall'))).waitFor()
      const hall = (await maha.get(`${TASKS}?assigneeId=${salem.id}`)).body.find(({ dueDate }: { dueDate: string | null }) => !dueDate)
      await page.goto(`/meetings/tasks/${hall.id}`)
      await page.waitForURL(`**/meetings/tasks?open=${hall.id}`)
      await page.waitForFunction((title) => document.title.startsWith(title), name('القاعة', 'Hall'))
      await beside.getByLabel(t.details).fill('Ask the third floor')
      await page.keyboard.press('Control+s')
      await page.getByText(t.changed).waitFor()
      assert.equal((await maha.get(`${TASKS}/${hall.id}`)).body.details, 'Ask the third floor')
      assert.deepEqual(await findings(page), [])
      await beside.getByRole('button', { name: t.remove }).click()
      await page.getByText(t.removed(quoted('القاعة', 'Hall'))).waitFor()
      await beside.waitFor({ state: 'detached' })
      await row(page, name('القاعة', 'Hall')).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: toasts[language].undo }).last().click()
      await row(page, name('القاعة', 'Hall')).waitFor()
      assert.equal((await maha.get(`${TASKS}/${hall.id}`)).status, 200)
    })
  }

  test('an assignee without further rights moves a task and sees no form, and other people see the step at once', async () => {
    const { page, t, n, salem, ids, open, quoted } = await setUp('en')
    const theirs = await open(`salem${n}`, `/meetings/tasks?open=${ids.slides}`)
    await theirs.getByText(t.readOnly).waitFor()
    assert.equal(await theirs.getByRole('button', { name: t.add }).count(), 0)
    assert.equal(await theirs.getByRole('button', { name: t.moves.in_progress(quoted('', 'Minutes')) }).count(), 0)
    await theirs.keyboard.press('Escape')
    await theirs.getByRole('button', { name: t.moves.in_progress(quoted('', 'Slides')) }).click()
    await row(page, `Slides ${n}`).getByText(t.statuses.in_progress).waitFor()
    // Events also announce a task that has neither a day nor a meeting.
    const { id } = (await portal.admin.post(TASKS, { titleEn: `Letter ${n}`, assigneeId: salem.id })).body
    for (const one of [theirs, page]) await row(one, `Letter ${n}`).waitFor()
    await portal.admin.delete(`${TASKS}/${id}`)
    await row(page, `Letter ${n}`).waitFor({ state: 'detached' })
  })

  test('tasks still name an assignee who lost access or was deactivated', async () => {
    const { page, t, n, salem, ids } = await setUp('en')
    await portal.admin.delete(`/users/${salem.id}/roles/executive_viewer`)
    const slides = row(page, `Slides ${n}`)
    for (const change of [{}, { isActive: false }]) {
      await portal.admin.patch(`/users/${salem.id}`, change)
      await page.goto(`/meetings/tasks?assignee=${salem.id}&open=${ids.slides}`)
      await slides.getByText(`Salem ${n}`).waitFor()
      await page.getByRole('button', { name: `${t.whose}: Salem ${n}` }).waitFor()
      const chosen = page.getByRole('complementary').getByLabel(t.assignee).locator('option:checked')
      await chosen.filter({ hasText: t.without(`Salem ${n}`) }).waitFor({ state: 'attached' })
    }
  })

  test("an undo does not overwrite another person's later change of a task", async () => {
    const { page, t, maha, ids, quoted } = await setUp('en')
    await page.getByRole('button', { name: t.moves.in_progress(quoted('', 'Visit')) }).click()
    await page.getByText(t.said.in_progress(quoted('', 'Visit'))).waitFor()
    await maha.patch(`${TASKS}/${ids.visit}`, { status: 'cancelled' })
    await page.keyboard.press('Control+z')
    await page.locator('.toast[data-kind=error]').waitFor()
    assert.equal((await maha.get(`${TASKS}/${ids.visit}`)).body.status, 'cancelled')
  })

  test('an undo does not overwrite a change that was saved just before the own one was answered', async () => {
    const { page, t, maha, ids } = await setUp('en')
    await page.goto(`/meetings/tasks?open=${ids.visit}`)
    let isFirst = true
    await page.route(`**/api${TASKS}/${ids.visit}`, async (route) => {
      if (route.request().method() !== 'PATCH' || !isFirst) return route.continue()
      isFirst = false
      const response = await route.fetch()
      await maha.patch(`${TASKS}/${ids.visit}`, { details: 'theirs' })
      await route.fulfill({ response })
    })
    await page.getByLabel(t.details).fill('mine')
    await page.keyboard.press('Control+s')
    await page.getByText(t.changed).waitFor()
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'theirs')
    await page.getByRole('button', { name: toasts.en.undo }).click()
    await page.locator('.toast[data-kind=error]').waitFor()
    assert.equal((await maha.get(`${TASKS}/${ids.visit}`)).body.details, 'theirs')
  })

  test('keys move through the list and start a new task, filters are in the address, and an empty result offers to clear them', async () => {
    const { page, t, n, salem, meeting } = await setUp('en')
    await hasLoaded(page, 'frame/later.ts')
    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.closest('.tasks-row'))
    await page.keyboard.press('n')
    await page.getByRole('complementary').getByRole('button', { name: t.create }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`/meetings/tasks?assignee=${salem.id}`)
    await row(page, `Slides ${n}`).waitFor()
    assert.equal(await page.locator('.tasks-row').count(), 1)
    await page.goto(`/meetings/tasks?meeting=${meeting}`)
    await row(page, `Minutes ${n}`).waitFor()
    assert.equal(await page.locator('.tasks-row').count(), 1)
    await page.goto(`/meetings/tasks?meeting=${meeting}&due=today&assignee=somebody`)
    await page.getByText(filters.en.wrong).waitFor()
    await page.getByText(t.notFound).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.locator('.empty').getByRole('button', { name: filters.en.clear }).click()
    await page.waitForURL((url) => !url.search)
    await row(page, `Slides ${n}`).waitFor()
  })

  test('done tasks have their own tab, newest day first, and can be reopened', async () => {
    const { page, t, n, maha, ids, quoted } = await setUp('en')
    await maha.patch(`${TASKS}/${ids.minutes}`, { status: 'done' })
    await maha.patch(`${TASKS}/${ids.slides}`, { status: 'done' })
    await page.getByRole('tab', { name: new RegExp(`^${t.tabs.done}`) }).click()
    await page.waitForURL('**status=done')
    await row(page, `Minutes ${n}`).waitFor()
    const order = await page.locator('.tasks-row').allTextContents()
    const at = (name: string) => order.findIndex((text) => text.startsWith(`${name} ${n}`))
    assert.ok(at('Slides') < at('Minutes'))
    await row(page, `Minutes ${n}`).getByRole('button').click()
    await page.getByText(t.said.open(quoted('', 'Minutes'))).waitFor()
    await row(page, `Minutes ${n}`).waitFor({ state: 'detached' })
    assert.equal((await maha.get(`${TASKS}/${ids.minutes}`)).body.status, 'open')
  })
})
