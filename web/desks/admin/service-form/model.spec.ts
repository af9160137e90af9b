/** The operations of the form editor on fields. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionOn, opsOf, withOp } from '../shared/conditions/fit.ts'
import { keyOf } from '../shared/keys.ts'
import { faultOf, faulty, misplaced, readable, withoutMisplaced } from './conditions.ts'
import {
  addField,
  addOption,
  changeOption,
  type FormField,
  type Kind,
  keysIn,
  missingIn,
  optionsOf,
  pasteLines,
  readersOf,
  relabel,
  removeField,
  removeOption,
} from './model.ts'
import { faultsIn } from './refusals.ts'

const made = (...all: [kind: Kind, en: string][]) =>
  all.reduce<FormField[]>((fields, [kind, en]) => addField(fields, kind, { ar: '', en }), [])
const when = (fields: FormField[], key: string, ...conditions: FormField['when']) =>
  fields.map((field) => (field.key === key ? { ...field, when: conditions } : field))
const conditionsOf = (fields: FormField[], key: string) => fields.find((field) => field.key === key)!.when
/** A choice with three options, a number, and a text with a condition on each of them. */
const drinks = () => {
  const fields = pasteLines(
    made(['choice', 'Drink'], ['number', 'Cups'], ['text', 'Why']),
    'drink',
    { at: 0, side: 'en', pasted: 'Tea\nCoffee\nWater' },
    [],
  )!
  return when(fields, 'why', { field: 'drink', op: 'any', value: ['tea', 'coffee'] }, { field: 'cups', op: 'atLeast', value: 5 })
}

test('a key is made from the English text, or else the Arabic text, or else a number, and is unique', () => {
  for (const [ar, en, key] of [
    [null, 'Amount (SAR)', 'amount_sar'],
    ['المبلغ', 'Amount', 'amount'],
    ['المبلغ', null, 'almblgh'],
    ['غرفة ٣', null, 'ghrfa_3'],
    ['إِجازة مؤقتة', null, 'ijaza_mwqta'],
    [null, '2nd café', 'nd_cafe'],
    ['؟', '!', 'field_1'],
    [null, 'a'.repeat(40), 'a'.repeat(32)],
  ] as const)
    assert.equal(keyOf({ ar, en }, 'field', []), key)
  assert.equal(keyOf({ ar: null, en: 'Amount' }, 'field', ['amount', 'amount_2']), 'amount_3')
  assert.equal(keyOf({ ar: null, en: null }, 'field', ['a', 'field_3']), 'field_4')
  assert.equal(keyOf({ ar: null, en: 'a'.repeat(40) }, 'field', ['a'.repeat(32)]), `${'a'.repeat(30)}_2`)
})

test('a new field has the defaults of its kind and a key of its own, and shares no option list', () => {
  const [one, other] = made(['choice', 'Drink'], ['choice', 'Drink']) as [FormField, FormField]
  assert.deepEqual([one.key, other.key, one.options, one.required, one.when], ['drink', 'drink_2', [], false, []])
  assert.notEqual(one.options, other.options)
  const [info] = addField([], 'info', { ar: 'اقرأ', en: ' ' })
  assert.deepEqual([info!.key, info!.labelAr, info!.textAr, info!.textEn], ['aqra', null, 'اقرأ', null])
})

test('a key follows the label until it is saved or written by hand, and conditions follow the key', () => {
  const fields = when(made(['number', 'Amount'], ['text', 'Reason']), 'reason', { field: 'amount', op: 'atLeast', value: 100 })
  const renamed = relabel(fields, 'amount', { labelEn: 'Sum' }, [])
  assert.deepEqual([keysIn(renamed), conditionsOf(renamed, 'reason')[0]!.field], [['sum', 'reason'], 'sum'])
  assert.deepEqual(keysIn(relabel(fields, 'amount', { labelEn: 'Sum' }, ['amount'])), ['amount', 'reason'])
  const byHand = fields.map((field) => (field.key === 'reason' ? { ...field, key: 'why' } : field))
  assert.deepEqual(keysIn(relabel(byHand, 'why', { labelEn: 'Ground' }, [])), ['amount', 'why'])
})

test('until an option is saved, its key follows its text, also in conditions', () => {
  const renamed = changeOption(drinks(), 'drink', 'tea', { en: 'Green tea' }, [])
  assert.deepEqual(keysIn(optionsOf(renamed, 'drink')), ['green_tea', 'coffee', 'water'])
  assert.deepEqual(conditionsOf(renamed, 'why')[0]!.value, ['green_tea', 'coffee'])
  assert.deepEqual(keysIn(optionsOf(changeOption(drinks(), 'drink', 'tea', { en: 'Green tea' }, ['tea']), 'drink')), [
    'tea',
    'coffee',
    'water',
  ])
})

test('the readers of a field or option are found, and removing it removes the conditions on it', () => {
  const fields = drinks()
  assert.deepEqual(keysIn(readersOf(fields, 'drink')), ['why'])
  assert.deepEqual(keysIn(readersOf(fields, 'drink', 'tea')), ['why'])
  assert.deepEqual(keysIn(readersOf(fields, 'drink', 'water')), [])
  const without = removeOption(fields, 'drink', 'tea')
  assert.deepEqual(conditionsOf(without, 'why')[0], { field: 'drink', op: 'any', value: ['coffee'] })
  assert.deepEqual(keysIn(conditionsOf(removeOption(without, 'drink', 'coffee'), 'why').map(({ field }) => ({ key: field }))), ['cups'])
  const left = removeField(fields, 'drink')
  assert.deepEqual([keysIn(left), conditionsOf(left, 'why').length], [['cups', 'why'], 1])
})

test('pasted lines fill options and add further ones, in one column or in both, up to a hundred', () => {
  const fields = made(['choice', 'Drink'])
  assert.equal(pasteLines(fields, 'drink', { at: 0, side: 'en', pasted: 'Tea' }, []), undefined)
  const english = pasteLines(fields, 'drink', { at: 0, side: 'en', pasted: 'Tea\r\n\r\n Coffee \n' }, [])!
  const both = pasteLines(english, 'drink', { at: 0, side: 'ar', pasted: 'شاي\nقهوة\nماء' }, [])!
  assert.deepEqual(
    optionsOf(both, 'drink').map(({ key, ar, en }) => [key, ar, en]),
    [
      ['tea', 'شاي', 'Tea'],
      ['coffee', 'قهوة', 'Coffee'],
      ['ma', 'ماء', null],
    ],
  )
  const [pair] = optionsOf(pasteLines(fields, 'drink', { at: 0, side: 'en', pasted: 'شاي\tTea' }, [])!, 'drink')
  assert.deepEqual([pair!.ar, pair!.en], ['شاي', 'Tea'])
  const many = pasteLines(
    fields,
    'drink',
    { at: 0, side: 'en', pasted: Array.from({ length: 150 }, (_, n) => `Room ${n}`).join('\n') },
    [],
  )!
  assert.equal(optionsOf(many, 'drink').length, 100)
})

test('a condition can read only fields above it that are comparable, and only by comparisons that fit', () => {
  const fields = addOption(
    made(['text', 'Name'], ['choice', 'Empty'], ['items', 'Basket'], ['yes_no', 'Urgent'], ['number', 'Cups'], ['text', 'Why']),
    'basket',
    0,
  )
  assert.deepEqual(keysIn(readable(fields, 'why')), ['basket', 'urgent', 'cups'])
  assert.deepEqual(keysIn(readable(fields, 'urgent')), ['basket'])
  assert.deepEqual(fields.map(opsOf), [[], [], ['any', 'none', 'atLeast', 'atMost'], ['any', 'none'], ['atLeast', 'atMost'], []])
  const basket = fields[2]!
  const any = conditionOn(basket)
  assert.deepEqual(any, { field: 'basket', op: 'any', value: ['option_1'] })
  assert.deepEqual(withOp(any, basket, 'none').value, ['option_1'])
  assert.deepEqual(withOp(any, basket, 'atMost'), { field: 'basket', op: 'atMost', value: 1 })
  assert.deepEqual(conditionOn(fields[3]!).value, [true])
})

test('a faulty condition is reported with its fault, and can be removed', () => {
  const fields = drinks()
  const of = (condition: FormField['when'][number]) => faultOf(fields, 'why', condition)
  assert.deepEqual(faulty(fields), [])
  assert.equal(of({ field: 'nothing', op: 'any', value: ['tea'] }), 'gone')
  assert.equal(of({ field: 'why', op: 'any', value: ['tea'] }), 'below')
  assert.equal(of({ field: 'drink', op: 'any', value: ['milk'] }), 'unfit')
  assert.equal(of({ field: 'drink', op: 'atLeast', value: 1 }), 'unfit')
  assert.equal(of({ field: 'cups', op: 'atLeast', value: ['tea'] }), 'unfit')
  const moved = [fields[2]!, fields[0]!, fields[1]!]
  assert.deepEqual([keysIn(faulty(moved)), keysIn(misplaced(moved))], [['why'], ['why']])
  assert.deepEqual(conditionsOf(withoutMisplaced(moved), 'why'), [])
  assert.deepEqual(withoutMisplaced(fields), fields)
  const unticked = when(fields, 'why', { field: 'drink', op: 'any', value: [] })
  assert.deepEqual([keysIn(faulty(unticked)), misplaced(unticked)], [['why'], []])
})

test('a text that is missing in one language is reported, wherever in the field it is', () => {
  const [field] = made(['choice', 'Drink']) as [FormField]
  assert.deepEqual(missingIn(field), ['ar'])
  const both = { ...field, labelAr: 'الشراب' }
  assert.deepEqual(missingIn(both), [])
  assert.deepEqual(missingIn({ ...both, hintAr: 'ساخن' }), ['en'])
  assert.deepEqual(missingIn({ ...both, options: [{ key: 'tea', ar: null, en: 'Tea' }] }), ['ar'])
  assert.deepEqual(missingIn({ ...both, unitEn: 'cups', hintAr: 'ساخن' }), ['ar', 'en'])
})

test('a refusal names its field by the key that the field had when it was sent', () => {
  const fields = made(['text', 'One'], ['choice', 'Two'])
  const detail = { rule: 'required', messageAr: '', messageEn: 'No' }
  assert.deepEqual(
    faultsIn(
      [
        { path: 'fields.1.options.0.ar', ...detail },
        { path: 'fields/0/key', ...detail },
        { path: 'fields', ...detail },
      ],
      fields,
    ),
    [
      { ...detail, key: 'two', at: 'options.0.ar' },
      { ...detail, key: 'one', at: 'key' },
    ],
  )
})
