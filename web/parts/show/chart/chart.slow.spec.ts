/** Charts in reading direction, with arrow keys, for screen readers, and as a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  async function drawn(language: 'ar' | 'en', count: number) {
    const opened = await open(language)
    await opened.page.evaluate((count) => {
      const { h, render, signal, LinesChart, Bars } = window.stage
      const points = Array.from({ length: count }, (_, index) => ({
        day: new Date(Date.UTC(2026, 9, 26 + index)).toISOString().slice(0, 10),
        value: index * 10,
        before: 5,
      }))
      const isTable = signal(false)
      const Page = () => [
        h(LinesChart, {
          key: 1,
          sentence: 'Opens in thirty days',
          label: 'These',
          before: 'Former',
          points,
          isTable: isTable.value,
          change: (is) => (isTable.value = is),
        }),
        h(Bars<number>, {
          key: 2,
          label: 'Most',
          rows: [30, 20, 5],
          id: (row) => row,
          value: (row) => row,
          children: (row) => `app ${row}`,
          open: (row) => window.calls.push(row),
        }),
      ]
      render(h(Page, null), document.getElementById('root')!)
    }, count)
    return { ...opened, chart: opened.page.getByRole('img', { name: 'Opens in thirty days' }) }
  }

  for (const language of languages) {
    const t = both[language]
    const [onward, backward] = language === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']

    test(`a chart runs in the direction of the page, and arrow keys move along its points and read them out (${language})`, async () => {
      const { page, chart } = await drawn(language, 30)
      assert.deepEqual(await findings(page), [])
      const ends = () =>
        page.evaluate(() => {
          const line = document.querySelector<SVGPathElement>('.chart-now')!
          return [line.getPointAtLength(0).x, line.getPointAtLength(line.getTotalLength()).x]
        })
      const [first, last] = (await ends()) as [number, number]
      assert.equal(first < last, language === 'en')
      await chart.focus()
      const said = () => page.locator('.chart [role=status]').textContent()
      for (const [key, value] of [
        [onward, '290'],
        [backward, '280'],
        [onward, '290'],
        [onward, '290'],
        ['Home', '0'],
        [backward, '0'],
      ] as const) {
        await page.keyboard.press(key)
        await page.waitForFunction((value) => document.querySelector('.chart [role=status]')!.textContent!.includes(`: ${value}`), value)
      }
      assert.match((await said())!, language === 'ar' ? /أكتوبر.*قبلها 5$/ : /October: 0, before 5$/)
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.querySelector('.chart [role=status]')!.textContent === '')
    })

    test(`a chart of a year has a point for each week and few nodes, and can be shown as a table (${language})`, async () => {
      const { page } = await drawn(language, 366)
      await page.getByText(t.weekly).waitFor()
      assert.ok((await page.locator('.chart *').count()) < 400)
      await page.getByRole('button', { name: t.table }).press('Enter')
      const table = page.getByRole('table', { name: 'Opens in thirty days' })
      assert.equal(await table.getByRole('row').count(), 54)
      assert.deepEqual(await table.getByRole('columnheader').allTextContents(), [t.week, 'These', 'Former'])
      assert.deepEqual(await findings(page), [])
    })

    test(`bars start at the start of the line, and a press opens a bar's subject (${language})`, async () => {
      const { page, calls } = await drawn(language, 7)
      const widths = await page.locator('.bars rect').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
      const [long, middle, short] = widths as [DOMRect, DOMRect, DOMRect]
      assert.ok(long.width > middle.width && middle.width > short.width)
      assert.ok(Math.abs(language === 'ar' ? long.right - short.right : long.left - short.left) < 1)
      await page.getByRole('button', { name: 'app 20' }).press('Enter')
      assert.deepEqual(await calls(), [20])
    })

    test(`a chart of no days and a chart of one day are rendered (${language})`, async () => {
      for (const count of [0, 1]) {
        const { page, chart } = await drawn(language, count)
        await chart.waitFor()
        await chart.focus()
        await page.keyboard.press('Home')
        assert.deepEqual(await findings(page), [])
      }
    })
  }
})
