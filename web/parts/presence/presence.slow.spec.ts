import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]

    test(`the faces of other people at a record show, and a message says who edits or has saved it (${language})`, async () => {
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
  }
})
