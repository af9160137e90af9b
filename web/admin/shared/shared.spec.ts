/** What the pages of the administration share: a history that is put back, what a deletion takes along, and who else is there. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Impact } from '../../parts/consequences/shapes.ts'
import { both as consequences } from '../../parts/consequences/texts.ts'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** Two entries of today and one of an earlier day, which was a forced deletion. */
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
            window.heard.push(`preview ${id}`)
            if (id === 2) throw new Refusal(409, { messageAr: 'as before', messageEn: 'as before' })
            return { impact: { ...nothing, gainsCount: 6 }, overwrites: ['Huda changed it'], ended: ['Lina'] }
          },
          async run({ id }) {
            window.heard.push(`run ${id}`)
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

    test(`a history stands by day, and an entry is put back by the button that says what comes of it (${language})`, async () => {
      const { page, heard } = await drawn(language)
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
      assert.deepEqual(await heard(), ['preview 3', 'run 3'])
    })

    test(`what is so already is not put back, and what is final cannot be (${language})`, async () => {
      const { page, heard } = await drawn(language)
      await page.getByRole('button', { name: t.putBack }).nth(1).click()
      await page.getByText('as before').waitFor()
      assert.equal(await page.locator('.previewed .button').count(), 1)
      await page.getByRole('button', { name: t.notNow }).click()
      await page.getByText(t.cannot).waitFor()
      assert.deepEqual(await heard(), ['preview 2'])
    })

    test(`a deletion shows what goes with it, asks for the name, and opens a recorded list on a press only (${language})`, async () => {
      const { page, heard } = await open(language)
      await page.evaluate(() => {
        const { h, render, Dependents } = window.stage
        const list = (name: string) => () => {
          window.heard.push(name)
          return name
        }
        const dialog = h(Dependents<string>, {
          title: 'Deleting Dana',
          kinds: [
            { key: 'orders', text: 'Orders', count: 4, list: list('orders') },
            { key: 'groups', text: 'Groups', count: 0, list: list('groups') },
            { key: 'notes', text: 'Notes', count: 12, isAudited: true, list: list('notes') },
          ],
          instead: [{ text: 'Deactivate', hint: 'She cannot sign in', run: () => window.heard.push('instead') }],
          name: 'dana',
          button: 'Delete Dana and hers',
          remove: async () => window.heard.push('removed'),
          done: () => window.heard.push('done'),
          close: () => window.heard.push('closed'),
        })
        render(dialog, document.getElementById('root')!)
      })
      assert.equal(await page.getByRole('tab').count(), 2)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.getByText(t.audited).waitFor()
      assert.ok(!(await heard()).includes('notes'))
      await page.getByRole('button', { name: t.openList }).click()
      assert.ok((await heard()).includes('notes'))
      const button = page.getByRole('button', { name: 'Delete Dana and hers' })
      assert.ok(await button.isDisabled())
      await page.getByLabel(t.typeName('\u2068dana\u2069')).fill('dana ')
      await button.click()
      await page.waitForFunction(() => window.heard.includes('done'))
    })

    test(`who else is there has a face, and is told of who edits or has saved (${language})`, async () => {
      const { page, heard } = await open(language)
      await page.evaluate(() => {
        const { h, render, Faces, Meanwhile } = window.stage
        const person = (id: number) => ({ id, username: `person${id}`, displayNameAr: null, displayNameEn: null, avatarUrl: null })
        const present = [1, 2, 3, 4, 5, 6].map((id) => ({ user: person(id), editing: id === 1, since: '2026-11-24T09:00:00Z' }))
        const saved = { by: person(9), at: new Date().toISOString() }
        const show = () => window.heard.push('shown')
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
      assert.deepEqual(await heard(), ['shown'])
    })
  }
})
