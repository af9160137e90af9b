/** Copying a text that is shown only once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const [where, isDialog] of [
    ['on a page', false],
    ['in a dialog', true],
  ] as const)
    test(`a text is copied even without TLS, and the focus stays (${where})`, async () => {
      const { page } = await open('en')
      await page.evaluate((isDialog) => {
        Object.defineProperty(Object.getPrototypeOf(navigator), 'clipboard', { value: undefined })
        const { h, render, CopyField, Dialog, Toasts } = window.stage
        const field = h(CopyField, { label: 'Link', value: 'https://portal.test/7', hint: '', copy: 'Copy the link', copied: 'Copied' })
        const all = h('div', null, field, h('textarea', { 'aria-label': 'Elsewhere' }))
        const shown = isDialog ? h(Dialog, { title: 'Invitation', close: () => {}, children: null }, all) : all
        render(h('div', null, shown, h(Toasts, null)), document.getElementById('root')!)
      }, isDialog)
      const button = page.getByRole('button', { name: 'Copy the link' })
      await button.press('Enter')
      await page.getByText('Copied', { exact: true }).waitFor()
      assert.equal(await button.evaluate((one) => one === document.activeElement), true)
      assert.equal(await page.locator('textarea').count(), 1)
      const elsewhere = page.getByRole('textbox', { name: 'Elsewhere' })
      await elsewhere.press('Control+V')
      assert.equal(await elsewhere.inputValue(), 'https://portal.test/7')
    })

  test('a text that the browser does not copy is not said to be copied', async () => {
    const { page } = await open('en')
    await page.evaluate(() => {
      Object.defineProperty(Object.getPrototypeOf(navigator), 'clipboard', { value: undefined })
      document.execCommand = () => false
      // The failure is logged, which the test expects.
      window.reportError = (failure) => void window.calls.push(String(failure))
      const { h, render, CopyField, Toasts } = window.stage
      const field = h(CopyField, { label: 'Link', value: 'https://portal.test/7', hint: '', copy: 'Copy the link', copied: 'Copied' })
      render(h('div', null, field, h(Toasts, null)), document.getElementById('root')!)
    })
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await page.locator('.toast[data-kind=error]').waitFor()
    assert.equal(await page.getByText('Copied', { exact: true }).count(), 0)
  })
})
