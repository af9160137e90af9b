/** A table of any length: keys, focus and scrolling in both directions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'

const HEIGHT = 2.5

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** A thousand people, each with a link and a button. */
  async function drawn(language: 'ar' | 'en') {
    const opened = await open(language)
    await opened.page.evaluate((height) => {
      const { h, render, signal, Grid } = window.stage
      const isWhole = signal(false)
      Object.assign(window, { isWhole })
      const act = (row: number) => h('button', { type: 'button', onClick: () => window.calls.push(`act ${row}`) }, `act ${row}`)
      const follow = (event: Event, row: number) => {
        event.preventDefault()
        window.calls.push(`open ${row}`)
      }
      const Page = () =>
        h(Grid<number>, {
          label: 'People',
          count: 1000,
          at: (index) => (index === 3 || (index >= 950 && !isWhole.value) ? undefined : index),
          id: (row) => row,
          height,
          columns: [
            {
              key: 'name',
              head: 'Name',
              cell: (row) =>
                h('a', { class: 'grid-link', href: `?row=${row}`, onClick: (event: Event) => follow(event, row) }, `person ${row}`),
              width: '2fr',
            },
            { key: 'mail', head: 'Mail', cell: (row) => `mail ${row}`, width: '2fr', from: 40 },
            { key: 'act', head: 'Act', cell: act, width: '1fr' },
          ],
        })
      render(h(Page, null), document.getElementById('root')!)
    }, HEIGHT)
    const { page } = opened
    /** Waits until a row has the focus and is visible below the head. */
    const isAt = (row: number) =>
      page.waitForFunction((index) => {
        const focused = document.activeElement as HTMLElement
        const head = document.querySelector('.grid-head')
        if (focused.getAttribute('aria-rowindex') !== `${index}` || !head) return false
        const { top, bottom } = focused.getBoundingClientRect()
        return top >= head.getBoundingClientRect().bottom - 1 && bottom <= innerHeight + 1
      }, row + 2)
    return { ...opened, isAt }
  }
  const drawnRows = (page: Page) => page.locator('[role=rowgroup] [role=row]').count()

  for (const language of languages) {
    const [onward, backward] = language === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']

    test(`keys move through a grid to its last row, while only visible rows are rendered (${language})`, async () => {
      const { page, isAt } = await drawn(language)
      assert.equal(await page.getByRole('grid', { name: 'People' }).getAttribute('aria-rowcount'), '1001')
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Tab')
      await isAt(0)
      for (const [key, row] of [
        ['ArrowUp', 0],
        ['ArrowDown', 1],
        ['ArrowDown', 2],
        ['End', 999],
        ['ArrowDown', 999],
        ['ArrowUp', 998],
        ['Home', 0],
      ] as const) {
        await page.keyboard.press(key)
        await isAt(row)
      }
      await page.keyboard.press('PageDown')
      await page.waitForFunction(() => Number(document.activeElement?.getAttribute('aria-rowindex')) > 8)
      assert.ok((await drawnRows(page)) < 60)
    })

    test(`a row that loads while it has the focus keeps the focus (${language})`, async () => {
      const { page, isAt } = await drawn(language)
      await page.keyboard.press('Tab')
      await page.keyboard.press('End')
      await isAt(999)
      assert.equal(await page.evaluate(() => document.activeElement!.getAttribute('aria-busy')), 'true')
      await page.evaluate(() => Object.assign((window as unknown as { isWhole: { value: boolean } }).isWhole, { value: true }))
      await page.getByRole('link', { name: 'person 999' }).waitFor()
      await isAt(999)
      await page.keyboard.press('ArrowUp')
      await isAt(998)
    })

    test(`Enter follows a row's link, arrows reach its controls, and Tab leaves the grid after one row (${language})`, async () => {
      const { page, calls, isAt } = await drawn(language)
      await page.keyboard.press('Tab')
      await isAt(0)
      await page.keyboard.press('ArrowDown')
      await isAt(1)
      await page.keyboard.press('Enter')
      await page.keyboard.press(onward)
      await page.waitForFunction(() => document.activeElement?.textContent === 'act 1')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.closest('[role=row]')), null)
      await page.keyboard.press('Shift+Tab')
      await page.waitForFunction(() => document.activeElement?.textContent === 'act 1')
      await page.keyboard.press(backward)
      await page.keyboard.press(backward)
      await isAt(1)
      // The link covers the whole row.
      await page.getByText('mail 4', { exact: true }).click({ force: true })
      assert.deepEqual(await calls(), ['open 1', 'act 1', 'open 4'])
    })

    test(`Tab reaches the grid at any scroll position, and a narrow grid omits the columns for wide pages (${language})`, async () => {
      const { page } = await drawn(language)
      await page.getByRole('columnheader', { name: 'Mail' }).waitFor()
      await page.evaluate((top) => scrollTo({ top }), 500 * HEIGHT * 16)
      await page.getByText('person 503', { exact: true }).waitFor()
      await page.keyboard.press('Tab')
      assert.ok(Number(await page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'))) > 400)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('columnheader', { name: 'Mail' }).waitFor({ state: 'detached' })
      const [name, act] = await Promise.all(['Name', 'Act'].map((head) => page.getByRole('columnheader', { name: head }).boundingBox()))
      assert.ok(name!.width > act!.width && name!.width + act!.width > 300)
    })
  }
})
