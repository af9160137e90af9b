/** A list that loads a page at a time: its button, the focus, failures, and rows that move from one page to the next. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../platform/cache.ts'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from '../texts.ts'

interface Part {
  rows: string[]
  nextOffset: number | null
}

declare global {
  interface Window {
    /** Answers the request for a page; `null` fails it. */
    reply: (offset: number, part: Part | null) => void
  }
}

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  const drawn = async (language: 'ar' | 'en') => {
    const opened = await open(language)
    await opened.page.evaluate(() => {
      const { h, path, render, signal, startRouting, usePages } = window.stage
      startRouting()
      const newPage = (offset: number) => {
        const [data, error] = [signal<Part | undefined>(undefined), signal<Error | undefined>(undefined)]
        const fields = {
          get data() {
            return data.value
          },
          get error() {
            return error.value
          },
          refresh: () => window.calls.push(`refresh ${offset}`),
        }
        return { data, error, resource: fields as unknown as Resource<Part> }
      }
      const known = new Map<number, ReturnType<typeof newPage>>()
      const pageAt = (offset: number) => {
        const one = known.get(offset) ?? newPage(offset)
        known.set(offset, one)
        return one
      }
      window.reply = (offset, part) => {
        const { data, error } = pageAt(offset)
        if (part) data.value = part
        else error.value = new Error('down')
      }
      function List() {
        const { first, rows, more } = usePages({
          of: (offset) => pageAt(offset).resource,
          rows: (part: Part) => part.rows,
          id: (row) => row,
        })
        return first.data && h('div', null, [h('p', { key: 'rows' }, rows.join(' ')), more])
      }
      const Page = () => (path.value === '/' ? h(List, null) : h('h2', null, path.value))
      render(h(Page, null), document.getElementById('root')!)
    })
    const { page } = opened
    return {
      ...opened,
      more: page.getByRole('button', { name: both[language].more }),
      reply: (offset: number, part: Part | null) => page.evaluate(([offset, part]) => window.reply(offset, part), [offset, part] as const),
    }
  }

  for (const language of languages) {
    test(`the button loads the next page, keeps the focus while it is busy, and goes away after the last page (${language})`, async () => {
      const { page, more, reply } = await drawn(language)
      await reply(0, { rows: ['a', 'b'], nextOffset: 2 })
      await more.focus()
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-busy') === 'true')
      await page.keyboard.press('Enter')
      assert.deepEqual(await findings(page), [])
      // Somebody has added a row, which moved `b` to the second page.
      await reply(2, { rows: ['b', 'c'], nextOffset: 4 })
      await page.getByText('a b c', { exact: true }).waitFor()
      assert.deepEqual([await more.getAttribute('aria-busy'), await more.evaluate((one) => one === document.activeElement)], [null, true])
      await more.click()
      await reply(4, { rows: ['d'], nextOffset: null })
      await page.getByText('a b c d', { exact: true }).waitFor()
      assert.equal(await more.count(), 0)
    })

    test(`going back to the list shows the pages that were loaded, and a link to it only the first (${language})`, async () => {
      const { page, more, reply } = await drawn(language)
      await reply(0, { rows: ['a'], nextOffset: 1 })
      await more.click()
      await reply(1, { rows: ['b'], nextOffset: 2 })
      await page.getByText('a b', { exact: true }).waitFor()
      const follow = (to: string) => page.evaluate((address) => window.stage.go(address), to)
      await follow('/rows/b')
      await page.getByRole('heading', { name: '/rows/b' }).waitFor()
      await page.goBack()
      await page.getByText('a b', { exact: true }).waitFor()
      await follow('/rows/b')
      await page.getByRole('heading', { name: '/rows/b' }).waitFor()
      await follow('/')
      await page.getByText('a', { exact: true }).waitFor()
    })

    test(`if a page cannot be loaded, the rows before it stay, and the person can try again (${language})`, async () => {
      const { page, more, reply, calls } = await drawn(language)
      await reply(0, { rows: ['a'], nextOffset: 1 })
      await more.click()
      await reply(1, null)
      await page.getByText(both[language].failed).waitFor()
      await page.getByText('a', { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: both[language].retry }).click()
      assert.deepEqual(await calls(), ['refresh 1'])
      await reply(1, { rows: ['b'], nextOffset: null })
      await page.getByText('a b', { exact: true }).waitFor()
      assert.equal(await more.count(), 0)
    })
  }
})
