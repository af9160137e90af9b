import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors/refusal.ts'
import { MOST_LEVELS, openScale } from './json-extent.ts'

/** Weighs a text that arrives in pieces of `pieceBytes` bytes. */
function weigh(text: string, mostValues = 1000, pieceBytes = text.length + 1) {
  const scale = openScale(mostValues)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) scale.add(bytes.subarray(at, at + pieceBytes))
  return scale.weight()
}
/** The rule that the text breaks; undefined if it breaks no rule. */
function broken(text: string, mostValues?: number, pieceBytes?: number) {
  try {
    weigh(text, mostValues, pieceBytes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return (error.extras.body!['details'] as { rule: string }[])[0]!.rule
  }
}
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test('sixteen levels are accepted, and one more is refused', () => {
  assert.equal(broken(nested(MOST_LEVELS)), undefined)
  assert.equal(broken(nested(MOST_LEVELS + 1)), 'maxDepth')
  assert.equal(broken('{"a":'.repeat(MOST_LEVELS + 1)), 'maxDepth')
  assert.equal(broken(`[${nested(15)},${nested(15)}]`), undefined)
})

for (const [text, values] of [
  ['7', 1],
  ['[]', 1],
  ['{ }', 1],
  ['[ \n[\t]\r]', 2],
  ['{"a": 1, "b": [2, 3]}', 5],
  ['[{},{}]', 3],
  ['{"a,[{": ",\\"[,{", "b\\\\": "\\\\"}', 3],
] as const)
  test(`${JSON.stringify(text)} has ${values} values`, () => {
    assert.equal(broken(text, values), undefined)
    assert.equal(broken(text, values - 1), 'maxValues')
    for (const pieceBytes of [1, 2, 3]) {
      assert.equal(broken(text, values, pieceBytes), undefined)
      assert.equal(broken(text, values - 1, pieceBytes), 'maxValues')
      assert.equal(weigh(text, values, pieceBytes), weigh(text, values))
    }
  })

test('objects, lists and names weigh more than plain values', () => {
  assert.ok(weigh('[{},{}]') > weigh('[1000,1000]'))
  assert.ok(weigh('{"a":1}') > weigh('[1]'))
  assert.equal(weigh('"a"'), weigh(`"${'a'.repeat(1000)}"`))
})

for (const text of ['', '"', '"\\', '[', '{"a', ']]]]', '"a" "b'])
  test(`${JSON.stringify(text)}, which is not JSON, is weighed without an error`, () => assert.equal(broken(text), undefined))
