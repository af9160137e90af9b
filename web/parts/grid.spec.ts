/** A table of any length, by keys and in both directions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, findings, journeys, languages } from '../testing/browser.ts'
import { nowhere, staged } from '../testing/parts.ts'

const HEIGHT = 40

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  /** A thousand people, who can be chosen, opened, and acted on in their row. */
  async function drawn(language: 'ar' | 'en') {
    const opened = await open(language)
    await opened.page.evaluate((height) => {
      const { h, render, signal, Grid } = window.stage
      const rows = Array.from({ length: 1000 }, (_, at) => at)
      const chosen = signal<ReadonlySet<number>>(new Set())
      const act = (row: number) => h('button', { type: 'button', onClick: () => window.heard.push(`act ${row}`) }, `act ${row}`)
      const Page = () =>
        h(Grid<number>, {
          label: 'People',
          rows,
          id: (row) => row,
          height,
          columns: [
            { key: 'name', head: 'Name', cell: (row) => `person ${row}`, width: '2fr' },
            { key: 'mail', head: 'Mail', cell: (row) => `mail ${row}`, width: '2fr', wideOnly: true },
            { key: 'act', head: 'Act', cell: act, width: '1fr' },
          ],
          chosen: chosen.value,
          choose: (id) => (chosen.value = chosen.value.symmetricDifference(new Set([id]))),
          open: (row) => window.heard.push(`open ${row}`),
        })
      render(h(Page, null), document.getElementById('root')!)
      document.querySelector<HTMLElement>('[role=grid]')!.style.blockSize = '400px'
    }, HEIGHT)
    const { page } = opened
    /** Waits until the row has the focus, in sight and below the head. */
    const isAt = (row: number) =>
      page.waitForFunction((index) => {
        const focused = document.activeElement as HTMLElement
        const [list, head] = [focused.closest('[role=grid]'), document.querySelector('.grid-head')]
        if (focused.getAttribute('aria-rowindex') !== `${index}` || !list || !head) return false
        const { top, bottom } = focused.getBoundingClientRect()
        return top >= head.getBoundingClientRect().bottom - 1 && bottom <= list.getBoundingClientRect().bottom + 1
      }, row + 2)
    return { ...opened, isAt }
  }
  const drawnRows = (page: Page) => page.locator('[role=rowgroup] [role=row]').count()

  for (const language of languages) {
    const [onward, backward] = language === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']

    test(`a grid is walked by keys down to the last of its rows, of which those in sight are drawn (${language})`, async () => {
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
      assert.ok((await drawnRows(page)) < 40)
    })

    test(`rows are chosen by Space and opened by Enter, and what acts in them lies onward (${language})`, async () => {
      const { page, heard, isAt } = await drawn(language)
      await page.keyboard.press('Tab')
      await isAt(0)
      await page.keyboard.press('ArrowDown')
      await isAt(1)
      await page.keyboard.press('Space')
      await page.getByRole('row', { name: 'person 1', selected: true }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press(onward)
      await page.waitForFunction(() => document.activeElement?.textContent === 'act 1')
      await page.keyboard.press('Enter')
      await page.keyboard.press(backward)
      await isAt(1)
      await page.keyboard.press('Space')
      await page.waitForFunction(() => !document.querySelector('[role=row][aria-selected=true]'))
      assert.deepEqual(await heard(), ['open 1', 'act 1'])
    })

    test(`whatever was scrolled to, the grid is reached by Tab, and narrow it leaves out what is for wide pages (${language})`, async () => {
      const { page } = await drawn(language)
      await page.getByRole('columnheader', { name: 'Mail' }).waitFor()
      await page.evaluate((top) => document.querySelector('[role=grid]')!.scrollTo({ top }), 500 * HEIGHT)
      await page.getByText('person 503', { exact: true }).waitFor()
      await page.keyboard.press('Tab')
      // The list itself may be a stop of its own before its rows.
      if (await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid')) await page.keyboard.press('Tab')
      assert.ok(Number(await page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'))) > 400)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('columnheader', { name: 'Mail' }).waitFor({ state: 'detached' })
      const [name, act] = await Promise.all(['Name', 'Act'].map((head) => page.getByRole('columnheader', { name: head }).boundingBox()))
      assert.ok(name!.width > act!.width && name!.width + act!.width > 300)
    })
  }
})
