/** Choosing and typing days, in both calendars and both directions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both as filters } from '../../lists/filters/texts.ts'
import { both } from './texts.ts'

const NOW = new Date('2026-11-24T09:00:00Z')
const focusedDay = (page: Page) => page.evaluate(() => document.activeElement?.querySelector('.unseen')?.textContent)

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  async function drawn(language: 'ar' | 'en', bounds: { min?: string; max?: string } = {}) {
    const opened = await open(language)
    await opened.page.clock.setFixedTime(NOW)
    await opened.page.evaluate((bounds) => {
      const { h, render, signal, DateField } = window.stage
      const day = signal('2026-11-24')
      const change = (next: string) => {
        day.value = next
        window.calls.push(next)
      }
      render(
        h(() => h(DateField, { label: 'Due', value: day.value, change, ...bounds }), null),
        document.getElementById('root')!,
      )
    }, bounds)
    return { ...opened, field: opened.page.getByRole('textbox', { name: 'Due' }) }
  }

  for (const language of languages) {
    const t = both[language]
    const [onward, backward] = language === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']

    test(`a day can be typed in either calendar, and appears below in both (${language})`, async () => {
      const { page, field, calls } = await drawn(language)
      await field.fill('29/6/1447')
      await page.keyboard.press('Enter')
      await page.getByText(/1447/).waitFor()
      await page.getByText(/2025/).waitFor()
      assert.equal(await field.inputValue(), '20/12/2025')
      await field.fill('soon')
      await page.keyboard.press('Tab')
      await page.getByRole('alert').filter({ hasText: t.unknown }).waitFor()
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.deepEqual(await findings(page), [])
      await field.fill('')
      await page.keyboard.press('Enter')
      assert.deepEqual(await calls(), ['2025-12-20', ''])
    })

    test(`arrow keys move through a month in the direction of the page (${language})`, async () => {
      const { page, calls } = await drawn(language)
      await page.getByRole('button', { name: t.open }).press('Enter')
      await page.waitForFunction(() => document.activeElement?.closest('[role=gridcell]'))
      assert.match((await focusedDay(page))!, /24.*14/)
      assert.deepEqual(await findings(page), [])
      for (const [key, day] of [
        [onward, '25'],
        [backward, '24'],
        ['ArrowDown', '1'],
        ['ArrowUp', '24'],
        ['Home', '22'],
        ['End', '28'],
        ['PageUp', '28'],
        ['Shift+PageDown', '28'],
        ['t', '24'],
      ] as const) {
        const before = await focusedDay(page)
        await page.keyboard.press(key)
        await page.waitForFunction(
          (before) =>
            document.activeElement?.closest('[role=gridcell]') && document.activeElement.querySelector('.unseen')?.textContent !== before,
          before,
        )
        assert.match((await focusedDay(page))!, new RegExp(`(^|\\D)${day}(\\D|$)`), key)
      }
      await page.keyboard.press(onward)
      await page.keyboard.press('Enter')
      await page.getByRole('grid').waitFor({ state: 'detached' })
      assert.deepEqual(await calls(), ['2026-11-25'])
    })

    test(`the choice of the main calendar applies at once and is stored on the device (${language})`, async () => {
      const { page, field } = await drawn(language)
      await page.getByRole('button', { name: t.open }).click()
      await page.getByRole('button', { name: t.hijri }).click()
      assert.equal(await page.evaluate(() => localStorage.getItem('calendar')), 'hijri')
      // Jumada II 1448 has 29 days, from Wednesday 11 November on.
      assert.equal(await page.locator('[role=gridcell] button:not([data-outside])').count(), 29)
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Escape')
      assert.equal(await field.inputValue(), '14/6/1448')
      await page.evaluate(() => localStorage.removeItem('calendar'))
    })

    test(`a day outside the bounds can be neither typed nor chosen (${language})`, async () => {
      const { page, field, calls } = await drawn(language, { min: '2026-11-20', max: '2026-11-26' })
      await field.fill('27/11/2026')
      await page.keyboard.press('Enter')
      await page
        .getByRole('alert')
        .filter({ hasText: t.tooLate('').slice(0, 6) })
        .waitFor()
      await page.getByRole('button', { name: t.open }).click()
      await page.waitForFunction(() => document.activeElement?.closest('[role=gridcell]'))
      // Sends all keys at once, before the focus can follow.
      const pressAll = (keys: string[]) =>
        page.evaluate((keys) => {
          const focused = document.activeElement!
          for (const key of keys) focused.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        }, keys)
      await pressAll([onward!, onward!, onward!, 'Enter'])
      assert.deepEqual(await calls(), [])
      await pressAll([backward!, 'Enter'])
      assert.deepEqual(await calls(), ['2026-11-26'])
      assert.deepEqual(await findings(page), [])
    })

    test(`a period is a preset number of days, or runs between two days and is limited to the given length (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.clock.setFixedTime(NOW)
      await page.evaluate(() => {
        const { h, render, signal, Span } = window.stage
        const value = signal<7 | 30 | 'custom'>(30)
        const days = signal({ from: '2026-10-26', to: '2026-11-24' })
        const Page = () =>
          h(Span<7 | 30>, {
            presets: [7, 30],
            value: value.value,
            days: days.value,
            most: 366,
            choose: (preset) => {
              value.value = preset
              window.calls.push(preset)
            },
            change: (next) => {
              value.value = 'custom'
              days.value = next
              window.calls.push(next)
            },
          })
        render(h(Page, null), document.getElementById('root')!)
      })
      await page.getByRole('button', { name: t.days(7) }).click()
      await page.getByRole('button', { name: t.custom }).click()
      const from = page.getByRole('textbox', { name: t.from })
      for (const [typed, problem] of [
        ['1/12/2026', t.backwards],
        ['23/11/2025', t.tooLong(366)],
      ] as const) {
        await from.fill(typed)
        await page.keyboard.press('Enter')
        await page.getByRole('alert').filter({ hasText: problem }).waitFor()
      }
      assert.deepEqual(await findings(page), [])
      await from.fill('24/11/2025')
      await page.keyboard.press('Enter')
      await page
        .getByRole('alert')
        .filter({ hasText: t.tooLong(366) })
        .waitFor({ state: 'detached' })
      assert.deepEqual((await calls()).at(-1), { from: '2025-11-24', to: '2026-11-24' })
    })
  }

  test('a filter by days says that it uses UTC, and allows today in UTC', async () => {
    const { page, calls } = await open('en')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
    await page.clock.setFixedTime(new Date('2026-11-28T01:52:00Z'))
    await page.evaluate(() => {
      const { h, render, DaysPick } = window.stage
      render(h(DaysPick, { change: (days) => void window.calls.push(days) }), document.getElementById('root')!)
    })
    await page.getByRole('button', { name: filters.en.allDays }).click()
    await page.getByText(filters.en.utc).waitFor()
    const from = page.getByRole('textbox', { name: filters.en.from })
    await from.fill('today')
    await from.press('Enter')
    await page.waitForFunction(() => window.calls.length === 1)
    assert.deepEqual(await calls(), [{ from: '2026-11-28', to: undefined }])
  })

  test('“today” and “tomorrow” are those of the office if the day is one of the office', async () => {
    const { page, calls } = await open('en')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
    await page.clock.setFixedTime(new Date('2026-11-28T01:00:00Z'))
    await page.evaluate(() => {
      const { h, render, DateField } = window.stage
      const change = (day: string) => void window.calls.push(day)
      render(h(DateField, { label: 'Due', value: '', now: '2026-11-28', change }), document.getElementById('root')!)
    })
    const due = page.getByRole('textbox', { name: 'Due' })
    for (const typed of ['today', 'غدًا']) {
      await due.fill(typed)
      await due.press('Enter')
    }
    assert.deepEqual(await calls(), ['2026-11-28', '2026-11-29'])
  })

  test('a day chosen in the calendar replaces a wrong text, even if it is the stored day', async () => {
    const { page, field } = await drawn('en')
    await field.fill('soon')
    await page.getByRole('button', { name: both.en.open }).click()
    await page.getByRole('alert').filter({ hasText: both.en.unknown }).waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('[role=gridcell]'))
    await page.keyboard.press('Enter')
    await page.getByRole('grid').waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), '24/11/2026')
    assert.equal(await field.evaluate((one: HTMLInputElement) => one.validity.valid), true)
  })

  test('a form is not saved while a required date is empty', async () => {
    const { page, calls } = await open('en')
    await page.evaluate(() => {
      const { h, render, DateField, Form, Save, useForm } = window.stage
      function Editor() {
        const form = useForm<{ day: string }>({ from: { day: '' }, save: async () => void window.calls.push('saved') })
        const all = [
          h(DateField, { key: 1, label: 'Due', required: true, ...form.moment('day') }),
          h(Save<{ day: string }>, { key: 2, of: form }),
        ]
        return h(Form<{ day: string }>, { of: form, children: all })
      }
      render(h(Editor, null), document.getElementById('root')!)
    })
    const due = page.getByRole('textbox', { name: 'Due' })
    await due.press('Control+s')
    await page.waitForFunction(() => window.calls.length > 0 || document.querySelector('[aria-invalid]'))
    assert.deepEqual(await calls(), [])
  })

  test('a form saves the date typed in its field, but is not saved while that text is not a date', async () => {
    const { page, calls } = await open('en')
    await page.clock.setFixedTime(NOW)
    await page.evaluate(() => {
      const { h, render, DateField, Form, Save, TextField, useForm } = window.stage
      interface Task {
        title: string
        day: string
      }
      function Editor() {
        const form = useForm<Task>({ from: { title: 'Letter', day: '' }, save: async (changed) => void window.calls.push(changed) })
        return h(Form<Task>, {
          of: form,
          children: [
            h(TextField, { key: 1, label: 'Title', ...form.text('title') }),
            h(DateField, { key: 2, label: 'Due', value: form.values.day, required: true, change: (day: string) => form.set('day', day) }),
            h(Save<Task>, { key: 3, of: form }),
          ],
        })
      }
      render(h(Editor, null), document.getElementById('root')!)
    })
    const [title, due] = [page.getByLabel('Title', { exact: true }), page.getByRole('textbox', { name: 'Due' })]
    const hasFocus = () => due.evaluate((field) => field === document.activeElement)
    await due.fill('5/12/2026')
    await page.keyboard.press('Control+s')
    await page.waitForFunction(() => window.calls.length === 1)
    assert.equal(await hasFocus(), true)
    await due.fill('soon')
    await title.fill('Answer')
    await title.press('Enter')
    await page.getByRole('alert').filter({ hasText: both.en.unknown }).waitFor()
    assert.equal(await hasFocus(), true)
    await due.fill('6/12/2026')
    await page.keyboard.press('Control+Enter')
    await page.waitForFunction(() => window.calls.length === 2)
    assert.deepEqual(await calls(), [{ day: '2026-12-05' }, { title: 'Answer', day: '2026-12-06' }])
    await due.fill('')
    await title.fill('Letter')
    await title.press('Enter')
    await page.getByRole('alert').filter({ hasText: both.en.unknown }).waitFor()
    assert.equal((await calls()).length, 2)
  })
})
