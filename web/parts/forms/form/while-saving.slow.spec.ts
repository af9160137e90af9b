/** Forms while they are being saved, and several forms on one page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

interface Text {
  text: string
}

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  test('a form whose changes somebody else has made meanwhile ends as if it had saved them', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, useForm, Form, Refusal, Save, TextField } = window.stage
      function Editor() {
        const form = useForm<Text>({
          from: { text: 'former' },
          version: '"1"',
          reread: async () => ({ from: { text: 'newer' }, version: '"2"' }),
          save: () => Promise.reject(new Refusal(412, { code: 'changed_meanwhile' })),
          after: (isThere) => void window.calls.push(isThere),
        })
        return h(Form<Text>, {
          of: form,
          children: [h(TextField, { key: 1, label: 'Text', ...form.text('text') }), h(Save<Text>, { key: 2, of: form })],
        })
      }
      render(h(Editor, null), document.getElementById('root')!)
    })
    await page.getByLabel('Text', { exact: true }).fill('newer')
    await page.keyboard.press('Control+s')
    await page.waitForFunction(() => window.calls.length === 1)
    assert.deepEqual(await calls(), [true])
  })

  test('a press of the button ends a form whose changes have arrived from somebody else', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, signal, useForm, Form, Save, TextField, Toasts } = window.stage
      const record = signal({ from: { text: 'former' }, version: '"1"' })
      function Editor() {
        const form = useForm<Text>({
          ...record.value,
          save: async (changed) => void window.calls.push(changed),
          after: (isThere) => void window.calls.push(isThere),
        })
        return h(Form<Text>, {
          of: form,
          children: [
            h(TextField, { key: 1, label: 'Text', ...form.text('text') }),
            h(Save<Text>, { key: 2, of: form }),
            h('output', { key: 3 }, form.isChanged ? 'changed' : 'as saved'),
          ],
        })
      }
      render([h(Editor, { key: 1 }), h(Toasts, { key: 2 })], document.getElementById('root')!)
      Object.assign(window, { arrive: () => (record.value = { from: { text: 'newer' }, version: '"2"' }) })
    })
    const save = page.getByRole('button', { name: both.en.save, exact: true })
    await save.click()
    assert.deepEqual(await calls(), [])
    await page.getByLabel('Text', { exact: true }).fill('newer')
    await page.getByText('changed', { exact: true }).waitFor()
    await page.evaluate(() => (window as unknown as { arrive: () => void }).arrive())
    await page.getByText('as saved', { exact: true }).waitFor()
    await save.click()
    await page.getByText(both.en.saved, { exact: true }).waitFor()
    assert.deepEqual(await calls(), [true])
  })

  for (const language of languages) {
    const t = both[language]

    test(`a change that was saved without an answer does not count as somebody else’s (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, useForm, ChangedMeanwhile, Form, Refusal, Save, TextField, Toasts, Unreached } = window.stage
        let record = { from: { text: 'former' }, version: 1 }
        const now = () => ({ ...record, version: String(record.version) })
        function Editor() {
          const form = useForm<Text>({
            from: { text: 'former' },
            version: '1',
            by: async () => 'Salma',
            reread: async () => now(),
            save: async (changed, version) => {
              window.calls.push([changed.text, version])
              if (version !== now().version) throw new Refusal(412, { code: 'changed_meanwhile' })
              record = { from: { text: changed.text!.trim() }, version: record.version + 1 }
              // The first two answers are lost.
              if (record.version < 4) throw new Unreached()
              return now()
            },
          })
          return h(Form<Text>, {
            of: form,
            children: [
              h(TextField, { key: 1, label: 'Text', ...form.text('text') }),
              h(ChangedMeanwhile<Text>, { key: 2, of: form, labels: { text: 'Text' } }),
              h(Save<Text>, { key: 3, of: form }),
            ],
          })
        }
        render([h(Editor, { key: 1 }), h(Toasts, { key: 2 })], document.getElementById('root')!)
      })
      const field = page.getByLabel('Text', { exact: true })
      const lost = (count: number) => page.waitForFunction((count) => window.calls.length === count, count)
      await field.fill('newer ')
      await page.keyboard.press('Control+s')
      await lost(1)
      await field.fill('former')
      await page.keyboard.press('Control+s')
      await lost(3)
      await field.fill('newest')
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.equal(await field.inputValue(), 'newest')
      assert.deepEqual(await calls(), [
        ['newer ', '1'],
        ['former', '1'],
        ['former', '2'],
        ['newest', '2'],
        ['newest', '3'],
      ])
    })

    test(`a field that is changed back during a save keeps its text, and the change can be saved (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, useForm, Form, Save, TextField, Toasts } = window.stage
        function Editor() {
          const form = useForm<Text>({
            from: { text: 'former' },
            version: '"1"',
            save: async (changed) => {
              window.calls.push(changed.text)
              await new Promise((resolve) => Object.assign(window, { answer: resolve }))
            },
          })
          return h(Form<Text>, {
            of: form,
            children: [h(TextField, { key: 1, label: 'Text', ...form.text('text') }), h(Save<Text>, { key: 2, of: form })],
          })
        }
        render([h(Editor, { key: 1 }), h(Toasts, { key: 2 })], document.getElementById('root')!)
      })
      const field = page.getByLabel('Text', { exact: true })
      const answer = () => page.evaluate(() => (window as unknown as { answer: () => void }).answer())
      await field.fill('newer')
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 1)
      await field.fill('former')
      await answer()
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.equal(await field.inputValue(), 'former')
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 2)
      await answer()
      assert.deepEqual(await calls(), ['newer', 'former'])
    })

    test(`another person’s text that arrives during a save is shown, and does not count as one’s own change (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, useForm, Form, Save, TextField, Toasts } = window.stage
        const record = signal({ from: { text: 'former' }, version: '"1"' })
        const theirs = { from: { text: 'theirs' }, version: '"3"' }
        function Editor() {
          const form = useForm<Text>({
            ...record.value,
            reread: async () => theirs,
            save: async (changed) => {
              window.calls.push(changed.text)
              record.value = { from: { text: 'mine' }, version: '"2"' }
              await new Promise(requestAnimationFrame)
              record.value = theirs
              await new Promise((resolve) => Object.assign(window, { answer: resolve }))
              return { from: { text: 'mine' }, version: '"2"' }
            },
          })
          return h(Form<Text>, {
            of: form,
            children: [
              h(TextField, { key: 1, label: 'Text', ...form.text('text') }),
              h(Save<Text>, { key: 2, of: form }),
              h('output', { key: 3 }, form.isChanged ? 'changed' : 'as saved'),
            ],
          })
        }
        render([h(Editor, { key: 1 }), h(Toasts, { key: 2 })], document.getElementById('root')!)
      })
      const field = page.getByLabel('Text', { exact: true })
      const reads = (text: string) => page.waitForFunction((text) => document.querySelector('input')?.value === text, text)
      await field.fill('mine')
      await page.keyboard.press('Control+s')
      await reads('theirs')
      await page.evaluate(() => (window as unknown as { answer: () => void }).answer())
      await page.getByText(t.saved, { exact: true }).waitFor()
      await reads('theirs')
      await page.getByText('as saved', { exact: true }).waitFor()
      assert.deepEqual(await calls(), ['mine'])
    })

    test(`a form reports that it was not saved if other people save twice during its save (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, useForm, Form, Refusal, Save, TextField } = window.stage
        let version = 1
        function Editor() {
          const form = useForm<Text>({
            from: { text: 'former' },
            version: '"1"',
            reread: async () => ({ from: { text: 'former' }, version: `"${version}"` }),
            save: async () => {
              version++
              throw new Refusal(412, { code: 'changed_meanwhile', messageAr: 'changed twice', messageEn: 'changed twice' })
            },
          })
          return h(Form<Text>, {
            of: form,
            children: [h(TextField, { key: 1, label: 'Text', ...form.text('text') }), h(Save<Text>, { key: 2, of: form })],
          })
        }
        render(h(Editor, null), document.getElementById('root')!)
      })
      await page.getByLabel('Text', { exact: true }).fill('newer')
      await page.keyboard.press('Control+s')
      await page.getByRole('alert').filter({ hasText: 'changed twice' }).waitFor()
      assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'newer')
    })

    test(`Ctrl S saves the form with the focus, or the only one with changes (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, useForm, Form, TextField } = window.stage
        function Editor({ name }: { name: string }) {
          const form = useForm<Text>({ from: { text: '' }, version: '"1"', save: async () => void window.calls.push(name) })
          return h(Form<Text>, { of: form, children: h(TextField, { label: name, ...form.text('text') }) })
        }
        render([h(Editor, { key: 1, name: 'One' }), h(Editor, { key: 2, name: 'Two' })], document.getElementById('root')!)
      })
      const field = (name: string) => page.getByLabel(name, { exact: true })
      await field('One').fill('1')
      await field('Two').fill('2')
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 1)
      assert.deepEqual(await calls(), ['Two'])
      await field('Two').blur()
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 2)
      assert.deepEqual(await calls(), ['Two', 'One'])
    })

    test(`a form that was closed while it was being saved does not close the next one (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, useForm, Form, TextField } = window.stage
        const shown = signal('One')
        function Editor() {
          const form = useForm<Text>({
            from: { text: '' },
            save: async () => {
              shown.value = 'Two'
              while (document.querySelector('label')?.textContent?.includes('One')) await new Promise(requestAnimationFrame)
            },
            after: (isThere) => void window.calls.push(isThere),
          })
          return h(Form<Text>, { of: form, children: h(TextField, { label: shown.value, ...form.text('text') }) })
        }
        const Page = () => h(Editor, { key: shown.value })
        render(h(Page, null), document.getElementById('root')!)
      })
      await page.getByLabel('One', { exact: true }).fill('1')
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 1)
      assert.deepEqual(await calls(), [false])
    })
  }
})
