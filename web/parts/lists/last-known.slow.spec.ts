import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  test('the last value stays while the next one of its list loads, and a value of another list never appears', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, useLastKnown } = window.stage
      const Shown = ({ now, list }: { now?: string; list: string }) => void window.calls.push(useLastKnown(now, list) ?? null)
      const root = document.getElementById('root')!
      for (const props of [
        { list: 'done' },
        { list: 'done', now: 'a' },
        { list: 'done' },
        { list: 'cancelled' },
        { list: 'cancelled', now: 'b' },
      ])
        render(h(Shown, props), root)
    })
    assert.deepEqual(await calls(), [null, 'a', 'a', null, 'b'])
  })
})
