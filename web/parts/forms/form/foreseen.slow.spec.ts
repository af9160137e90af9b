/** A form whose button shows the consequences of saving. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages)
    test(`a key that follows a change at once does not save what was not previewed yet (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(async () => {
        const { h, render, useForm, Form, Save } = window.stage
        let said: string | undefined = 'nobody'
        function Editor() {
          const form = useForm<{ ids: number[] }>({
            ...{ from: { ids: [1] }, version: '"1"' },
            foreseen: {
              said: () => said,
              of: async ({ ids }) => {
                said = ids.length === 1 ? 'nobody' : undefined
                return said
              },
            },
            save: async ({ ids }) => void window.calls.push(ids),
          })
          const add = h('button', { key: 1, type: 'button', onClick: () => form.set('ids', [1, 2]) }, 'add 2')
          return h(Form<{ ids: number[] }>, { of: form, children: [add, h(Save<{ ids: number[] }>, { key: 2, of: form })] })
        }
        render(h(Editor, null), document.getElementById('root')!)
        const button = document.querySelector<HTMLButtonElement>('button')!
        const save = () => new KeyboardEvent('keydown', { code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true })
        button.focus()
        // The form takes the key once it listens; there is nothing to save yet.
        while (button.dispatchEvent(save())) await new Promise(requestAnimationFrame)
        button.click()
        // Lets the page render, as it does between two keys, but not paint.
        for (let turn = 0; turn < 20; turn++) await Promise.resolve()
        button.dispatchEvent(save())
      })
      assert.deepEqual(await calls(), [])
    })
})
