/** The judgement of answers, by test vectors that pages are also tested with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facts, field, options } from '../../../test/form-answers.ts'
import { vectors } from '../../../test/form-vectors.ts'
import { isVisible } from '../../platform/text.ts'
import { judgeAnswers } from './rules.ts'

test('every test vector gets its expected verdict', () => {
  assert.ok(vectors.length >= 300)
  for (const { name, fields, given, facts, ...expected } of vectors) {
    const { visible, answers, errors } = judgeAnswers(fields, given, facts)
    assert.deepEqual(Object.fromEntries(errors.map(({ path, rule }) => [path.replace('answers.', ''), rule])), expected.errors, name)
    if (expected.answers) assert.deepEqual(answers, expected.answers, name)
    const hidden = fields.map(({ key }) => key).filter((key) => !visible.includes(key))
    assert.deepEqual(hidden, expected.hidden, name)
  }
})

test('stored answers are accepted unchanged if they are sent again', () => {
  for (const { name, fields, facts, answers } of vectors.filter(({ answers }) => answers)) {
    const again = judgeAnswers(fields, answers!, facts)
    assert.deepEqual([again.answers, again.errors], [answers, []], name)
  }
})

test('all conditions of a field must hold', () => {
  const when = [
    { field: 'a', op: 'any' as const, value: [true] },
    { field: 'b', op: 'atLeast' as const, value: 2 },
  ]
  const fields = [field('a', 'yes_no'), field('b', 'number'), field('c', 'text', { when })]
  const visible = (a: boolean, b: number) => judgeAnswers(fields, { a, b }, facts).visible.length
  assert.deepEqual([visible(true, 2), visible(true, 1), visible(false, 2), visible(false, 1)], [3, 2, 2, 2])
})

test('an answer that breaks a rule does not hide the fields that depend on it', () => {
  const fields = [
    field('drink', 'choice', { options: options('tea water') }),
    field('sugar', 'yes_no', { when: [{ field: 'drink', op: 'any', value: ['tea'] }] }),
  ]
  const { visible, errors } = judgeAnswers(fields, { drink: 'tea' }, { ...facts, offOptions: ['drink.tea'] })
  assert.deepEqual([visible, errors], [['drink', 'sugar'], [{ path: 'answers.drink', rule: 'optionOff' }]])
})

test('properties that every object inherits do not count as answers', () => {
  const fields = ['constructor', 'valueOf'].map((key) => field(key, 'text', { required: true }))
  assert.deepEqual(
    judgeAnswers(fields, {}, facts).errors.map(({ rule }) => rule),
    ['required', 'required'],
  )
})

test('an error has the bound of the broken rule', () => {
  const { errors } = judgeAnswers([field('n', 'number', { max: 3 }), field('t', 'text', { maxLength: 1 })], { n: 4, t: 'ab' }, facts)
  assert.deepEqual(errors, [
    { path: 'answers.n', rule: 'max', limit: 3 },
    { path: 'answers.t', rule: 'length', limit: 1 },
  ])
})

test('long answers are judged within a second', () => {
  const fields = [
    field('a', 'text', { pattern: 'email' }),
    field('b', 'text', { pattern: 'phone' }),
    field('c', 'text', { pattern: 'url' }),
  ]
  const began = performance.now()
  for (const letter of ['a', '1', '.', ' ', 'a.', '1 ', '\u0301', '@'])
    judgeAnswers(fields, { a: letter.repeat(8000), b: letter.repeat(8000), c: `https://${letter.repeat(8000)}` }, facts)
  assert.ok(performance.now() - began < 1000)
})

test('the portal and the form agree on the characters that are visible', () => {
  const fields = [field('a', 'text', { required: true })]
  const differing: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code)
    if (!/[\p{L}\p{N}\p{P}\p{S}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(text)) continue
    if ((judgeAnswers(fields, { a: text }, facts).errors.length === 0) !== isVisible(text)) differing.push(code.toString(16))
  }
  assert.deepEqual(differing, [])
})
