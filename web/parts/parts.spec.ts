/** Single parts on an otherwise empty page: keys, both directions, and screen readers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, findings, journeys, languages } from '../testing/browser.ts'
import { nowhere, staged } from '../testing/parts.ts'
import { both } from './texts.ts'

const attribute = (page: Page, selector: string, name: string) => page.locator(selector).getAttribute(name)
const focused = () => document.activeElement?.textContent

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const [onward, backward] = language === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']

    test(`a combobox suggests options; arrows move through them, Enter chooses and Escape closes (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, Combobox } = window.stage
        const all = ['apple', 'apricot', 'banana']
        const combobox = h(Combobox<string>, {
          label: 'Fruit',
          find: (typed) => all.filter((one) => one.startsWith(typed)),
          id: (one) => one,
          choose: (one) => window.calls.push(one),
          children: (one) => one,
        })
        render(combobox, document.getElementById('root')!)
      })
      const field = page.getByRole('combobox', { name: 'Fruit' })
      await field.focus()
      assert.equal(await attribute(page, '[role=combobox]', 'aria-expanded'), 'false')
      assert.equal(await attribute(page, '[role=listbox]', 'aria-busy'), 'false')
      await page.keyboard.type('a')
      await page.getByRole('option', { name: 'apricot' }).waitFor()
      assert.deepEqual(await findings(page), [])
      const active = async () => page.locator(`[id="${await attribute(page, '[role=combobox]', 'aria-activedescendant')}"]`).textContent()
      assert.equal(await active(), 'apple')
      await page.keyboard.press('ArrowUp')
      await page.getByRole('option', { name: 'apricot', selected: true }).waitFor()
      assert.equal(await active(), 'apricot')
      await page.keyboard.press('Enter')
      assert.deepEqual([await calls(), await field.inputValue()], [['apricot'], ''])
      await page.keyboard.type('x')
      await page.getByText(both[language].nothing).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText(both[language].nothing).waitFor({ state: 'hidden' })
      assert.deepEqual(await calls(), ['apricot'])
    })

    test(`a part that cannot be loaded shows a message in its place, and can be tried again (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, lazily, TextField } = window.stage
        let tries = 0
        const Tab = lazily(async () => {
          if (++tries === 1) throw new TypeError('no connection')
          return () => h('p', null, 'Devices')
        })
        const Page = () => [h(TextField, { key: 1, label: 'Name' }), h(Tab, { key: 2 })]
        render(h(Page, null), document.getElementById('root')!)
      })
      await page.getByLabel('Name').fill('typed')
      await page.getByText(both[language].failed).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: both[language].retry }).click()
      await page.getByText('Devices').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'typed')
    })

    test(`the Enter that ends a composition chooses nothing (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, startComposing, Combobox } = window.stage
        startComposing()
        const combobox = h(Combobox<string>, {
          label: 'Fruit',
          find: () => ['apple'],
          id: (one) => one,
          choose: (one) => window.calls.push(one),
          children: (one) => one,
        })
        render(combobox, document.getElementById('root')!)
      })
      await page.getByRole('combobox', { name: 'Fruit' }).fill('a')
      await page.getByRole('option', { name: 'apple' }).waitFor()
      const enter = (how: object) =>
        page.evaluate((how) => {
          const event = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...how })
          document.activeElement!.dispatchEvent(event)
        }, how)
      await enter({ isComposing: true })
      await enter({ keyCode: 229 })
      assert.deepEqual(await calls(), [])
      await enter({})
      assert.deepEqual(await calls(), ['apple'])
    })

    test(`Enter never chooses an option that was found for fewer letters (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, Combobox } = window.stage
        const all = ['apple', 'banana']
        // The results wait for the event, whether the search or the event comes first.
        const arrived = new Promise((resolve) => addEventListener('arrives', resolve))
        const combobox = h(Combobox<string>, {
          label: 'Fruit',
          find: async (typed) => {
            if (typed) await arrived
            return all.filter((one) => one.startsWith(typed))
          },
          id: (one) => one,
          choose: (one) => window.calls.push(one),
          children: (one) => one,
          eager: true,
        })
        render(combobox, document.getElementById('root')!)
      })
      await page.getByRole('combobox', { name: 'Fruit' }).focus()
      await page.getByRole('option', { name: 'apple', selected: true }).waitFor()
      await page.keyboard.type('b')
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      assert.deepEqual(await calls(), [])
      assert.equal(await page.getByRole('option', { selected: true }).count(), 0)
      await page.evaluate(() => dispatchEvent(new Event('arrives')))
      await page.getByRole('option', { name: 'banana', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      assert.deepEqual(await calls(), ['banana'])
    })

    test(`arrow keys move between tabs in page direction and wrap around; Home and End go to the ends (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, Tabs } = window.stage
        const chosen = signal('one')
        const tabs = ['one', 'two', 'three'].map((key) => ({ key, text: key }))
        const Page = () =>
          h(Tabs<string>, {
            label: 'Tabs',
            tabs,
            value: chosen.value,
            choose: (key) => (chosen.value = key),
            children: `panel ${chosen.value}`,
          })
        render(h(Page, null), document.getElementById('root')!)
      })
      await page.getByRole('tab', { name: 'one' }).focus()
      for (const [key, tab] of [
        [onward, 'two'],
        [onward, 'three'],
        [onward, 'one'],
        [backward, 'three'],
        ['Home', 'one'],
        ['End', 'three'],
      ] as const) {
        await page.keyboard.press(key)
        await page.getByRole('tabpanel', { name: tab }).waitFor()
        assert.equal(await page.evaluate(focused), tab, key)
      }
      assert.equal(await page.locator('[role=tab][tabindex="0"]').count(), 1)
      assert.deepEqual(await findings(page), [])
    })

    test(`a menu opens by a key, arrows and letters move through it, and it returns the focus (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, Menu } = window.stage
        const items = ['Copy', 'Move', 'Delete'].map((text) => ({ text, run: () => window.calls.push(text) }))
        render(h(Menu, { label: 'Acts', face: '…', items }), document.getElementById('root')!)
      })
      await page.getByRole('button', { name: 'Acts' }).press('Enter')
      await page.waitForFunction(() => document.activeElement?.textContent === 'Copy')
      for (const [key, item] of [
        ['ArrowUp', 'Delete'],
        ['ArrowDown', 'Copy'],
        ['m', 'Move'],
        ['End', 'Delete'],
        ['Home', 'Copy'],
      ] as const) {
        await page.keyboard.press(key)
        assert.equal(await page.evaluate(focused), item, key)
      }
      await page.keyboard.press('m')
      await page.keyboard.press('Enter')
      assert.deepEqual(await calls(), ['Move'])
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Acts')
    })

    test(`a menu stays inside the window wherever its button is (${language})`, async () => {
      const { page } = await open(language)
      await page.setViewportSize({ width: 390, height: 560 })
      await page.evaluate(() => {
        const { h, render, Menu } = window.stage
        const items = Array.from({ length: 11 }, (_, index) => ({ text: `Act ${index}`, run: () => {} }))
        document.body.style.paddingBlock = '50rem'
        render(h(Menu, { label: 'Acts', face: '…', items }), document.getElementById('root')!)
      })
      const button = page.getByRole('button', { name: 'Acts' })
      for (const block of ['start', 'center', 'end'] as const) {
        await button.evaluate((one, to) => one.scrollIntoView({ block: to }), block)
        await button.press('Enter')
        await page.waitForFunction(() => document.activeElement?.textContent === 'Act 0')
        const box = (await page.locator('.menu:popover-open').boundingBox())!
        assert.ok(box.y >= 0 && box.y + box.height <= 560, `${block}: ${box.y}, ${box.height}`)
        assert.ok(box.x >= 0 && box.x + box.width <= 390, `${block}: ${box.x}, ${box.width}`)
        await page.keyboard.press('Escape')
        await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Acts')
      }
    })

    test(`keys reorder tiles in the direction of the page, and Escape restores the order (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, useSortable } = window.stage
        const order = signal([1, 2, 3, 4, 5, 6])
        const record = (what: string) => (item: number, at?: number) => window.calls.push([what, item, ...(at === undefined ? [] : [at])])
        const Page = () => {
          const { list, pressed } = useSortable<number>({
            items: order.value,
            id: (item) => item,
            change: (items) => (order.value = items),
            drop: (items) => window.calls.push(items.join('')),
            cancel: () => window.calls.push('back'),
            said: { lifted: record('lifted'), moved: record('moved'), dropped: record('dropped'), cancelled: record('cancelled') },
          })
          const tile = (item: number) =>
            h('li', { key: item }, h('button', { type: 'button', onKeyDown: (event: KeyboardEvent) => pressed(event, item) }, `${item}`))
          return h('ul', { ref: list, style: { display: 'grid', gridTemplateColumns: 'repeat(3, 100px)' } }, order.value.map(tile))
        }
        render(h(Page, null), document.getElementById('root')!)
      })
      const shown = () => page.locator('li').allTextContents()
      await page.getByRole('button', { name: '1' }).focus()
      // The first key loads the chunk that moves tiles.
      await page.keyboard.press(onward)
      await page.waitForFunction(() => document.activeElement?.textContent === '2')
      for (const key of [' ', onward, 'ArrowDown', ' ']) await page.keyboard.press(key)
      assert.deepEqual(await shown(), ['1', '3', '4', '5', '6', '2'])
      assert.deepEqual(await calls(), [['lifted', 2, 1], ['moved', 2, 2], ['moved', 2, 5], '134562', ['dropped', 2, 5]])
      assert.equal(await page.evaluate(focused), '2')
      for (const key of [' ', backward, 'Escape']) await page.keyboard.press(key)
      await page.waitForFunction(() => document.querySelectorAll('li')[5]?.textContent === '2')
      assert.deepEqual((await calls()).slice(5), [['lifted', 2, 5], ['moved', 2, 4], 'back', ['cancelled', 2]])
    })

    test(`a moment is relative to now, in the chosen digits, with both calendars as a tooltip (${language})`, async () => {
      const { page } = await open(language)
      const textAfter = (seconds: number, arabic = false) =>
        page.evaluate(
          ({ seconds, arabic }) => {
            const { h, render, Moment, chooseDigits } = window.stage
            chooseDigits(arabic)
            render(h(Moment, { at: new Date(Date.now() - seconds * 1000).toISOString() }), document.getElementById('root')!)
            return document.querySelector('time')!.textContent
          },
          { seconds, arabic },
        )
      const expected = {
        ar: ['الآن', 'قبل دقيقة واحدة', 'قبل دقيقتين', 'قبل 5 دقائق', 'قبل 11 دقيقة', 'قبل 3 ساعات', 'أمس'],
        en: ['now', '1 minute ago', '2 minutes ago', '5 minutes ago', '11 minutes ago', '3 hours ago', 'yesterday'],
      }[language]
      for (const [index, seconds] of [20, 61, 121, 301, 661, 10_801, 86_400].entries())
        assert.equal(await textAfter(seconds), expected[index])
      assert.match((await page.locator('time').getAttribute('title'))!, language === 'ar' ? /هـ|[٠-٩0-9]{4}/ : /AH/)
      if (language === 'ar') assert.equal(await textAfter(301, true), 'قبل ٥ دقائق')
    })

    test(`a long list renders only the rows near the window, down to the last (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, VirtualList } = window.stage
        const rows = Array.from({ length: 5000 }, (_, index) => index)
        const list = h(VirtualList<number>, {
          rows,
          id: (row) => row,
          height: 40,
          label: 'Rows',
          children: (row) => h('li', { style: { blockSize: `${30 + (row % 3) * 10}px` } }, `row ${row}`),
        })
        render(list, document.getElementById('root')!)
      })
      await page.getByText('row 0', { exact: true }).waitFor()
      const drawn = () => page.locator('li').count()
      assert.ok((await drawn()) < 120)
      await page.waitForFunction(() => {
        scrollTo(0, document.documentElement.scrollHeight)
        return [...document.querySelectorAll('li')].some(({ textContent }) => textContent === 'row 4999')
      })
      assert.ok((await drawn()) < 120)
    })
  }
})
