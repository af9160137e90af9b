/** A list in columns: choosing, sorting and opening rows, by keys, mouse and touch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** A table of 412 people; the first hundred are loaded. */
  async function drawn(language: 'ar' | 'en') {
    const opened = await open(language)
    await opened.page.evaluate(() => {
      const { h, render, signal, Table, Chosen, useChoice } = window.stage
      const sorting = signal('name')
      const query = signal('all')
      Object.assign(window, { query })
      const list = {
        ...{ total: 412, length: 412, isKnown: true, error: undefined, asOf: undefined, isFormer: false },
        at: (index: number) => (index < 100 ? index : undefined),
        show: () => {},
        refresh: () => {},
      }
      const name = (row: number) => `person ${row}`
      function Page() {
        const choice = useChoice<number>(list, (row) => row, query.value)
        return [
          h(Table<number>, {
            key: 1,
            label: 'People',
            list,
            id: (row) => row,
            name,
            choice,
            sorting: sorting.value,
            sort: (by) => {
              sorting.value = by
            },
            keys: { KeyE: (row) => window.calls.push(`edit ${row}`) },
            failed: 'Failed',
            columns: [
              {
                key: 'name',
                head: 'Name',
                width: '1fr',
                sort: 'ascending',
                cell: (row) => h('a', { class: 'grid-link', href: '#' }, name(row)),
              },
              { key: 'seen', head: 'Seen', width: '1fr', sort: 'descending', cell: (row) => `${row} hours` },
            ],
            children: h('p', null, 'Nobody'),
          }),
          h(Chosen<number>, { key: 2, choice, list, children: h('button', { type: 'button' }, 'Act') }),
        ]
      }
      render(h(Page, null), document.getElementById('root')!)
    })
    return opened
  }

  for (const language of languages) {
    const t = both[language]

    test(`a printed list has only the rows on the screen, a note that says so, and no empty sheets (${language})`, async () => {
      const { page } = await drawn(language)
      const heights = () =>
        page.evaluate(() => {
          const rows = [...document.querySelectorAll<HTMLElement>('.grid-window > [role=row]')]
          const bottom = Math.max(...rows.map((row) => row.getBoundingClientRect().bottom))
          return [document.querySelector('.grid-window')!.getBoundingClientRect().bottom - bottom, rows.length]
        })
      assert.ok((await heights())[0]! > 1000)
      await page.emulateMedia({ media: 'print' })
      await page.getByText(t.printed('412')).waitFor()
      assert.ok((await heights())[0]! < 2 && (await heights())[1]! > 5)
      await page.emulateMedia({ media: 'screen' })
      assert.equal(await page.getByText(t.printed('412')).isVisible(), false)
    })

    test(`a person can choose single rows, a range, all loaded rows, and all results (${language})`, async () => {
      const { page, calls } = await drawn(language)
      const chosen = (count: number) => page.getByRole('status').getByText(t.chosen(count), { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('checkbox', { name: t.choose('person 1'), exact: true }).click()
      await chosen(1)
      await page.getByRole('checkbox', { name: t.choose('person 4'), exact: true }).click({ modifiers: ['Shift'] })
      await chosen(4)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.clear }).click()
      await page.getByRole('checkbox', { name: t.choose('person 2'), exact: true }).focus()
      await page.keyboard.press('Escape')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('x')
      await chosen(1)
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('Shift+ArrowDown')
      await chosen(3)
      await page.keyboard.press('e')
      assert.deepEqual(await calls(), ['edit 5'])
      await page.keyboard.press('Control+a')
      await chosen(100)
      await page.getByRole('button', { name: t.chooseAll('412') }).click()
      await chosen(412)
      await page.keyboard.press('Home')
    })

    test(`a choice of all results ends with the query, also when the same query comes again (${language})`, async () => {
      const { page } = await drawn(language)
      const chosen = (count: number) => page.getByRole('status').getByText(t.chosen(count), { exact: true })
      const ask = (query: string) =>
        page.evaluate((query) => Object.assign((window as unknown as { query: object }).query, { value: query }), query)
      await page.getByRole('checkbox', { name: t.choose('person 1'), exact: true }).focus()
      await page.keyboard.press('Control+a')
      await page.getByRole('button', { name: t.chooseAll('412') }).click()
      await chosen(412).waitFor()
      await ask('some')
      await chosen(412).waitFor({ state: 'detached' })
      await ask('all')
      await page.getByRole('checkbox', { name: t.choose('person 2'), exact: true }).click()
      await chosen(1).waitFor()
    })

    test(`a heading sorts in its usual direction first, then in the other (${language})`, async () => {
      const { page } = await drawn(language)
      const sorted = (name: string) => page.getByRole('columnheader', { name }).getAttribute('aria-sort')
      assert.deepEqual([await sorted('Name'), await sorted('Seen')], ['ascending', 'none'])
      const seen = page.getByRole('button', { name: 'Seen' })
      await seen.click()
      assert.deepEqual([await sorted('Name'), await sorted('Seen')], ['none', 'descending'])
      await seen.press('Enter')
      assert.equal(await sorted('Seen'), 'ascending')
    })

    test(`on a narrow page a long press starts choosing, and short presses continue it (${language})`, async () => {
      const { page } = await drawn(language)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('checkbox').first().waitFor({ state: 'detached' })
      const row = (name: string) => page.getByRole('row', { name }).first()
      const touch = { pointerType: 'touch', isPrimary: true, bubbles: true }
      await row('person 1').dispatchEvent('pointerdown', touch)
      await page.getByText(t.chosen(1), { exact: true }).waitFor()
      await row('person 1').dispatchEvent('pointerup', touch)
      await page.getByRole('checkbox', { name: t.choose('person 1'), exact: true, checked: true }).waitFor()
      await row('person 1').locator('a').dispatchEvent('click')
      await row('person 2').dispatchEvent('pointerdown', touch)
      await row('person 2').dispatchEvent('pointerup', touch)
      await row('person 2').locator('a').dispatchEvent('click')
      await page.getByText(t.chosen(2), { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
    })
  }
})
