import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import type { Impact } from '../../overlay/consequences/shapes.ts'
import { both as consequences } from '../../overlay/consequences/texts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** Renders two entries of today, and a forced deletion on an earlier day. */
  async function drawn(language: 'ar' | 'en') {
    const opened = await open(language)
    await opened.page.clock.setFixedTime(new Date('2026-11-24T12:00:00Z'))
    await opened.page.evaluate(() => {
      const { h, render, History, Refusal, Toasts } = window.stage
      const omar = { id: 1, username: 'omar', displayNameAr: 'عمر', displayNameEn: 'Omar', avatarUrl: null }
      const nothing: Impact = {
        ...{ loses: [], losesCount: 0, gains: [], gainsCount: 0, keeps: [], keepsCount: 0, ordersReturned: [], ordersReturnedCount: 0 },
        ...{ sessionsEnded: 0, becomesAdmin: [], becomesAdminCount: 0, lastAdmin: false, self: { losesAdmin: false } },
        ...{ unaffectedCount: 0, noChange: false },
      }
      const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
      const page = h(History, {
        entries: [
          {
            id: 3,
            createdAt: '2026-11-24T09:41:00Z',
            actor: omar,
            sentence: '\u2068Omar\u2069 took \u2068Manager\u2069',
            removed: ['Manager'],
            same: names,
          },
          { id: 2, createdAt: '2026-11-24T08:00:00Z', actor: omar, sentence: 'gave', added: ['Manager'] },
          { id: 1, createdAt: '2026-11-01T08:00:00Z', actor: null, sentence: 'deleted', isFinal: true },
        ],
        putBack: {
          async preview({ id }) {
            window.calls.push(`preview ${id}`)
            if (id === 2) throw new Refusal(409, { messageAr: 'as before', messageEn: 'as before' })
            return { impact: { ...nothing, gainsCount: 6 }, overwrites: ['Huda changed it'], ended: ['Lina'] }
          },
          async run({ id }) {
            window.calls.push(`run ${id}`)
          },
        },
      })
      render([page, h(Toasts, { key: 2 })], document.getElementById('root')!)
    })
    return opened
  }

  for (const language of languages) {
    const t = both[language]
    const c = consequences[language]

    test(`a history is grouped by day, and the button that reverts an entry states the outcome (${language})`, async () => {
      const { page, calls } = await drawn(language)
      assert.equal(await page.getByRole('heading', { level: 2 }).count(), 2)
      assert.match((await page.getByRole('heading', { level: 2 }).first().textContent())!, new RegExp(`^${t.today}.*2026.*1448`))
      assert.equal(await page.locator('del').textContent(), 'Manager')
      await page.getByText(t.moreChips('2')).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.equal(await page.getByRole('button', { name: t.putBack }).count(), 2)
      await page.getByRole('button', { name: t.putBack }).first().press('Enter')
      const act = page.getByRole('button', { name: c.outcome(t.putBack, [c.gain(6)]) })
      await page.getByText('Huda changed it').waitFor()
      await page.getByText(t.ended('Lina')).waitFor()
      assert.ok(await act.isDisabled())
      assert.deepEqual(await findings(page), [])
      await page.getByLabel(t.overwrites).check()
      await act.press('Enter')
      await page.getByText(t.done).waitFor()
      assert.deepEqual(await calls(), ['preview 3', 'run 3'])
    })

    test(`an entry whose revert would change nothing is not reverted, and a final entry cannot be reverted (${language})`, async () => {
      const { page, calls } = await drawn(language)
      await page.getByRole('button', { name: t.putBack }).nth(1).click()
      await page.getByText('as before').waitFor()
      assert.equal(await page.locator('.previewed .button').count(), 1)
      await page.getByRole('button', { name: t.notNow }).click()
      await page.getByText(t.cannot).waitFor()
      assert.deepEqual(await calls(), ['preview 2'])
    })
  }
})
