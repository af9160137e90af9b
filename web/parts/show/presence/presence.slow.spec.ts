import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]

    test(`the faces of other people who have the record open are shown, and a message says who edits or has saved it (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, Faces, Meanwhile } = window.stage
        const person = (id: number) => ({ id, username: `person${id}`, displayNameAr: null, displayNameEn: null, avatarUrl: null })
        const present = [1, 2, 3, 4, 5, 6].map((id) => ({ user: person(id), editing: id === 1, since: '2026-11-24T09:00:00Z' }))
        const saved = { by: person(9), at: new Date().toISOString() }
        const show = () => window.calls.push('shown')
        render(
          [
            h(Faces, { key: 1, of: present }),
            h(Meanwhile, { key: 2, present, saved: undefined }),
            h(Meanwhile, { key: 3, present, saved, show }),
            h(Meanwhile, { key: 4, present: present.slice(1), saved: undefined }),
          ],
          document.getElementById('root')!,
        )
      })
      assert.equal(await page.locator('.faces .face').count(), 4)
      assert.match((await page.getByRole('img').getAttribute('aria-label'))!, new RegExp(t.othersHere(2)))
      assert.equal(await page.locator('.meanwhile').count(), 2)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.show }).click()
      assert.deepEqual(await calls(), ['shown'])
    })

    test(`the people of one day are not shown on another, even if their names arrive late (${language})`, async () => {
      const { page } = await open(language)
      const person = (id: number) => ({ id, username: `person${id}`, displayNameAr: null, displayNameEn: null, avatarUrl: null })
      const present = (id: number) => [{ user: person(id), editing: false, since: '2026-11-24T09:00:00Z' }]
      const waiting: (() => void)[] = []
      await page.route('**/api/executive-meetings/presence', async (route) => {
        const { date } = route.request().postDataJSON()
        if (date === '2026-11-25') await new Promise<void>((resolve) => waiting.push(resolve))
        await route.fulfill({ json: date === '2026-11-24' ? present(1) : date === '2026-11-25' ? present(2) : [] })
      })
      await page.evaluate(() => {
        const { h, render, signal, Faces, usePresence } = window.stage
        const date = signal('2026-11-24')
        const Day = () => [h('h2', { key: 1 }, date.value), h(Faces, { key: 2, of: usePresence('meeting_day', date.value, false) })]
        const show = (day: string) => {
          date.value = day
        }
        Object.assign(window, { show })
        render(h(Day, null), document.getElementById('root')!)
      })
      const show = (day: string) => page.evaluate((day) => (window as unknown as { show: (day: string) => void }).show(day), day)
      const faces = page.locator('.faces .face')
      await faces.waitFor()
      const [late] = await Promise.all([
        page.waitForRequest((request) => request.postDataJSON()?.date === '2026-11-25'),
        show('2026-11-25'),
      ])
      await page.getByRole('heading', { name: '2026-11-25' }).waitFor()
      assert.equal(await faces.count(), 0)
      const isAsked = page.waitForResponse((response) => response.request().postDataJSON()?.date === '2026-11-26')
      await show('2026-11-26')
      await isAsked
      waiting[0]!()
      await late.response()
      await page.evaluate(() => new Promise(requestAnimationFrame))
      assert.equal(await faces.count(), 0)
    })
  }
})
