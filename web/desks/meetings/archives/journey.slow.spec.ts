/** Printed schedules: printing one, opening it in the page, and learning that it is out of date. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { archiving, newDay } from '../../../../test/archives.ts'
import { both as words } from '../../../parts/texts.ts'
import { language as inForce } from '../../../platform/language.ts'
import { browser, findings, foreignTexts, holdCalls, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { changesSince, newestOf } from './days.ts'
import { t } from './texts.ts'

const portal = portalWithPages()
const { meet, archive, ready, abandoned, print } = archiving(portal)

test('the meetings added, changed and removed since a day was printed are counted', () => {
  const printed = { createdAt: '2026-11-24T10:00:00.000Z', meetingCount: 3 }
  const meeting = (createdAt: string, updatedAt = createdAt) => ({ createdAt: `2026-11-${createdAt}`, updatedAt: `2026-11-${updatedAt}` })
  assert.deepEqual(changesSince(printed, [meeting('20T08:00'), meeting('20T08:00', '24T11:00'), meeting('24T12:00')]), {
    added: 1,
    changed: 1,
    removed: 1,
  })
})

test('the newest sheet in each language represents its day', () => {
  const all = [3, 2, 1].map((id) => ({ id, language: id === 2 ? ('ar' as const) : ('en' as const) }))
  assert.deepEqual(
    Array.from(newestOf(all), ({ id }) => id),
    [3, 2],
  )
})

/** A pattern for the day as the pages write it. */
const written = (date: string) => new RegExp(`${Number(date.slice(8))} .*${date.slice(0, 4)}`)

journeys(() => {
  // Only a browser with a window shows PDF files.
  const { visitAs } = browser(portal, { notifies: true })
  let visitors = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function at(path: string, role = 'executive_coordinator', prepare?: (page: Page) => Promise<unknown>) {
      inForce.value = language
      const name = `office-${visitors++}`
      const { username } = await portal.person(name, { displayNameAr: 'مها الدوسري', displayNameEn: 'Maha', roles: [role] })
      const opened = await visitAs(username, pair)
      await prepare?.(opened.page)
      await opened.page.goto(`/meetings/archives${path}`)
      return opened
    }

    test(titled("a day is printed in the person's language, opens in the page once it is ready, and can be downloaded"), async () => {
      const date = newDay()
      await meet(date)
      const { page } = await at(`?date=${date}`)
      await page
        .getByRole('button', { name: written(date) })
        .first()
        .click()
      const frame = page.locator('iframe')
      await frame.waitFor()
      assert.match((await frame.getAttribute('src'))!, /^blob:/)
      assert.match(page.url(), /open=\d+/)
      await page.locator('.prints-row[aria-pressed=true]').getByText(t.languages[language]).waitFor()
      const file = page.waitForEvent('download')
      await page.getByRole('link', { name: t.download }).click()
      assert.equal((await file).suggestedFilename(), `schedule-${date}-${language}.pdf`)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|office-\d+/), [])
      assert.deepEqual(await tooWide(page), [])
      await page.keyboard.press('Escape')
      await frame.waitFor({ state: 'detached' })
    })

    test(titled('a day that is printed late does not change the page to which the person has gone'), async () => {
      const date = newDay()
      await meet(date)
      const { page } = await at(`?date=${date}`)
      const { began, release } = await holdCalls(page, '**/api/executive-meetings/pdf-archives')
      const print = page.getByRole('button', { name: written(date) }).first()
      await print.click()
      await began
      await page.getByRole('link', { name: t.fonts }).first().click()
      await page.locator('.fonts').waitFor()
      const answered = page.waitForResponse('**/api/executive-meetings/pdf-archives')
      release()
      await (await answered).finished()
      // The answer is handled before two frames are drawn.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      assert.equal(new URL(page.url()).search, '')
    })

    test(titled('an open list shows live how a day has changed since it was printed, and prints it again'), async () => {
      const date = newDay()
      await meet(date)
      await ready(await archive(date, { language }))
      const { page } = await at(`?from=${date}&to=${date}`)
      await page.locator('.prints-row').waitFor()
      await page.getByText(t.isOld).waitFor({ state: 'detached' })
      await meet(date, { startTime: '11:00' })
      await page.getByText(t.changed({ added: 1, changed: 0, removed: 0 })).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.again }).click()
      await page.locator('iframe').waitFor()
      await page.getByText(t.changed({ added: 1, changed: 0, removed: 0 })).waitFor({ state: 'detached' })
      assert.equal(await page.getByText(t.isOld).count(), 1)
    })

    test(titled('a day that is too long for its font size is refused with the largest size that fits'), async () => {
      const date = newDay()
      for (let n = 0; n < 9; n++) await meet(date, { notes: 'x'.repeat(5000) })
      const { page } = await at(`?date=${date}`)
      await page.evaluate(() =>
        fetch('/api/executive-meetings/font-settings', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: '{"fontSize":48}',
        }),
      )
      await page
        .getByRole('button', { name: written(date) })
        .first()
        .click()
      await page.getByRole('alert').getByText(written(date)).waitFor()
      assert.match((await page.getByRole('alert').filter({ hasText: '48' }).textContent())!, /43/)
      assert.deepEqual(await findings(page), [])
    })

    test(titled('a sheet that cannot be printed after all tries is reported as lost'), async () => {
      const date = newDay()
      const { id } = await abandoned(date)
      const { page } = await at(`?open=${id}`)
      await page.locator('.prints-row[aria-pressed=true]').waitFor()
      await page.getByText(t.arranging).waitFor()
      await print({ id }, 1)
      await page.getByRole('alert').getByText(t.lost('').split(':')[1]!).waitFor()
      await page.getByRole('alert').getByText(written(date)).waitFor()
      assert.equal(await page.locator('.prints-sheet').count(), 0)
    })

    test(titled('a sheet that does not arrive is given up after two minutes, and opens when it is asked for again'), async () => {
      const date = newDay()
      const { id } = await ready(await archive(date, { language }))
      const { page } = await at(`?open=${id}`, 'executive_viewer', async (page) => {
        await page.clock.install()
        await page.route('**/file', () => {}, { times: 1 })
        void page.waitForRequest('**/file').then(() => page.clock.fastForward('02:00'))
      })
      await page.getByText(t.failed).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: words[language].retry }).click()
      await page.locator('iframe').waitFor()
    })

    test(titled('readers cannot print, and a browser that shows no PDF files offers a download'), async () => {
      const date = newDay()
      const { id } = await ready(await archive(date, { language }))
      const { page } = await at(`?open=${id}`, 'executive_viewer', (page) =>
        page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false })),
      )
      await page.getByText(t.noViewer).waitFor()
      await page.getByRole('link', { name: t.download }).waitFor()
      assert.equal(await page.getByRole('form', { name: t.newPrint }).count(), 0)
      assert.equal(await page.getByRole('button', { name: t.onPaper }).count(), 0)
      assert.deepEqual(await findings(page), [])
      await page.goto('/meetings/archives?from=2050-01-01&to=2050-01-02')
      await page.getByText(t.noneFound).waitFor()
      await page.goto('/meetings/archives?open=2147483647')
      await page.getByText(t.notKept).waitFor()
    })
  }
})
