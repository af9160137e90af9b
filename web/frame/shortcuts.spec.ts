/** Keyboard shortcuts, the focus, and texts under the browser's translation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys } from '../testing/browser.ts'
import { nowhere, staged } from '../testing/parts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  test('when the focused element is removed, the nearest heading gets the focus', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, signal, keepFocus, Dialog } = window.stage
      keepFocus()
      const rows = signal(['one', 'two'])
      const isOpen = signal(false)
      const leave = () => {
        rows.value = ['two']
        isOpen.value = false
      }
      const Page = () => [
        h('h1', null, 'Groups'),
        h('section', null, [
          h('h2', null, 'Yours'),
          rows.value.map((one) => h('button', { key: one, onClick: () => (isOpen.value = true) }, `leave ${one}`)),
        ]),
        isOpen.value &&
          h(Dialog, { title: 'Leave?', close: () => (isOpen.value = false), children: h('button', { onClick: leave }, 'yes') }),
        h('section', null, [
          h('h2', null, 'Others'),
          rows.value.includes('two') && h('button', { onClick: () => (rows.value = []) }, 'empty'),
        ]),
      ]
      render(h('main', null, h(Page, null)), document.getElementById('root')!)
    })
    const isFocused = (text: string) => page.waitForFunction((text) => document.activeElement?.textContent === text, text)
    await page.getByText('leave one').press('Enter')
    await page.getByText('yes').press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The heading of the section in which the dialog's button was.
    await isFocused('Yours')
    await page.getByText('empty').press('Enter')
    await isFocused('Others')
  })

  test('a text that changes while the browser translates the page shows its new value', async () => {
    const { page } = await open('en')
    await page.evaluate(async () => {
      const { h, render, signal, followTranslation } = window.stage
      followTranslation()
      const count = signal(3)
      const Page = () => h('h1', null, ['Waiting ', count.value])
      render(h(Page, null), document.getElementById('root')!)
      const root = document.getElementById('root')!
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const text of texts) {
        const [font, inner] = [document.createElement('font'), document.createElement('font')]
        inner.textContent = `translated ${text.data}`
        font.append(inner)
        text.replaceWith(font)
      }
      await new Promise(requestAnimationFrame)
      count.value = 4
    })
    await page.waitForFunction(() => document.querySelector('#root h1')?.textContent === 'translated Waiting 4')
  })

  test('going back to a long list returns the focus to its row', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, arrived, at, path, startRouting, VirtualList } = window.stage
      startRouting()
      const rows = Array.from({ length: 200 }, (_, id) => id)
      const row = (id: number) => h('li', { style: { blockSize: '60px' } }, h('a', { href: at(`/rows/${id}`) }, `row ${id}`))
      const List = () => h(VirtualList<number>, { rows, id: (one) => one, height: 60, children: row })
      const Page = () => h('main', null, h('h1', null, path.value), path.value === '/' && h(List, null))
      // The frame calls `arrived` for each page that it renders.
      path.subscribe(() => setTimeout(arrived))
      render(h(Page, null), document.getElementById('root')!)
    })
    const row = page.getByRole('link', { name: 'row 150' })
    for (let step = 0; step < 40 && !(await row.isVisible()); step++) await page.mouse.wheel(0, 600)
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '/rows/150' }).waitFor()
    await page.goBack()
    await page.waitForFunction(() => document.activeElement?.textContent === 'row 150')
  })

  test('going back to a list whose rows are higher than the guess shows the same rows', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, arrived, path, startRouting, VirtualList } = window.stage
      startRouting()
      const rows = Array.from({ length: 200 }, (_, id) => id)
      const row = (id: number) => h('li', { style: { blockSize: '90px' } }, `row ${id}`)
      const List = () => h(VirtualList<number>, { rows, id: (one) => one, height: 60, label: 'Rows', children: row })
      const Page = () => h('main', null, h('h1', null, path.value), path.value === '/' && h(List, null))
      path.subscribe(() => setTimeout(arrived))
      render(h(Page, null), document.getElementById('root')!)
    })
    const row = page.getByText('row 150', { exact: true })
    for (let step = 0; step < 40 && !(await row.isVisible()); step++) await page.mouse.wheel(0, 600)
    await row.scrollIntoViewIfNeeded()
    const { y } = (await row.boundingBox())!
    await page.evaluate(() => window.stage.go('/elsewhere'))
    await page.getByRole('heading', { name: '/elsewhere' }).waitFor()
    await page.goBack()
    await page.waitForFunction((top) => {
      const row = [...document.querySelectorAll('li')].find(({ textContent }) => textContent === 'row 150')
      return row && Math.abs(row.getBoundingClientRect().top - top) < 2
    }, y)
  })

  test('the second key of a sequence triggers neither the page’s own shortcut nor the focused row’s', async () => {
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
