/** Typed values become answers, and answers are carried over to another version of their form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asGiven, type FormField, isWhole, judge, lay, numberIn, totalIn } from './judging.ts'

const around = { today: '2026-11-29', now: new Date('2026-11-29T08:00:00Z'), offOptions: [] as string[] }
const field = (key: string, kind: FormField['kind'], rest: Partial<FormField> = {}): FormField => ({
  ...{ key, kind, labelAr: null, labelEn: key, hintAr: null, hintEn: null, required: false, when: [] },
  ...rest,
})
const options = (...keys: string[]) => keys.map((key) => ({ key, ar: null, en: key }))
const rulesOf = (fields: FormField[], given: Record<string, unknown>, circumstances = around) =>
  judge(fields, given, circumstances).errors.map(({ path, rule }) => `${path} ${rule}`)

test('a number is read in Latin and Arabic digits, with either decimal sign', () => {
  const read = ['12', '١٢', '۱۲', '1,234', '١٬٢٣٤', '1.5', '1,5', '١٫٥', '١،٥', '-3', '−٣', ' 7 ', '12a', '1.2.3', ''].map(numberIn)
  assert.deepEqual(read, [12, 12, 12, 1234, 1234, 1.5, 1.5, 1.5, 1.5, -3, -3, 7, undefined, undefined, undefined])
})

test('the Arabic decimal sign never groups thousands', () => {
  const read = ['١٫٢٥٠', '-٠٫١٢٥', '1٫250', '١٬٢٣٤٫٥٠٠', '١،٢٣٤٫٥', '١٫٢٣٤٫٥٦٧', '1,250'].map(numberIn)
  assert.deepEqual(read, [1.25, -0.125, 1.25, 1234.5, 1234.5, undefined, 1250])
})

test('a text that is not a number is an error, not a missing answer', () => {
  const fields = [field('seats', 'number')]
  assert.deepEqual([rulesOf(fields, { seats: 'many' }), rulesOf(fields, { seats: null })], [['answers.seats kind'], []])
})

test('a person is sent by id, and a telephone number in Latin digits', () => {
  const fields = [field('host', 'person'), field('phone', 'text', { pattern: 'phone', maxLength: 40 })]
  const { answers } = judge(fields, { host: { id: 7, nameAr: 'هدى', nameEn: 'Huda' }, phone: '٠٥٠ ١٢٣' }, around)
  assert.deepEqual(answers, { host: 7, phone: '050 123' })
})

test('a moment needs a day and a time, and must be neither too early nor too late', () => {
  const fields = [field('when', 'wanted_at', { leadMinutes: 60, maxDays: 10 })]
  const at = (day: string, time: string) => rulesOf(fields, { when: { day, time } })
  const rules = [at('2026-12-01', ''), at('2026-11-28', '10:00'), at('2026-12-20', '10:00'), at('2026-12-01', '10:00'), at('', '')]
  assert.deepEqual(rules, [['answers.when kind'], ['answers.when early'], ['answers.when late'], [], []])
})

test('a field with a key such as constructor, which every object has, is empty until it is answered', () => {
  const fields = [field('constructor', 'text', { required: true }), field('drinks', 'items', { options: options('constructor') })]
  assert.deepEqual(rulesOf(fields, {}), ['answers.constructor required'])
  assert.deepEqual(lay({ fields, given: {} }, fields, around).given, {})
})

test('the total counts only the fields that are visible', () => {
  const fields = [
    field('guests', 'yes_no'),
    field('drinks', 'items', { options: options('tea', 'coffee'), when: [{ field: 'guests', op: 'any', value: [true] }] }),
  ]
  const total = (guests: boolean) => totalIn(fields, judge(fields, { guests, drinks: { tea: 2, coffee: 3 } }, around))
  assert.deepEqual([total(true), total(false)], [5, 0])
})

const drink = field('drink', 'choice', { options: options('tea', 'coffee') })
const sides = field('sides', 'choices', { options: options('dates', 'cake') })

test('answers that fit the new version of the form are kept and not marked', () => {
  const { given, marks } = lay({ fields: [drink], given: { drink: 'tea' } }, [{ ...drink, labelEn: 'Which?' }], around)
  assert.deepEqual([given, [...marks]], [{ drink: 'tea' }, []])
})

test('a new field is marked, and so is one whose chosen option is gone, with the former answer', () => {
  const after = [{ ...drink, options: options('coffee') }, { ...sides, options: options('dates') }, field('room', 'text')]
  const { given, marks } = lay({ fields: [drink, sides], given: { drink: 'tea', sides: ['dates', 'cake'] } }, after, around)
  assert.deepEqual(given, { drink: null, sides: ['dates'] })
  assert.deepEqual(
    [...marks].map(([key, { why, before }]) => [key, why, before?.value]),
    [
      ['drink', 'unfit', 'tea'],
      ['sides', 'unfit', ['dates', 'cake']],
      ['room', 'new', undefined],
    ],
  )
})

test('a sold-out option and a text that is now too long are kept and marked', () => {
  const note = field('note', 'text', { maxLength: 20 })
  const before = { fields: [drink, note], given: { drink: 'tea', note: 'at the back door' } }
  const { given, marks } = lay(before, [drink, { ...note, maxLength: 5 }], { ...around, offOptions: ['drink.tea'] })
  assert.deepEqual([given, [...marks.keys()]], [before.given, ['drink', 'note']])
})

test('an empty field that became required is marked, and the answer to a removed field is kept', () => {
  const { given, marks } = lay({ fields: [drink, sides], given: { sides: ['cake'] } }, [{ ...drink, required: true }], around)
  assert.deepEqual([given, [...marks].map(([key, { why }]) => [key, why])], [{ sides: ['cake'] }, [['drink', 'missing']]])
})

test('ordering again takes over all answers except files and moments', () => {
  const fields = [drink, field('when', 'wanted_at'), field('plan', 'files'), field('host', 'person')]
  const host = { id: 7, nameAr: 'هدى', nameEn: 'Huda' }
  const given = asGiven(fields, { drink: 'tea', when: '2026-11-01T08:00:00.000Z', plan: ['a'], host })
  assert.deepEqual(given, { drink: 'tea', host })
})

test('earlier answers are sent again without showing the form if each of them still fits unchanged, and not otherwise', () => {
  const fits = (former: FormField[], answers: Record<string, unknown>, now: FormField[], circumstances = around) => {
    const before = asGiven(former, answers)
    const { given, marks } = lay({ fields: former, given: before }, now, circumstances)
    return isWhole(before, marks, judge(now, given, circumstances))
  }
  const cups = field('cups', 'items', { options: options('tea', 'dark') })
  const [room, plan] = [field('room', 'text'), field('plan', 'files')]
  const small = { ...drink, when: [{ field: 'sides', op: 'any' as const, value: ['cake'] }] }
  const basket = { cups: { tea: 2, dark: 1 } }
  const kept = [
    fits([cups], basket, [cups, room]),
    fits([sides], { sides: ['dates', 'cake'] }, [{ ...sides, options: options('cake', 'dates', 'figs') }]),
    fits([cups, plan], { ...basket, plan: ['a'] }, [cups]),
    fits([], {}, [room]),
  ]
  assert.deepEqual(kept, [true, true, true, true])
  const lost = [
    fits([cups], basket, [{ ...cups, options: options('tea') }]),
    fits([drink], { drink: 'tea' }, [{ ...drink, options: options('coffee') }]),
    fits([cups, room], { ...basket, room: 'Hall' }, [cups]),
    fits([sides, drink], { sides: ['dates'], drink: 'tea' }, [sides, small]),
    fits([cups], basket, [cups], { ...around, offOptions: ['cups.tea'] }),
    fits([cups], basket, [cups, { ...room, required: true }]),
    fits([cups, plan], { ...basket, plan: ['a'] }, [cups, { ...plan, required: true }]),
  ]
  assert.deepEqual(lost, [false, false, false, false, false, false, false])
})
