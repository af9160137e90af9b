/** A form for a record that does not exist yet, and the callback after a save. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]

    test(`values with which a new record is opened replace those of its draft without a question (${language})`, async () => {
      const { page } = await open(language)
      const draw = (from: { title: string; place: string }) =>
        page.evaluate((from) => {
          const { h, render, useForm, Form, TextField, ChangedMeanwhile } = window.stage
          type Values = typeof from
          function Editor() {
            const form = useForm<Values>({ from, draft: 'meeting:new', isNew: true, save: async () => {} })
            return h(Form<Values>, {
              of: form,
              children: [
                h(TextField, { key: 1, label: 'Title', ...form.text('title') }),
                h(TextField, { key: 2, label: 'Place', ...form.text('place') }),
                h(ChangedMeanwhile<Values>, { key: 3, of: form, labels: { title: 'Title', place: 'Place' } }),
              ],
            })
          }
          const root = document.getElementById('root')!
          render(null, root)
          render(h(Editor, null), root)
        }, from)
      await draw({ title: '', place: '' })
      await page.getByLabel('Title', { exact: true }).fill('Board')
      await page.getByLabel('Place', { exact: true }).fill('Hall')
      await draw({ title: 'Lunch', place: '' })
      await page.getByText(t.restored).waitFor()
      const now = await Promise.all(['Title', 'Place'].map((label) => page.getByLabel(label, { exact: true }).inputValue()))
      assert.deepEqual([now, await page.locator('.changed').count()], [['Lunch', 'Hall'], 0])
    })

    test(`a suggested value does not replace the one that somebody has chosen for a new record (${language})`, async () => {
      const { page } = await open(language)
      const draw = (day: string) =>
        page.evaluate((day) => {
          const { h, render, useForm, Form, TextField } = window.stage
          type Values = { title: string; day: string }
          function Editor() {
            const form = useForm<Values>({
              ...{ from: { title: '', day }, draft: 'review:new', isNew: true, suggested: ['day'] },
              save: async () => {},
            })
            return h(Form<Values>, {
              of: form,
              children: [
                h(TextField, { key: 1, label: 'Title', ...form.text('title') }),
                h(TextField, { key: 2, label: 'Day', ...form.text('day') }),
              ],
            })
          }
          const root = document.getElementById('root')!
          render(null, root)
          render(h(Editor, null), root)
        }, day)
      await draw('28')
      const day = page.getByLabel('Day', { exact: true })
      await page.getByLabel('Title', { exact: true }).fill('Autumn')
      await draw('29')
      await page.getByText(t.restored).waitFor()
      assert.equal(await day.inputValue(), '29')
      await day.fill('30')
      await draw('31')
      await page.getByText(t.restored).waitFor()
      assert.equal(await day.inputValue(), '30')
    })

    test(`the callback after a save runs even if the person has left the page, and is told so (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, go, useForm, Form, Save, TextField } = window.stage
        function Editor() {
          const form = useForm<{ title: string }>({
            from: { title: '' },
            draft: 'task:new',
            save: async () => go('/elsewhere'),
            after: (isThere) => void window.calls.push(isThere),
          })
          return h(Form<{ title: string }>, {
            of: form,
            children: [h(TextField, { key: 1, label: 'Title', ...form.text('title') }), h(Save<{ title: string }>, { key: 2, of: form })],
          })
        }
        render(h(Editor, null), document.getElementById('root')!)
      })
      await page.getByLabel('Title', { exact: true }).fill('Letter')
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 1)
      assert.deepEqual(await calls(), [false])
    })
  }
})
