/** A set edited as a whole: keys, both directions, and fifty thousand items. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

interface Person {
  id: number
  name: string
}

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** A set of `size` people, the first of them fixed; the ids `removed` are marked as removed. Lina (100001) and Turki (100002) are not in it. */
  async function drawn(language: 'ar' | 'en', size: number, removed: readonly number[] = []) {
    const opened = await open(language)
    await opened.page.evaluate(
      ([size, removed]) => {
        const { h, render, signal, SetEditor, Toasts } = window.stage
        const outside = [
          { id: 100_001, name: 'Lina' },
          { id: 100_002, name: 'Turki' },
        ]
        const member = (index: number) => ({ id: index + 1, name: `member ${index + 1}` })
        const before: { add: readonly Person[]; remove: readonly Person[] } = { add: [], remove: removed.map((id) => member(id - 1)) }
        const chosen = signal(before)
        const pages = signal<ReadonlySet<number>>(new Set([0]))
        Object.assign(window, { chosen })
        const Page = () => [
          h(SetEditor<Person>, {
            key: 1,
            label: 'Members',
            addLabel: 'Add people',
            id: (one) => one.id,
            name: (one) => one.name,
            children: (one) => h('span', null, one.name),
            search: async (typed) => [...outside, member(4)].filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase())),
            list: (typed) => ({
              total: typed ? 1 : size,
              rows: (index) =>
                typed ? member(Number(typed.replace(/\D/g, '')) - 1) : pages.value.has(Math.floor(index / 100)) ? member(index) : undefined,
              ask(from, to) {
                const asked = [Math.floor(from / 100), Math.floor(to / 100)].filter((page) => !pages.peek().has(page))
                if (asked.length === 0) return
                window.calls.push(...asked)
                pages.value = new Set([...pages.peek(), ...asked])
              },
            }),
            count: size,
            isIn: ({ id }) => id <= size,
            staged: chosen.value,
            change: (next) => (chosen.value = next),
            fixed: ({ id }) => (id === 1 ? 'through Finance' : undefined),
            resolve: async (texts) =>
              texts.map((text) => ({
                text,
                matches:
                  text === 'Sami'
                    ? [member(8), { id: 100_003, name: 'Sami of Sales' }]
                    : [...outside, member(4)].filter(({ name }) => name === text),
              })),
          }),
          h(Toasts, { key: 2 }),
        ]
        render(h(Page, null), document.getElementById('root')!)
      },
      [size, removed] as const,
    )
    const { page } = opened
    const change = () =>
      page.evaluate(() => {
        const { add, remove } = (window as unknown as { chosen: { value: { add: Person[]; remove: Person[] } } }).chosen.value
        return { add: add.map(({ name }) => name), remove: remove.map(({ name }) => name) }
      })
    const isAt = (name: string) => page.waitForFunction((name) => document.activeElement?.textContent?.startsWith(name), name)
    return { ...opened, change, isAt, field: page.getByRole('combobox', { name: 'Add people' }) }
  }

  for (const language of languages) {
    const t = both[language]
    const onward = language === 'ar' ? 'ArrowLeft' : 'ArrowRight'
    const bare = (name: string) => `\u2068${name}\u2069`

    test(`Enter adds a person, who is announced and shown first, and the addition can be undone (${language})`, async () => {
      const { page, field, change } = await drawn(language, 5)
      assert.deepEqual(await findings(page), [])
      await field.fill('li')
      await page.getByRole('option', { name: 'Lina' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText(t.added(bare('Lina'), 1)).waitFor()
      assert.deepEqual([await change(), await field.inputValue()], [{ add: ['Lina'], remove: [] }, ''])
      assert.ok(await field.evaluate((element) => element === document.activeElement))
      // A member is shown in the results but cannot be chosen.
      await field.fill('member')
      await page.getByRole('option', { name: t.inside, disabled: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      assert.deepEqual(await change(), { add: ['Lina'], remove: [] })
      await page
        .getByRole('row')
        .first()
        .getByRole('button', { name: t.takeBack(bare('Lina')) })
        .click()
      assert.deepEqual(await change(), { add: [], remove: [] })
    })

    test(`an item that was marked as removed before is shown once, at the top (${language})`, async () => {
      const { page } = await drawn(language, 5, [3])
      const rows = page.getByRole('row').filter({ hasText: 'member' })
      await page.getByText('member 5', { exact: true }).waitFor()
      const names = await rows.getByText(/^member \d$/).allTextContents()
      assert.deepEqual(names, ['member 3', 'member 1', 'member 2', 'member 4', 'member 5'])
    })

    test(`arrows move between rows, Delete marks a row as removed without moving it, and a fixed row stays (${language})`, async () => {
      const { page, change, field, isAt } = await drawn(language, 30)
      await page.locator('[role=row][tabindex="0"]').focus()
      await isAt('member 1')
      await page.keyboard.press('Delete')
      assert.deepEqual(await change(), { add: [], remove: [] })
      await page.keyboard.press('ArrowDown')
      await isAt('member 2')
      await page.keyboard.press('Delete')
      await page.getByText(t.removed(bare('member 2'), 1)).waitFor()
      // The row stays in its place until the focus leaves the list, and then moves to the top.
      await isAt('member 2')
      assert.equal(await page.locator('[aria-rowindex="2"]').getAttribute('data-state'), 'leaves')
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press(onward)
      await page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, t.takeBack(bare('member 2')))
      await page.keyboard.press('Enter')
      assert.deepEqual(await change(), { add: [], remove: [] })
      await page.keyboard.press(onward)
      await page.keyboard.press('Delete')
      await page.keyboard.press('Insert')
      assert.ok(await field.evaluate((element) => element === document.activeElement))
      await page.locator('[aria-rowindex="1"][data-state=leaves]').waitFor()
      assert.equal(
        await page
          .getByRole('row')
          .filter({ hasText: /^member 2(?!\d)/ })
          .count(),
        1,
      )
      assert.equal(await page.locator('[aria-rowindex="3"]').textContent(), 'member 3')
      await page.locator('[role=row][tabindex="0"]').focus()
      await page.keyboard.type('tu')
      await page.getByRole('option', { name: 'Turki' }).waitFor()
    })

    test(`of fifty thousand rows only visible ones are rendered and loaded, down to the last (${language})`, async () => {
      const { page, calls, isAt } = await drawn(language, 50_000)
      await page.locator('[role=row][tabindex="0"]').focus()
      await page.keyboard.press('End')
      await isAt('member 50000')
      assert.ok((await page.getByRole('row').count()) < 60)
      await page.keyboard.press('Delete')
      await page.locator('[data-state=leaves]').waitFor()
      await page.keyboard.press('Home')
      await isAt('member 1')
      assert.ok((await calls()).length < 6, String(await calls()))
      assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '50000')
    })

    test(`a pasted list adds its matches, asks about ambiguous texts, and offers missing ones for copying (${language})`, async () => {
      const { page, field, change } = await drawn(language, 5)
      await field.focus()
      await field.evaluate((element) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', 'Lina\nTurki\nmember 5\nSami\nnobody@example.com')
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await page.getByText([t.foundCount('2'), t.alreadyCount('1'), t.ambiguousCount('1'), t.missingCount('1')].join(t.comma)).waitFor()
      assert.deepEqual(await change(), { add: ['Lina', 'Turki'], remove: [] })
      assert.deepEqual(await findings(page), [])
      await page
        .getByRole('group', { name: t.which(bare('Sami')) })
        .getByRole('button', { name: 'Sami of Sales' })
        .click()
      assert.deepEqual((await change()).add, ['Lina', 'Turki', 'Sami of Sales'])
      await page.getByText('nobody@example.com').waitFor()
      await page.getByRole('button', { name: t.changed('3') }).click()
      assert.equal(await page.getByRole('row').count(), 3)
      await page.keyboard.press('Enter')
      assert.equal(await page.getByRole('row').count(), 8)
    })

    test(`a set of more than twenty can be searched (${language})`, async () => {
      const { page } = await drawn(language, 300)
      await page.getByRole('searchbox', { name: t.filter }).fill('member 250')
      await page.getByRole('row', { name: 'member 250' }).waitFor()
      assert.equal(await page.getByRole('row').count(), 1)
      await page.keyboard.press('Escape')
      await page.locator('[aria-rowindex="2"]').filter({ hasText: 'member 2' }).waitFor()
      assert.deepEqual(await findings(page), [])
    })
  }
})
