/** Form controls and popovers, with keys and screen readers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from './password-texts.ts'

/** The accessible description of a control. */
const described = (control: Locator) =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '').split(' ').flatMap((id) => document.getElementById(id)?.textContent ?? []),
  )

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]

    test(`a switch toggles by Space and by its label, states its name, and stays if it is disabled (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, Switch } = window.stage
        const on = signal(false)
        const change = (is: boolean) => {
          on.value = is
          window.calls.push(is)
        }
        const Page = () => [
          h(Switch, { key: 1, label: 'Sound', hint: 'Of this device', on: on.value, change }),
          h(Switch, { key: 2, label: 'Fixed', on: true, change, disabled: true }),
        ]
        render(h(Page, null), document.getElementById('root')!)
      })
      const sound = page.getByRole('switch', { name: 'Sound', exact: true })
      assert.deepEqual(await described(sound), ['Of this device'])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.getByRole('switch', { name: 'Sound', checked: true }).waitFor()
      await page.getByText('Sound').click()
      await page.getByRole('switch', { name: 'Sound', checked: false }).waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement === document.body), true)
      await page.getByText('Fixed').click({ force: true })
      assert.deepEqual(await calls(), [true, false])
      assert.deepEqual(await findings(page), [])
    })

    test(`a switch that is on has its knob at the end of the reading direction (${language})`, async () => {
      const { page } = await open(language)
      const knob = (on: boolean) =>
        page.evaluate((on) => {
          const { h, render, Switch } = window.stage
          render(h(Switch, { key: `${on}`, label: 'Sound', on, change: () => {} }), document.getElementById('root')!)
          const { left, right } = getComputedStyle(document.querySelector('.switch')!, '::after')
          return Number.parseFloat(left) > Number.parseFloat(right) ? 'right' : 'left'
        }, on)
      assert.deepEqual([await knob(true), await knob(false)], language === 'ar' ? ['left', 'right'] : ['right', 'left'])
    })

    test(`a field is read out with its hint and error, and a new error is announced (${language})`, async () => {
      const { page } = await open(language)
      const draw = (error?: string) =>
        page.evaluate((error) => {
          const { h, render, SelectField, TextArea, TextField } = window.stage
          const choices = ['one', 'two'].map((value) => ({ value, text: value }))
          const fields = [
            h(TextField, { key: 1, label: 'Name', hint: 'As on the badge', optional: 'optional', error }),
            h(TextArea, { key: 2, label: 'Notes', error }),
            h(SelectField<string>, { key: 3, label: 'Kind', value: 'one', choices, choose: (value) => window.calls.push(value), error }),
          ]
          render(fields, document.getElementById('root')!)
        }, error)
      await draw()
      const name = page.getByRole('textbox', { name: 'Name (optional)' })
      assert.deepEqual(await described(name), ['As on the badge'])
      assert.equal(await name.getAttribute('aria-invalid'), null)
      assert.deepEqual(await findings(page), [])
      await draw('It is taken')
      assert.deepEqual(await described(name), ['As on the badge', 'It is taken'])
      for (const control of [page.getByRole('textbox', { name: 'Notes' }), page.getByRole('combobox', { name: 'Kind' })])
        assert.deepEqual([await described(control), await control.getAttribute('aria-invalid')], [['It is taken'], 'true'])
      assert.equal(await page.getByRole('alert').filter({ hasText: 'It is taken' }).count(), 3)
      assert.deepEqual(await findings(page), [])
    })

    test(`a typed text sets the direction of its field (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, TextField } = window.stage
        render(h(TextField, { label: 'Name' }), document.getElementById('root')!)
      })
      const name = page.getByRole('textbox', { name: 'Name' })
      for (const [text, direction] of [
        ['Dana', 'ltr'],
        ['دانة', 'rtl'],
      ] as const) {
        await name.fill(text)
        assert.equal(await name.evaluate((field) => getComputedStyle(field).direction), direction)
      }
    })

    test(`a button reveals the typed password, and Escape empties a search field (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, PasswordField, SearchField, TextField } = window.stage
        const [password, search] = [signal(''), signal('')]
        const find = (value: string) => {
          search.value = value
          window.calls.push(value)
        }
        const fields = () => [
          h(TextField, { key: 0, label: 'Username', autocomplete: 'username' }),
          h(PasswordField, {
            key: 1,
            label: 'Password',
            name: 'password',
            autocomplete: 'current-password',
            value: password.value,
            change: (value) => (password.value = value),
          }),
          h(SearchField, { key: 2, label: 'Find', value: search.value, change: find }),
        ]
        const Page = () => h('form', { children: fields() })
        render(h(Page, null), document.getElementById('root')!)
      })
      const password = page.getByLabel('Password', { exact: true })
      await password.fill('battery staple')
      assert.equal(await password.getAttribute('type'), 'password')
      await page.getByRole('button', { name: t.show }).press('Enter')
      assert.deepEqual([await password.getAttribute('type'), await password.inputValue()], ['text', 'battery staple'])
      await page.getByRole('button', { name: t.hide }).press('Enter')
      assert.equal(await password.getAttribute('type'), 'password')
      await page.getByRole('searchbox', { name: 'Find' }).fill('coffee')
      await page.keyboard.press('Escape')
      assert.deepEqual([await calls(), await page.getByRole('searchbox').inputValue()], [['coffee', ''], ''])
      assert.deepEqual(await findings(page), [])
    })

    test(`Enter sends a form with a recognised time or day, but not if it only completes the typed text or the text is invalid (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, DateField, TimeField } = window.stage
        const [time, day] = [signal(''), signal('')]
        const Page = () =>
          h(
            'form',
            {
              onSubmit: (event: Event) => {
                event.preventDefault()
                window.calls.push([time.value, day.value])
              },
            },
            h(TimeField, { label: 'Time', value: time.value, change: (now) => (time.value = now) }),
            h(DateField, { label: 'Day', value: day.value, change: (now) => (day.value = now) }),
            h('button', null, 'Send'),
          )
        render(h(Page, null), document.getElementById('root')!)
      })
      const [time, day] = [page.getByRole('textbox', { name: 'Time' }), page.getByRole('textbox', { name: 'Day' })]
      await time.fill('soon')
      await time.press('Enter')
      await time.fill('8')
      await time.press('Enter')
      assert.deepEqual([await time.inputValue(), await calls()], ['08:00', []])
      await time.fill('9:30')
      await time.press('Enter')
      assert.deepEqual(await calls(), [['09:30', '']])
      await day.fill('1/3/2026')
      await day.press('Enter')
      assert.equal((await calls()).length, 1)
      await day.press('Enter')
      assert.deepEqual((await calls())[1], ['09:30', '2026-03-01'])
    })

    test(`a popover opens by a key and closes by Escape, by a press elsewhere, or from inside (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate(() => {
        const { h, render, Popover } = window.stage
        const inside = (close: () => void) => h('button', { type: 'button', onClick: close }, 'Done')
        render(h(Popover, { label: 'Columns', face: '…', children: inside }), document.getElementById('root')!)
      })
      const button = page.getByRole('button', { name: 'Columns' })
      const panel = page.getByRole('group', { name: 'Columns' })
      await panel.waitFor({ state: 'hidden' })
      await button.press('Enter')
      await panel.waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Done')
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'hidden' })
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Columns')
      await button.click()
      await panel.waitFor()
      await page.locator('h1').click()
      await panel.waitFor({ state: 'hidden' })
      await button.click()
      await panel.getByRole('button', { name: 'Done' }).click()
      await panel.waitFor({ state: 'hidden' })
    })
  }
})
