/** Where the focus and the address are after a press. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  test('a link to a section of the page marks the section as the current one, and the address names it', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, startRouting, Contents, Section } = window.stage
      startRouting()
      const section = h(Section, { name: 'clock', title: 'The clock', children: 'Twelve' })
      const entries = [{ icon: 'user' as const, text: 'Clock', name: 'clock' }]
      render(h(Contents, { title: 'Account', label: 'Sections', entries, children: section }), document.getElementById('root')!)
    })
    await page.getByRole('link', { name: 'Clock' }).click()
    await page.locator('section:focus').waitFor()
    await page.locator('a[aria-current=location]').waitFor()
    assert.equal(await page.evaluate(() => location.pathname + location.hash), '/#clock')
  })

  test('after one of the most records is removed, the search field appears with the focus', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, signal, IdsField } = window.stage
      const ids = signal([1, 2])
      const change = (next: number[]) => {
        ids.value = next
      }
      const common = {
        label: 'People',
        addLabel: 'Add',
        most: 2,
        of: () => undefined,
        name: () => '',
        find: () => [],
        children: () => null,
      }
      render(
        h(() => h(IdsField, { ...common, ids: ids.value, change }), null),
        document.getElementById('root')!,
      )
    })
    await page.locator('.chip button').first().press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.ids-field input'))
    assert.equal(await page.locator('.chip').count(), 1)
  })

  test('closing the preview of a revert returns the focus to its button', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      const { h, render, PutBackEntry } = window.stage
      render(h(PutBackEntry, { ask: async () => ({}), run: async () => {} }), document.getElementById('root')!)
    })
    await page.locator('#root > button').press('Enter')
    await page.locator('.previewed:focus').waitFor()
    await page.locator('.previewed button').last().press('Enter')
    await page.locator('#root > button:focus').waitFor()
  })
})
