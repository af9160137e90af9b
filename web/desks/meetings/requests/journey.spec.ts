/** A request to change a meeting: returned, sent again and decided, while everyone concerned watches. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { slowTest } from '../../../../test/suite.ts'
import { both as filters } from '../../../parts/lists/filters/texts.ts'
import {
  browser,
  findings,
  foreignTexts,
  hasLoaded,
  holdCalls,
  journeys,
  keepsText,
  pairs,
  portalWithPages,
  tooWide,
} from '../../../testing/browser.ts'
import { both as editor } from '../shared/editor/texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const MEETINGS = '/executive-meetings'
const REQUESTS = `${MEETINGS}/requests`
const named = (ar: string, en: string) => ({ displayNameAr: ar, displayNameEn: en })
const DAY_MS = 86_400_000
const day = (by: number) => new Date(Date.now() + by * DAY_MS).toISOString().slice(0, 10)

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Creates a chief who decides, a coordinator who requests, and two meetings on two days that no other test uses. */
  async function setUp(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop') {
    const n = ++made
    const sultan = await portal.person(`sultan${n}`, { ...named('سلطان', 'Sultan'), roles: ['executive_ceo'] })
    const faisal = await portal.person(`faisal${n}`, { ...named('فيصل', 'Faisal'), roles: ['executive_coordinator'] })
    const lama = await portal.person(`lama${n}`, named('لمى', 'Lama'))
    const title = (ar: string, en: string) => ({ titleAr: `${ar} ${n}`, titleEn: `${en} ${n}` })
    const [from, to] = [day(10 * n), day(10 * n + 1)]
    const attends = (...some: { id: number; username: string }[]) => some.map(({ id, username }) => ({ name: username, userId: id }))
    const add = async (fields: object) => (await faisal.post(MEETINGS, fields)).body.id as number
    const place = { locationAr: 'القاعة', locationEn: 'Hall' }
    const visit = await add({
      ...title('الزيارة', 'Visit'),
      ...place,
      date: from,
      startTime: '15:00',
      endTime: '15:30',
      attendees: attends(sultan, lama),
    })
    const review = await add({ ...title('المراجعة', 'Review'), date: to, startTime: '11:00', endTime: '12:00', attendees: attends(sultan) })
    const ask = async (body: object, who = faisal) => (await who.post(REQUESTS, body)).body.id as number
    const move = (details: object = {}) =>
      ask({
        ...{ type: 'edit', meetingId: visit, reason: 'A guest leaves early' },
        details: {
          date: to,
          startTime: '10:30',
          endTime: '11:30',
          attendees: [...attends(sultan, lama), { name: 'Guest', kind: 'external' }],
          ...details,
        },
      })
    const t = both[language]
    const open = async (username: string, path: string) => {
      const { page } = await visitAs(username, { language, size })
      await page.goto(path)
      return page
    }
    const name = (ar: string, en: string) => `\u2068${language === 'ar' ? ar : en} ${n}\u2069`
    return { t, n, sultan, faisal, lama, visit, review, from, to, ask, move, open, name }
  }
  const known = /Bawaba|admin|\d/
  const headed = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor()

  for (const { language, size } of pairs) {
    slowTest(
      `a returned request whose field two people changed shows both texts, and waits for a choice (${language}, ${size})`,
      async () => {
        const { t, faisal, visit, move, open } = await setUp(language, size)
        const id = await move()
        await portal.admin.patch(`${REQUESTS}/${id}`, { status: 'needs_edit', reviewNotes: 'Where?' })
        const page = await open(faisal.username, `/meetings/requests/${id}`)
        const place = page.getByLabel(editor[language].place, { exact: true })
        await place.fill('My place')
        await portal.admin.patch(`${MEETINGS}/${visit}`, { locationAr: 'مكان آخر', locationEn: 'Another place' })
        await page.locator('.changed').getByText('My place').waitFor()
        assert.deepEqual(await findings(page), [])
        await page.locator('.changed button').first().click()
        await page.getByRole('button', { name: t.resubmit }).waitFor()
        assert.equal(await place.inputValue(), 'My place')
      },
    )

    test(`three browsers follow each other while a request is returned, sent again and approved (${language}, ${size})`, async () => {
      const { t, n, faisal, visit, to, move, open, name } = await setUp(language, size)
      const manager = await portal.person(`maha${n}`, { ...named('مها', 'Maha'), roles: ['executive_office_manager'] })
      const list = await open(manager.username, '/meetings/requests')
      const id = await move()
      const title = t.titles.edit(name('الزيارة', 'Visit'))
      await list.getByText(title).waitFor()
      assert.deepEqual(await findings(list), [])
      assert.deepEqual(await foreignTexts(list, language, known), [])
      const asker = await open(faisal.username, `/meetings/requests/${id}`)
      await asker.getByRole('button', { name: t.withdraw }).waitFor()
      const decider = await open(`sultan${n}`, `/meetings/requests/${id}`)
      await headed(decider, title)
      // Only the changes stand out, and the clash names the people in both meetings.
      await decider.locator('tr[data-changed]').nth(2).waitFor()
      assert.equal(await decider.locator('tr[data-changed]').count(), 3)
      await decider
        .locator('.requests-follows [data-kind=warn]')
        .filter({ hasText: `sultan${n}` })
        .waitFor()
      await decider.locator('.requests-then [data-clash]').waitFor()
      assert.deepEqual(await findings(decider), [])
      assert.deepEqual(await foreignTexts(decider, language, /Bawaba|admin|sultan|lama|Guest|A guest leaves early|\d/), [])
      await decider.getByRole('button', { name: t.giveBack }).click()
      await decider.getByText(t.wordMissing).waitFor()
      await decider.locator('textarea:focus').fill('After eleven')
      await decider.getByRole('button', { name: t.giveBack }).click()
      await decider.getByText(t.said.needs_edit(title)).waitFor()
      await list.getByRole('heading', { name: t.groups.returned }).waitFor()
      // The requester sees the comment above the form.
      await asker.getByText('After eleven').waitFor()
      await asker.getByLabel(editor[language].start, { exact: true }).fill('12:15')
      await asker.getByLabel(editor[language].end, { exact: true }).fill('13:00')
      assert.deepEqual(await findings(asker), [])
      await asker.getByRole('button', { name: t.resubmit }).click()
      await asker.getByText(t.said.resubmitted(title)).waitFor()
      for (const one of [list, decider]) await one.getByRole('heading', { name: t.groups.decide }).waitFor()
      await list.getByText(title).click()
      await list.getByText(t.clear).waitFor()
      await list.getByRole('button', { name: new RegExp(t.approve.moved('').trim()) }).click()
      await list.getByText(t.said.approved(title)).waitFor()
      await asker.locator('.requests-verdict').getByText(t.verdicts.approved, { exact: true }).waitFor()
      await decider.locator('.requests-link', { hasText: title }).getByText(t.verdicts.approved).waitFor()
      const { date, startTime, attendees } = (await faisal.get(`${MEETINGS}/${visit}`)).body
      assert.deepEqual([date, startTime, attendees.length], [to, '12:15', 3])
      assert.deepEqual(await tooWide(asker), [])
    })
  }

  slowTest('keys move through the requests and focus the buttons, a second press decides, and the next request opens', async () => {
    const { t, n, visit, move, ask, open, name } = await setUp('en')
    const first = await ask({ type: 'note', meetingId: visit, details: { text: 'Bring the plan' } })
    const second = await move()
    const page = await open(`sultan${n}`, `/meetings/requests/${second}`)
    await headed(page, t.titles.edit(name('', 'Visit')))
    await page
      .locator('.requests-list')
      .getByText(t.titles.note(name('', 'Visit')))
      .waitFor()
    await hasLoaded(page, 'frame/later.ts')
    await page.keyboard.press('j')
    await page.waitForURL(`**/requests/${first}`)
    await page.keyboard.press('k')
    await page.waitForURL(`**/requests/${second}`)
    await page.locator('[data-decision=approve]').waitFor()
    await page.keyboard.press('r')
    await page.locator('[data-decision=reject]:focus').waitFor()
    await page.keyboard.press('a')
    await page.locator('[data-decision=approve]:focus').waitFor()
    await page.keyboard.press('a')
    await page.getByText(t.said.approved(t.titles.edit(name('', 'Visit')))).waitFor()
    await page.waitForURL(`**/requests/${first}`)
    await page.getByText(t.approve.note).waitFor()
    assert.deepEqual(await findings(page), [])
  })

  slowTest('a decision by somebody else shows their name and keeps the typed comment', async () => {
    const { t, n, move, open, name } = await setUp('en')
    const manager = await portal.person(`other${n}`, { ...named('مها', 'Maha'), roles: ['executive_office_manager'] })
    const id = await move()
    const page = await open(`sultan${n}`, `/meetings/requests/${id}`)
    await headed(page, t.titles.edit(name('', 'Visit')))
    const word = page.getByLabel(t.word('\u2068Faisal\u2069'))
    await word.fill('My own word')
    await page.goto('/meetings/requests')
    await page.getByText(t.titles.edit(name('', 'Visit'))).click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'My own word')
    await manager.patch(`${REQUESTS}/${id}`, { status: 'rejected', reviewNotes: 'Not this week' })
    await page.getByText(t.meanwhile(t.verdicts.rejected, '\u2068Maha\u2069')).waitFor()
    assert.equal(await page.getByLabel(t.typed).inputValue(), 'My own word')
    await page.getByText('Not this week').waitFor()
    assert.equal(await page.locator('[data-decision]').count(), 0)
    assert.deepEqual(await findings(page), [])
  })

  slowTest('a comment typed while a decision is sent is kept', async () => {
    const { t, n, move, open, name } = await setUp('en')
    const id = await move()
    const page = await open(`sultan${n}`, `/meetings/requests/${id}`)
    const { began, release } = await holdCalls(page, `**/api${REQUESTS}/${id}`)
    const word = page.getByLabel(t.word('\u2068Faisal\u2069'))
    await word.fill('Not this week')
    await page.locator('[data-decision=reject]').click()
    await began
    await word.fill('Not this week, but the next')
    release()
    await page.getByText(t.said.rejected(t.titles.edit(name('', 'Visit')))).waitFor()
    await keepsText(page, 'but the next')
  })

  slowTest('a returned request is sent again unchanged', async () => {
    const { t, faisal, move, open, name } = await setUp('en')
    const id = await move()
    await portal.admin.patch(`${REQUESTS}/${id}`, { status: 'needs_edit', reviewNotes: 'Where?' })
    const page = await open(faisal.username, `/meetings/requests/${id}`)
    await page.getByRole('button', { name: t.resubmit }).click()
    await page.getByText(t.said.resubmitted(t.titles.edit(name('', 'Visit')))).waitFor()
    assert.equal((await faisal.get(`${REQUESTS}/${id}`)).body.status, 'pending')
  })

  slowTest('an approval of a replaced proposal is refused, and the page shows the new one', async () => {
    const { t, n, faisal, visit, to, move, open, name } = await setUp('en')
    const id = await move()
    const page = await open(`sultan${n}`, `/meetings/requests/${id}`)
    await page.locator('[data-decision=approve]').waitFor()
    const held: Route[] = []
    let isHeld = true
    await page.route(`**/api${REQUESTS}/${id}`, (route) =>
      isHeld && route.request().method() === 'GET' ? void held.push(route) : route.continue(),
    )
    await portal.admin.patch(`${REQUESTS}/${id}`, { status: 'needs_edit', reviewNotes: 'Later' })
    await faisal.patch(`${REQUESTS}/${id}`, { action: 'resubmit', details: { date: to, startTime: '13:15', endTime: '14:00' } })
    const refused = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.locator('[data-decision=approve]').click()
    assert.equal((await refused).status(), 412)
    isHeld = false
    for (const route of held) await route.continue()
    await page.getByText(t.changedMeanwhile).waitFor()
    await page.locator('tr[data-changed]').getByText('13:15').waitFor()
    assert.equal((await faisal.get(`${REQUESTS}/${id}`)).body.status, 'pending')
    assert.deepEqual(await findings(page), [])
    await page.locator('[data-decision=approve]').click()
    await page.getByText(t.said.approved(t.titles.edit(name('', 'Visit')))).waitFor()
    assert.equal((await faisal.get(`${MEETINGS}/${visit}`)).body.startTime, '13:15')
  })

  slowTest(
    'the page of a request names the fields of the meeting that have changed since the request, and its first column shows their present values',
    async () => {
      const { t, n, faisal, visit, move, open } = await setUp('en')
      const id = await move()
      const page = await open(`sultan${n}`, `/meetings/requests/${id}`)
      await page.locator('tr[data-changed]').first().waitFor()
      await faisal.patch(`${MEETINGS}/${visit}`, { locationEn: 'Garden', titleEn: `Tour ${n}` })
      await page.locator('.requests-since').getByText(`${t.fields.title} and ${t.fields.place}`).waitFor()
      await page.locator('tr[data-same]').getByText('Garden').first().waitFor()
    },
  )

  slowTest('a chief who is no administrator cannot approve their own request, and withdrawing it needs a confirmation', async () => {
    const { t, n, sultan, visit, ask, open } = await setUp('en')
    const id = await ask({ type: 'cancel', meetingId: visit, details: { text: 'The guest is ill' } }, sultan)
    const page = await open(`sultan${n}`, `/meetings/requests/${id}`)
    await page.getByText(t.notOwn).waitFor()
    await page.getByText('The guest is ill').waitFor()
    assert.equal(await page.locator('[data-decision]').count(), 0)
    await page.getByRole('button', { name: t.withdraw }).click()
    const dialog = page.getByRole('dialog')
    assert.deepEqual(await findings(page), [])
    await dialog.getByRole('button', { name: t.withdraw }).click()
    await page.locator('.requests-verdict').getByText(t.verdicts.withdrawn, { exact: true }).waitFor()
    assert.equal((await sultan.get(`${REQUESTS}/${id}`)).body.status, 'withdrawn')
  })

  slowTest('a viewer reads requests without buttons, and the address filters the list by status', async () => {
    const { t, n, ask, to, open, name } = await setUp('en')
    const viewer = await portal.person(`viewer${n}`, { ...named('سالم', 'Salem'), roles: ['executive_viewer'] })
    const details = { date: to, startTime: '08:00', endTime: '09:00', titleEn: `Lunch ${n}`, titleAr: `غداء ${n}` }
    const id = await ask({ type: 'create', details })
    const title = t.titles.create(name('', 'Lunch'))
    const page = await open(viewer.username, `/meetings/requests?status=pending`)
    await page.getByText(title).click()
    await page.waitForURL(`**/requests/${id}`)
    await headed(page, title)
    await page.getByText(t.onlyDeciders).waitFor()
    assert.equal(await page.locator('.requests-end button').count(), 0)
    await page.goto('/meetings/requests?status=lost')
    await page.getByText(filters.en.wrong).waitFor()
    await page.goto('/meetings/requests/2147483647')
    await page.getByText(t.gone).waitFor()
    assert.deepEqual(await findings(page), [])
  })
})
