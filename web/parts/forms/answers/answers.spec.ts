/** The fields of a service's form, as people answer them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { browser, findings, foundOption, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import type { FormField } from './judging.ts'
import { both } from './texts.ts'

const field = (key: string, kind: FormField['kind'], rest: Partial<FormField> = {}): FormField => ({
  ...{ key, kind, labelAr: `${key} ع`, labelEn: `${key} en`, hintAr: null, hintEn: null, required: false, when: [] },
  ...rest,
})
const options = (...keys: string[]) => keys.map((key) => ({ key, ar: `${key} ع`, en: null }))
const fields: FormField[] = [
  field('name', 'text', { required: true, maxLength: 40, pattern: 'any', hintAr: 'تلميح', hintEn: 'A hint' }),
  field('more', 'paragraph', { maxLength: 100 }),
  field('seats', 'number', { min: 1, max: 50, decimals: 0, unitAr: 'كرسي', unitEn: 'seats' }),
  field('drink', 'choice', { options: options('tea', 'coffee') }),
  field('sides', 'choices', { options: options('dates', 'cake', 'nuts'), most: 2, when: [{ field: 'drink', op: 'any', value: ['tea'] }] }),
  field('cups', 'items', { options: options('small', 'large'), mostTotal: 5 }),
  field('agrees', 'yes_no', { mustBeYes: true }),
  field('day', 'date', { earliestDays: 0, latestDays: 30 }),
  field('host', 'person'),
  field('when', 'wanted_at', { maxDays: 10 }),
  field('plan', 'files', { most: 1, types: 'any' }),
  field('note', 'info', { textAr: 'اقرأ https://example.org/a.', textEn: 'Read https://example.org/a.' }),
]

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]
    const label = (key: string) => `${key} ${language === 'ar' ? 'ع' : 'en'}`

    test(`fields of every kind are named, answered and hidden by their conditions (${language})`, async () => {
      const { page } = await open(language)
      await page.evaluate((fields) => {
        const { h, render, signal, judge, AnswerFields } = window.stage
        const given = signal<Record<string, unknown>>({})
        const around = { today: '2026-11-29', now: new Date('2026-11-29T08:00:00Z'), offOptions: ['cups.large'] }
        const errors = new Map([['name', 'wrong']])
        function Page() {
          const judgement = judge(fields, given.value, around)
          Object.assign(window, { answers: judgement.answers })
          const change = (key: string, value: unknown) => {
            given.value = { ...given.value, [key]: value }
          }
          return h(AnswerFields, { fields, given: given.value, judgement, change, errors, ...around })
        }
        render(h(Page, null), document.getElementById('root')!)
      }, fields)
      const sides = page.getByRole('group', { name: label('sides') })
      assert.equal(await sides.count(), 0)
      const name = page.getByRole('textbox', { name: label('name') })
      assert.deepEqual([await name.getAttribute('aria-invalid'), await name.getAttribute('required')], ['true', ''])
      await name.fill('Hall')
      await page.getByRole('textbox', { name: label('seats') }).fill('٣')
      // An option without a text in the page's language shows that of the other language.
      await page
        .getByRole('radiogroup', { name: label('drink') })
        .getByText('tea ع')
        .click()
      await sides.getByText('cake ع').click()
      const cups = page.getByRole('group', { name: label('cups') })
      await cups
        .getByRole('button', { name: t.more('').trim() })
        .first()
        .click()
      await cups.getByRole('textbox').first().fill('٢')
      assert.equal(await cups.getByRole('textbox').nth(1).isDisabled(), true)
      await cups.getByText(t.totalOf(2, 5)).waitFor()
      await page
        .getByRole('group', { name: label('agrees') })
        .getByRole('checkbox')
        .check()
      assert.equal(await page.getByRole('link').getAttribute('href'), 'https://example.org/a')
      await page
        .getByRole('group', { name: label('plan') })
        .getByRole('button')
        .waitFor()
      assert.deepEqual(await findings(page), [])
      const answers = await page.evaluate(() => 'answers' in window && window.answers)
      assert.deepEqual(answers, { name: 'Hall', seats: 3, drink: 'tea', sides: ['cake'], cups: { small: 2 }, agrees: true })
    })

    test(`a wanted moment has the days of the device, a date those of the office (${language})`, async () => {
      const { page } = await open(language)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
      // In the office, the next day has begun.
      const now = '2026-11-28T01:00:00Z'
      await page.clock.setFixedTime(new Date(now))
      await page.evaluate(
        ({ fields, now }) => {
          const { h, render, signal, judge, AnswerFields } = window.stage
          const given = signal<Record<string, unknown>>({})
          const around = { today: '2026-11-28', now: new Date(now), offOptions: [] }
          function Page() {
            const judgement = judge(fields, given.value, around)
            Object.assign(window, { judgement })
            const change = (key: string, value: unknown) => {
              given.value = { ...given.value, [key]: value }
            }
            return h(AnswerFields, { fields, given: given.value, judgement, change, errors: new Map(), ...around })
          }
          render(h(Page, null), document.getElementById('root')!)
        },
        { fields: fields.filter(({ key }) => key === 'day' || key === 'when'), now },
      )
      const moment = page.getByRole('group', { name: label('when') })
      const type = async (into: Locator, text: string) => {
        await into.fill(text)
        await into.press('Enter')
      }
      await type(page.getByRole('textbox', { name: label('day') }), 'today')
      await type(moment.getByRole('textbox', { name: t.day }), 'today')
      await type(moment.getByRole('textbox', { name: t.time }), '23:00')
      const judged = await page.evaluate(() => 'judgement' in window && (window.judgement as { answers: object; errors: unknown[] }))
      assert.deepEqual(judged, { ...judged, answers: { day: '2026-11-28', when: '2026-11-28T04:00:00.000Z' }, errors: [] })
    })

    test(`a person can be chosen from a list that was found before the form was drawn again (${language})`, async () => {
      const { page } = await open(language)
      const person = { id: 7, username: 'salma', displayNameAr: 'سلمى', displayNameEn: 'Salma', avatarUrl: null }
      await page.route('**/api/notes/recipients*', (route) => route.fulfill({ json: [person] }))
      await page.evaluate((fields) => {
        const { h, render, signal, judge, AnswerFields } = window.stage
        const given = signal<Record<string, unknown>>({})
        const around = { today: '2026-11-29', now: new Date('2026-11-29T08:00:00Z'), offOptions: [] }
        const drawAgain = () => {
          given.value = { ...given.value }
        }
        Object.assign(window, { drawAgain })
        function Page() {
          const judgement = judge(fields, given.value, around)
          const change = (key: string, value: unknown) => {
            given.value = { ...given.value, [key]: value }
          }
          return h(AnswerFields, { fields, given: given.value, judgement, change, errors: new Map(), ...around })
        }
        render(h(Page, null), document.getElementById('root')!)
      }, fields)
      const name = language === 'ar' ? person.displayNameAr : person.displayNameEn
      const group = page.locator('.ids-field')
      await group.getByRole('combobox').fill('sal')
      await foundOption(page, { name: new RegExp(name) }).waitFor()
      await page.evaluate(async () => {
        ;(window as unknown as { drawAgain: () => void }).drawAgain()
        await new Promise(requestAnimationFrame)
      })
      await foundOption(page, { name: new RegExp(name) }).click()
      await group.locator('.chip').getByText(name).waitFor()
    })
  }
})
