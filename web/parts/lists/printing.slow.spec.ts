/** The printout of long lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Resource } from '../../platform/cache.ts'
import { browser, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from './printing-texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** Prints the page. Returns the number of rows in the printout, the heights of parts, and the notes. */
  async function print(page: Page) {
    await page.evaluate(() => {
      const record = () => {
        const parts = [...document.querySelectorAll<HTMLElement>('#root > div')].map((part) => part.style.blockSize)
        window.calls = [document.querySelectorAll('li').length, parts, [...document.querySelectorAll('p')].map((one) => one.textContent)]
      }
      // This listener comes after that of the lists, and after the microtask that renders them.
      addEventListener('beforeprint', record, { once: true })
    })
    await page.pdf()
    await page.waitForFunction(() => window.calls.length > 0)
    return page.evaluate(() => window.calls)
  }

  test('all rows of a list in memory are printed', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, VirtualList } = window.stage
      const rows = Array.from({ length: 500 }, (_, index) => index)
      const row = (id: number) => h('li', { style: { blockSize: '40px' } }, `row ${id}`)
      render(h(VirtualList<number>, { rows, id: (one) => one, height: 40, label: 'Rows', children: row }), document.getElementById('root')!)
    })
    await page.getByText('row 0', { exact: true }).waitFor()
    const drawn = () => page.locator('li').count()
    assert.ok((await drawn()) < 120)
    assert.deepEqual((await print(page)).slice(0, 1), [500])
    await page.waitForFunction(() => document.querySelectorAll('li').length < 120)
  })

  for (const language of languages)
    test(`the loaded parts of a list are printed without gaps, with a note if a part is not loaded (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, Portions } = window.stage
        const partAt = (offset: number) => {
          const data = offset < 8 ? [offset, offset + 1] : undefined
          return { data, error: undefined, peek: () => data } as unknown as Resource<number[]>
        }
        const all = new Map(Array.from({ length: 9 }, (_, part) => [part * 2, partAt(part * 2)]))
        const rows = (some: number[]) =>
          h(
            'ul',
            null,
            some.map((id) => h('li', { key: id, style: { blockSize: '900px' } }, `row ${id}`)),
          )
        const list = h(Portions<number>, { name: 'rows', of: (offset) => all.get(offset)!, size: 2, shape: 'loading', children: rows })
        render(list, document.getElementById('root')!)
      })
      for (const id of [2, 4, 6]) await page.getByText(`row ${id}`, { exact: true }).scrollIntoViewIfNeeded()
      await page.getByText('row 0', { exact: true }).waitFor({ state: 'detached' })
      const [rows, heights, notes] = await print(page)
      assert.deepEqual([rows, new Set(heights as string[]), notes], [8, new Set(['auto']), [both[language].printed]])
      assert.equal(await page.getByText(both[language].printed).count(), 0)
    })
})
