/** Keys that work anywhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys } from '../testing/browser.ts'
import { nowhere, staged } from '../testing/parts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  test('the second key of two belongs to neither the page nor the row that has the focus', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, addShortcut, listenForShortcuts } = window.stage
      const note = (what: string) => void window.calls.push(what)
      listenForShortcuts()
      addShortcut({ codes: ['KeyN'], text: () => '', run: () => note('new') })
      addShortcut({ codes: ['KeyG', 'KeyN'], text: () => '', run: () => note('notes') })
      const onKeyDown = (event: KeyboardEvent) => event.code === 'KeyA' && note('row')
      addShortcut({ codes: ['KeyG', 'KeyA'], text: () => '', run: () => note('administration') })
      render(h('button', { onKeyDown }, 'row'), document.getElementById('root')!)
    })
    await page.keyboard.press('n')
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.getByText('row').focus()
    await page.keyboard.press('a')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    assert.deepEqual(await calls(), ['new', 'notes', 'row', 'administration'])
  })
})
