import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages, pressBack } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from '../texts.ts'
import { both as typed } from './dialog-texts.ts'
import { both as once } from './once-texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]

    /** A page with two dialogs, the second opened from the first, and the toasts of the frame. */
    async function drawn() {
      const opened = await open(language)
      await opened.page.evaluate(() => {
        const { h, render, signal, Dialog, Toasts, say } = window.stage
        const depth = signal(0)
        const report = (text: string) => say({ text, undo: () => window.calls.push(`undone ${text}`), undoUntil: Date.now() + 3_600_000 })
        const opener = (to: number) => h('button', { type: 'button', onClick: () => (depth.value = to) }, `open ${to}`)
        const shown = (at: number) =>
          depth.value >= at &&
          h(
            Dialog,
            { title: `Dialog ${at}`, close: () => (depth.value = at - 1), children: null },
            h('button', { type: 'button', onClick: () => report(`in ${at}`) }, `say ${at}`),
            opener(at + 1),
          )
        const Page = () => h('div', null, opener(1), shown(1), shown(2), h(Toasts, null))
        render(h(Page, null), document.getElementById('root')!)
        Object.assign(window, { report })
      })
      const { page } = opened
      const report = (text: string) => page.evaluate((text) => (window as unknown as { report(text: string): void }).report(text), text)
      return { ...opened, report }
    }
    const focused = () => document.activeElement?.textContent

    test(`a dialog keeps the focus inside, closes on Escape and returns the focus (${language})`, async () => {
      const { page } = await drawn()
      await page.getByText('open 1').press('Enter')
      await page.getByRole('dialog', { name: 'Dialog 1' }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByText('open 2').press('Enter')
      await page.getByRole('dialog', { name: 'Dialog 2' }).waitFor()
      for (const [left, name] of [
        [1, 'open 2'],
        [0, 'open 1'],
      ] as const) {
        await page.keyboard.press('Escape')
        await page.waitForFunction((left) => document.querySelectorAll('dialog[open]').length === left, left)
        assert.equal(await page.evaluate(focused), name)
      }
    })

    test(`a dialog that shows something only once asks before Escape, the cross or a press outside closes it (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, Once } = window.stage
        const isOpen = signal(true)
        const close = () => (isOpen.value = false)
        const Page = () =>
          isOpen.value && h(Once, { title: 'Token', close, children: 'secret', end: h('button', { onClick: close }, 'Done') })
        render(h(Page, null), document.getElementById('root')!)
      })
      const words = once[language]
      const dialog = page.getByRole('dialog', { name: 'Token' })
      for (const leave of [
        () => page.keyboard.press('Escape'),
        () => page.mouse.click(2, 2),
        () => dialog.getByRole('button', { name: t.close, exact: true }).click(),
      ]) {
        await leave()
        await dialog.getByText(words.unsaved).waitFor()
        assert.deepEqual(await findings(page), [])
        await dialog.getByRole('button', { name: words.stay }).click()
        await dialog.getByText('secret').waitFor()
      }
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'detached' })
    })

    test(`the browser’s Back asks before a dialog loses something, and the dialog’s own way back does not (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, startRouting, Dialog, Once, TextField } = window.stage
        startRouting()
        const shown = signal('none')
        const opener = (what: string) => h('button', { type: 'button', onClick: () => (shown.value = what) }, what)
        const close = () => {
          shown.value = 'none'
          history.back()
        }
        const Page = () => [
          opener('once'),
          opener('typed'),
          shown.value === 'once' && h(Once, { title: 'Token', close, children: 'secret', end: h('button', { onClick: close }, 'Done') }),
          shown.value === 'typed' && h(Dialog, { title: 'Note', close, children: h(TextField, { label: 'Text' }) }),
        ]
        render(h(Page, null), document.getElementById('root')!)
        addEventListener('popstate', () => window.calls.push(location.search))
        for (const search of ['?at=1', '?at=2']) history.pushState(null, '', search)
      })
      const dialog = page.getByRole('dialog')
      await page.getByText('once', { exact: true }).click()
      await pressBack(page)
      await dialog.getByText(once[language].unsaved).waitFor()
      await dialog.getByRole('button', { name: once[language].stay }).click()
      await dialog.getByText('secret').waitFor()
      assert.deepEqual(await calls(), [])
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.waitForURL(/at=1/)
      await page.getByText('typed', { exact: true }).click()
      await dialog.getByLabel('Text').fill('Bring the plan')
      await pressBack(page)
      await dialog.getByText(typed[language].unsaved).waitFor()
      assert.match(page.url(), /at=1/)
      await dialog.getByRole('button', { name: typed[language].discard }).click()
      await page.waitForURL((url) => url.search === '')
      assert.deepEqual(await calls(), ['?at=1', ''])
    })

    test(`the browser and the command palette ask before a dialog loses something, and not otherwise (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, Dialog, TextField } = window.stage
        const link = h('a', { key: 2, href: 'webcal://example.org/7' }, 'In the calendar')
        const children = [h(TextField, { key: 1, label: 'Text' }), link]
        render(h(Dialog, { title: 'Note', close: () => {}, children }), document.getElementById('root')!)
      })
      const dialog = page.getByRole('dialog')
      /** Whether the document may be closed, and the palette opened. */
      const mayLeave = () => page.evaluate(() => [dispatchEvent(new Event('beforeunload', { cancelable: true })), window.stage.mayLeave()])
      await dialog.waitFor()
      assert.deepEqual(await mayLeave(), [true, true])
      await dialog.getByLabel('Text').fill('Bring the plan')
      await page.waitForFunction(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
      assert.deepEqual(await mayLeave(), [false, false])
      await dialog.getByText(typed[language].unsaved).waitFor()
      // The browser also announces that a press on such a link would close the document, but the other program opens beside it.
      await dialog.getByText('In the calendar').focus()
      assert.deepEqual(await mayLeave(), [true, false])
    })

    test(`keys can reach a toast over a dialog and undo its action (${language})`, async () => {
      const { page, calls, report } = await drawn()
      await report('before')
      await page.getByText('open 1').press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Dialog 1' })
      // Both an earlier toast and a new one can be reached.
      await dialog.getByText('before', { exact: true }).waitFor()
      await page.getByText('say 1').press('Enter')
      await dialog.getByText('in 1', { exact: true }).waitFor()
      assert.equal(await page.locator('.toast').count(), 2)
      assert.deepEqual(await findings(page), [])
      const undo = dialog.getByRole('button', { name: t.undo }).last()
      for (let step = 0; step < 12 && !(await undo.evaluate((button) => button === document.activeElement)); step++)
        await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      assert.deepEqual(await calls(), ['undone in 1'])
      await page.getByText('say 1').focus()
      await page.keyboard.press('Control+z')
      assert.deepEqual(await calls(), ['undone in 1', 'undone before'])
    })

    test(`each of four actions can be undone, although only three toasts are shown at a time (${language})`, async () => {
      const { page, calls, report } = await drawn()
      for (const one of ['first', 'second', 'third', 'fourth']) await report(one)
      assert.equal(await page.locator('.toast').count(), 3)
      for (let n = 0; n < 4; n++) await page.keyboard.press('Control+z')
      assert.deepEqual(
        await calls(),
        ['fourth', 'third', 'second', 'first'].map((one) => `undone ${one}`),
      )
      assert.equal(await page.locator('.toast').count(), 0)
    })

    test(`a toast over a dialog can be pressed, and stays when the dialog closes (${language})`, async () => {
      const { page, calls } = await drawn()
      await page.getByText('open 1').click()
      await page.getByText('open 2').click()
      await page.getByText('say 2').click()
      await page.getByRole('dialog', { name: 'Dialog 2' }).getByText('in 2', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Dialog 1' }).getByText('in 2', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: t.undo }).click()
      assert.deepEqual(await calls(), ['undone in 2'])
      assert.equal(await page.locator('.toast').count(), 0)
    })
  }
})
