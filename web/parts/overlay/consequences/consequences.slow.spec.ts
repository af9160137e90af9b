/** The preview of saving a form: late and outdated answers, and the label of the button. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import type { Impact } from './shapes.ts'
import { both } from './texts.ts'

interface Asked {
  ids: number[]
  answer: (impact: Partial<Impact>) => void
  fail: () => void
}
declare global {
  interface Window {
    asked: Asked[]
    version: { value: string }
  }
}

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  async function drawn(language: 'ar' | 'en') {
    const opened = await open(language)
    await opened.page.clock.install({ time: 0 })
    await opened.page.clock.pauseAt(3_600_000)
    await opened.page.evaluate(() => {
      const { h, render, signal, useForm, useForeseen, Consequences, Form } = window.stage
      const nothing: Impact = {
        ...{ loses: [], losesCount: 0, gains: [], gainsCount: 0, keeps: [], keepsCount: 0, ordersReturned: [], ordersReturnedCount: 0 },
        ...{ sessionsEnded: 0, becomesAdmin: [], becomesAdminCount: 0, lastAdmin: false, self: { losesAdmin: false } },
        ...{ unaffectedCount: 0, noChange: false },
      }
      window.asked = []
      window.version = signal('1')
      interface Values {
        text: string
        ids: number[]
      }
      const from: Values = { text: '', ids: [] }
      function Page() {
        const foreseen = useForeseen<Values, number[]>({
          plan: ({ ids }) => (ids.length > 0 ? ids : undefined),
          ask: (ids, signal) =>
            new Promise((resolve, reject) => {
              signal.addEventListener('abort', () => window.calls.push(`aborted ${ids}`))
              const answer = (impact: Partial<Impact>) => resolve({ ...nothing, ...impact })
              window.asked.push({ ids, answer, fail: () => reject(new window.stage.Refusal(503, {})) })
            }),
        })
        const form = useForm<Values>({
          from,
          version: window.version.value,
          foreseen,
          save: async (changed) => {
            window.calls.push(changed)
          },
        })
        const next = [...form.values.ids, form.values.ids.length + 1]
        return h(Form<Values>, {
          of: form,
          isWide: true,
          children: [
            h('button', { key: 1, type: 'button', onClick: () => form.set('ids', next) }, 'add'),
            h('button', { key: 2, type: 'button', onClick: () => form.set('text', 'other') }, 'text'),
            h(Consequences<Values>, { key: 3, of: foreseen, form, changes: form.values.ids.length }),
          ],
        })
      }
      render(h(Page, null), document.getElementById('root')!)
    })
    const { page } = opened
    return {
      ...opened,
      add: () => page.getByRole('button', { name: 'add' }).click(),
      asked: () => page.evaluate(() => window.asked.map(({ ids }) => ids)),
      answer: (impact: Partial<Impact>, index = -1) =>
        page.evaluate(([impact, index]) => window.asked.at(index)!.answer(impact), [impact, index] as const),
      button: (name: string) => page.getByRole('button', { name, exact: true }),
    }
  }

  for (const language of languages) {
    const t = both[language]

    test(`quick changes cause one request, and an outdated answer is dropped (${language})`, async () => {
      const { page, add, asked, answer, button, calls } = await drawn(language)
      await page.getByText(t.waiting).waitFor()
      await add()
      await add()
      await page.clock.runFor(300)
      assert.deepEqual(await asked(), [[1, 2]])
      assert.equal(await button(t.save).getAttribute('aria-busy'), 'true')
      await page.keyboard.press('Control+s')
      await add()
      await page.clock.runFor(300)
      assert.deepEqual(await asked(), [
        [1, 2],
        [1, 2, 3],
      ])
      await answer({ losesCount: 9 }, 0)
      await answer({ losesCount: 3, gainsCount: 2 })
      await button(t.outcome(t.save, [t.lose(3), t.gain(2)])).waitFor()
      await page.clock.resume()
      assert.deepEqual(await findings(page), [])
      await page.clock.runFor(1000)
      await page
        .getByRole('status')
        .filter({ hasText: t.outcome(t.save, [t.lose(3), t.gain(2)]) })
        .waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText(t.waiting).waitFor()
      assert.deepEqual((await calls()).slice(0, 2), ['aborted 1,2', { ids: [1, 2, 3] }])
    })

    test(`the preview is requested again after somebody else has saved (${language})`, async () => {
      const { page, add, asked, answer, button } = await drawn(language)
      await add()
      await page.clock.runFor(300)
      await answer({ losesCount: 1 })
      await button(t.outcome(t.save, [t.lose(1)])).waitFor()
      await page.evaluate(() => {
        window.version.value = '2'
      })
      await page.clock.runFor(600)
      assert.deepEqual(await asked(), [[1], [1]])
      await answer({ losesCount: 2 })
      await button(t.outcome(t.save, [t.lose(2)])).waitFor()
    })

    test(`a change without consequences is saved without a preview (${language})`, async () => {
      const { page, asked, button, calls } = await drawn(language)
      await page.getByRole('button', { name: 'text' }).click()
      await button(t.save).click()
      await page.clock.runFor(3000)
      assert.deepEqual([await asked(), await calls()], [[], [{ text: 'other' }]])
    })

    test(`the button does not wait for a late preview, which is shown when it arrives (${language})`, async () => {
      const { page, add, answer, button } = await drawn(language)
      await add()
      await page.clock.runFor(2100)
      await button(t.withoutPreview).waitFor()
      await page.getByText(t.late).waitFor()
      await page.clock.resume()
      assert.deepEqual(await findings(page), [])
      await answer({ losesCount: 1 })
      await button(t.outcome(t.save, [t.lose(1)])).waitFor()
    })

    test(`a failed preview is reported, and saving stays possible (${language})`, async () => {
      const { page, add, button, calls } = await drawn(language)
      await add()
      await page.clock.runFor(300)
      await page.evaluate(() => window.asked[0]!.fail())
      await page.getByText(t.unknown).waitFor()
      await button(t.withoutPreview).click()
      await page.getByText(t.waiting).waitFor()
      assert.deepEqual((await calls())[0], { ids: [1] })
    })

    test(`a change that would leave no administrator cannot be saved (${language})`, async () => {
      const { page, add, answer, button, calls } = await drawn(language)
      await add()
      await page.clock.runFor(300)
      await answer({ lastAdmin: true, losesCount: 1 })
      await page.getByRole('alert').filter({ hasText: t.lastAdmin }).waitFor()
      assert.ok(await button(t.save).isDisabled())
      await page.keyboard.press('Control+s')
      assert.deepEqual(await calls(), [])
      await button(t.discard(1)).click()
      await page.getByText(t.waiting).waitFor()
    })
  }
})
