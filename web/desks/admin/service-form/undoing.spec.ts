/** Undo in the form editor, after more was typed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addField, changeField, type FormField, keysIn, optionsOf, pasteLines, removeField, removeOption } from './model.ts'
import { inFormerOrder, restoreField, restoreOption } from './undoing.ts'

/** A choice with two options, a number, and a text with a condition on each of them. */
function drinks() {
  const empty = addField(addField(addField([], 'choice', { ar: '', en: 'Drink' }), 'number', { ar: '', en: 'Cups' }), 'text', {
    ar: '',
    en: 'Why',
  })
  const fields = pasteLines(empty, 'drink', { at: 0, side: 'en', pasted: 'Tea\nCoffee' }, [])!
  const when: FormField['when'] = [
    { field: 'drink', op: 'any', value: ['tea', 'coffee'] },
    { field: 'cups', op: 'atLeast', value: 5 },
  ]
  return changeField(fields, 'why', { when })
}
const conditionsOf = (fields: readonly FormField[], key: string) => fields.find((field) => field.key === key)!.when

test('undoing the removal of a field keeps what was typed since', () => {
  const before = drinks()
  const since = addField(changeField(removeField(before, 'cups'), 'why', { hintEn: 'In short' }), 'text', { ar: '', en: 'Room' })
  const now = restoreField(since, before, 'cups')
  assert.deepEqual(keysIn(now), ['drink', 'cups', 'why', 'room'])
  const why = now.find(({ key }) => key === 'why')!
  assert.equal(why.hintEn, 'In short')
  assert.deepEqual(why.when, conditionsOf(before, 'why'))
})

test('a removed first field returns to the first place, and a field that exists again is not duplicated', () => {
  const before = drinks()
  assert.deepEqual(keysIn(restoreField(removeField(before, 'drink'), before, 'drink')), ['drink', 'cups', 'why'])
  assert.deepEqual(restoreField(before, before, 'drink'), before)
})

test('undoing the removal of an option keeps what was typed since, and gives conditions the option back', () => {
  const before = drinks()
  const [tea, coffee] = optionsOf(before, 'drink')
  const since = changeField(removeOption(before, 'drink', 'tea'), 'why', { hintEn: 'In short' })
  const now = restoreOption(since, before, 'drink', tea!)
  assert.deepEqual(keysIn(optionsOf(now, 'drink')), ['tea', 'coffee'])
  assert.deepEqual(conditionsOf(now, 'why'), conditionsOf(before, 'why'))
  assert.equal(now.find(({ key }) => key === 'why')!.hintEn, 'In short')
  // With both options removed, the condition is gone, too; restoring an option brings it back.
  const none = removeOption(since, 'drink', 'coffee')
  assert.deepEqual(conditionsOf(restoreOption(none, since, 'drink', coffee!), 'why')[1], conditionsOf(since, 'why')[0])
  assert.deepEqual(restoreOption(removeField(before, 'drink'), before, 'drink', tea!), removeField(before, 'drink'))
})

test('undoing a move restores the order and keeps new fields', () => {
  const before = drinks()
  const moved = addField([before[2]!, ...before.slice(0, 2)], 'text', { ar: '', en: 'Room' })
  const since = changeField(moved, 'cups', { hintEn: 'In all' })
  const now = inFormerOrder(since, before)
  assert.deepEqual(keysIn(now), ['drink', 'cups', 'why', 'room'])
  assert.equal(now[1]!.hintEn, 'In all')
})
