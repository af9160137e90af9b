/** Unsaved text, failed searches, tooltips, toasts and long lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both as ofDialogs } from '../overlay/dialog-texts.ts'
import { both } from '../texts.ts'
import { both as unchosen } from './combobox-texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)
  const t = ofDialogs.en

  /** A dialog with a field that has no draft. */
  async function withDialog() {
    const opened = await open('en')
    await opened.page.evaluate(() => {
      const { h, render, signal, Dialog, TextField } = window.stage
      const isOpen = signal(true)
      const close = () => {
        isOpen.value = false
      }
      const Page = () => isOpen.value && h(Dialog, { title: 'Form', close, children: h(TextField, { label: 'Name', name: 'name' }) })
      render(h(Page, null), document.getElementById('root')!)
    })
    return { ...opened, dialog: opened.page.getByRole('dialog'), field: opened.page.getByLabel('Name') }
  }

  test('a press that begins inside a dialog and ends outside leaves it open; a press outside closes it', async () => {
    const { page, dialog, field } = await withDialog()
    const { x, y, width, height } = (await field.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(3, 3)
    await page.mouse.up()
    assert.equal(await dialog.count(), 1)
    await page.mouse.click(3, 3)
    await dialog.waitFor({ state: 'detached' })
  })

  test('a dialog asks before it discards typed text, however often Escape is pressed', async () => {
    const { page, dialog, field } = await withDialog()
    await field.fill('Layla')
    await page.keyboard.press('Escape')
    await page.getByText(t.unsaved).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.keyboard.press('Escape')
    await page.getByText(t.unsaved).waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'Layla')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t.discard }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('a combobox searches once after a pause in typing, and reports a failed search', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, Combobox } = window.stage
      const find = async (typed: string) => {
        window.calls.push(typed)
        if (typed === 'none') throw new Error('nobody answers')
        return Array.from({ length: 80 }, (_, index) => `${typed} ${index}`)
      }
      const own = { label: 'Person', find, id: (one: string) => one, choose: () => {}, children: (one: string) => one }
      render(h(Combobox<string>, own), document.getElementById('root')!)
      addEventListener('error', (event) => event.preventDefault())
    })
    const field = page.getByRole('combobox')
    await field.focus()
    await field.evaluate((input: HTMLInputElement) => {
      for (const typed of ['s', 'sa', 'sam']) {
        input.value = typed
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await page.getByRole('option', { name: 'sam 0', exact: true }).waitFor()
    assert.equal(await page.getByRole('option').count(), 50)
    await field.fill('none')
    await page.getByText(both.en.notDone).waitFor()
    assert.deepEqual(await findings(page), [])
    assert.deepEqual(await calls(), ['sam', 'none'])
  })

  test('a form is not saved while a name was typed but not chosen, and the field says so and has the focus', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, Form, IdsField, TextField, useForm } = window.stage
      interface Team {
        name: string
        ids: number[]
      }
      const people = [{ id: 7, name: 'Sami' }]
      function Editor() {
        const form = useForm<Team>({
          from: { name: '', ids: [] },
          version: '"1"',
          save: async (changed) => void window.calls.push(changed),
        })
        const ids = h(IdsField<(typeof people)[number]>, {
          ...{ key: 2, label: 'Members', addLabel: 'Add', ids: form.values.ids, change: (ids: number[]) => form.set('ids', ids) },
          of: () => undefined,
          name: ({ name }) => name,
          find: () => people,
          children: ({ name }) => name,
        })
        return h(Form<Team>, { of: form, children: [h(TextField, { key: 1, label: 'Name', ...form.text('name') }), ids] })
      }
      render(h(Editor, null), document.getElementById('root')!)
    })
    const [name, members] = [page.getByLabel('Name', { exact: true }), page.getByRole('combobox')]
    const isAsked = () => page.getByRole('alert').getByText(unchosen.en.unchosen).waitFor()
    await name.fill('Finance')
    await members.fill('Sam')
    await page.keyboard.press('Control+s')
    await isAsked()
    assert.deepEqual(await findings(page), [])
    await name.press('Control+s')
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox')
    assert.deepEqual(await calls(), [])
    await members.fill('Sami')
    await page.getByRole('option', { name: 'Sami' }).click()
    await page.keyboard.press('Control+s')
    await page.waitForFunction(() => window.calls.length > 0)
    assert.deepEqual(await calls(), [{ name: 'Finance', ids: [7] }])
  })

  test('a button without a text shows a tooltip on hover and on keyboard focus', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, startTips } = window.stage
      startTips()
      const button = {
        type: 'button' as const,
        class: 'button',
        'data-shape': 'round',
        'aria-label': 'Archive',
        'aria-keyshortcuts': 'Control+E',
      }
      render(h('button', button, '×'), document.getElementById('root')!)
    })
    const tip = page.locator('.tip:popover-open')
    await page.getByRole('button').hover()
    await tip.getByText('Archive').waitFor()
    assert.equal(await tip.locator('kbd').textContent(), 'Ctrl+E')
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
    await page.mouse.move(0, 300)
    await page.keyboard.press('Tab')
    await tip.waitFor()
  })

  test('a new toast replaces an earlier one about the same thing', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, say, Toasts } = window.stage
      render(h(Toasts, null), document.getElementById('root')!)
      const stays = { undo: () => {}, undoUntil: Date.now() + 3_600_000 }
      say({ ...stays, about: 'order 1', text: 'Tea ordered' })
      say({ ...stays, text: 'Saved' })
      say({ ...stays, about: 'order 1', text: 'Tea cancelled' })
    })
    await page.getByText('Tea cancelled').waitFor()
    assert.deepEqual(await page.locator('.toast > span').allTextContents(), ['Saved', 'Tea cancelled'])
  })

  test('a list of two hundred rows contains nothing but rows', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, VirtualList } = window.stage
      const rows = Array.from({ length: 200 }, (_, index) => index)
      const own = { rows, id: (row: number) => row, height: 30, label: 'Rows', children: (row: number) => h('li', null, `row ${row}`) }
      render(h(VirtualList<number>, own), document.getElementById('root')!)
    })
    await page.getByText('row 0', { exact: true }).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByText('row 199').waitFor()
    assert.deepEqual(await findings(page), [])
  })
})
