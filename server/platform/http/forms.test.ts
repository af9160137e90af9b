import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors/refusal.ts'
import { openFormScale, parseForm } from './forms.ts'

const parse = (text: string | Uint8Array) => parseForm(Buffer.from(text as string))
/** The path and the rule that the refusal names. */
function broken(act: () => unknown) {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [{ path, rule }] = error.extras.body!['details'] as [{ path: string; rule: string }]
    return [path, rule]
  }
  return undefined
}

for (const [text, fields] of [
  ['a=1', { a: '1' }],
  ['a=1&b=2&', { a: '1', b: '2' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=1', { '': '1' }],
  ['a=1=2&b=%26%3D', { a: '1=2', b: '&=' }],
  ['a+b=c+d%2B', { 'a b': 'c d+' }],
  ['name=%D9%86%D9%88%D8%B1', { name: 'نور' }],
  ['name=نور', { name: 'نور' }],
  ['a=%0D%0A', { a: '\r\n' }],
] as const)
  test(`the form ${JSON.stringify(text)} is parsed as ${JSON.stringify(fields)}`, () =>
    assert.deepEqual({ ...(parse(text) as object) }, fields))

test('an empty form counts as no body', () => assert.equal(parse(''), undefined))

test('names of the prototype are ordinary fields', () => {
  const fields = parse('__proto__=x&constructor=y&toString=z') as Record<string, string>
  assert.deepEqual(Object.entries(fields), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['toString', 'z'],
  ])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

for (const [what, text, expected] of [
  ['a field given twice', 'a=1&b=2&a=1', ['a', 'uniqueItems']],
  ['a field given twice, once as an escape', 'a=1&%61=2', ['a', 'uniqueItems']],
  ['an escape that breaks off', 'a=%4', ['', 'storable']],
  ['an invalid escape', 'a=%zz', ['', 'storable']],
  ['escapes that are not UTF-8', 'a=%ff%fe', ['', 'storable']],
  ['an escape of half a character', 'a=%ed%a0%80', ['', 'storable']],
  ['bytes that are not UTF-8', new Uint8Array([0x61, 0x3d, 0xff]), ['', 'storable']],
  ['NUL in a value', 'a=%00', ['a', 'storable']],
  ['NUL in a name', 'a%00=1', ['a\0', 'storable']],
] as const)
  test(`${what} is refused`, () =>
    assert.deepEqual(
      broken(() => parse(text)),
      expected,
    ))

test('fields are counted as they arrive, in pieces of any size', () => {
  const form = (fields: number) => Buffer.from(Array.from({ length: fields }, (_, n) => `f${n}=%26`).join('&'))
  const add = (fields: number, pieceBytes: number) => {
    const scale = openFormScale(20)
    for (let at = 0; at < form(fields).length; at += pieceBytes) scale.add(form(fields).subarray(at, at + pieceBytes))
    return scale.weight()
  }
  for (const pieceBytes of [1, 7, 1000]) {
    assert.ok(add(20, pieceBytes) > form(20).length)
    assert.deepEqual(
      broken(() => add(21, pieceBytes)),
      ['', 'maxValues'],
    )
  }
})
