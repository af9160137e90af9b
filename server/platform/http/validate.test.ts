import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import type { Detail } from '../errors/field-errors.ts'
import { Refusal } from '../errors/refusal.ts'
import { CalendarDate } from './shape.ts'
import { addressCheck, bodyCheck, parseJson, parseQuery } from './validate.ts'

/** The failing fields that a check names, each with its rule and the parameters of the rule; null if the value passes. */
function refused(check: () => unknown) {
  try {
    check()
    return null
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'validation_failed', String(error))
    return (error.extras.body as { details: Detail[] }).details.map(
      ({ path, rule, params }) => `${path}: ${[rule, ...Object.values(params)].join(' ')}`,
    )
  }
}

const Line = (maxLength: number) => Type.String({ clean: 'line', minLength: 1, maxLength })
const Person = Type.Object(
  {
    name: Line(4),
    age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
    color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
    tags: Type.Optional(Type.Array(Type.Integer(), { maxItems: 600, uniqueItems: true })),
    inner: Type.Optional(
      Type.Object({
        code: Type.String({ pattern: '^[a-z]+$', form: 'slug' }),
        day: Type.Optional(CalendarDate),
        text: Type.Optional(Type.String({ clean: 'text', maxLength: 9 })),
      }),
    ),
    isNew: Type.Boolean({ default: true }),
  },
  { additionalProperties: false },
)
const check = bodyCheck(Person)
const failing = (value: unknown) => refused(() => check(value))

test('a valid value passes: cleaned, with its defaults, and without undeclared fields', () => {
  const value = { name: ' a\tb ', extra: 1, inner: { code: 'x', text: ' a\r\nb ' } }
  assert.equal(failing(value), null)
  assert.deepEqual(value as object, { name: 'a b', inner: { code: 'x', text: 'a\nb' }, isNew: true })
})

const wrong: [value: unknown, details: string[]][] = [
  [{}, ['name: required']],
  [{ name: '' }, ['name: minLength 1']],
  [{ name: ' \n ' }, ['name: minLength 1']],
  [{ name: 'abcde' }, ['name: maxLength 4']],
  [{ name: 'a', age: -1 }, ['age: minimum 0']],
  [{ name: 'a', age: 151 }, ['age: maximum 150']],
  [{ name: 'a', age: '1' }, ['age: type integer']],
  [{ name: 'a', tags: [1, 1] }, ['tags: uniqueItems']],
  [{ name: 'a', inner: { code: 'X' } }, ['inner.code: pattern slug']],
  [{ name: 'a', inner: {} }, ['inner.code: required']],
  [{ name: 'a', inner: { code: 'x', day: '2026-02-29' } }, ['inner.day: calendarDate']],
  [{ name: 'a', inner: { code: 'x', day: '1.2.2026' } }, ['inner.day: pattern date']],
  [{ name: 'a', tags: [1, 'b'] }, ['tags.1: type integer']],
  [{ name: 5, age: 'x' }, ['name: type string', 'age: type integer']],
  [{ name: 'a', age: 1.5 }, ['age: type integer']],
]
for (const [value, details] of wrong)
  test(`${JSON.stringify(value)} is refused, field by field`, () => assert.deepEqual(failing(value)?.toSorted(), details.toSorted()))

test('the error of a choice names the options', () => {
  const choice = bodyCheck(Type.Object({ way: Type.Unsafe({ type: 'string', enum: ['up', 'down'] }) }))
  assert.deepEqual(
    refused(() => choice({ way: 'left' })),
    ['way: enum up,down'],
  )
})

test('before it is cleaned, a text may be four times as long as its limit, and no longer', () => {
  assert.equal(failing({ name: `${' '.repeat(15)}a` }), null)
  assert.deepEqual(failing({ name: `${' '.repeat(16)}a` }), ['name: maxLength 4'])
})

test('a long run of combining marks is refused before any slow check', () => {
  const long = bodyCheck(Type.Object({ name: Line(100) }))
  assert.equal(
    refused(() => long({ name: `a${'\u0301'.repeat(30)}` })),
    null,
  )
  assert.deepEqual(
    refused(() => long({ name: `a${'\u0301'.repeat(31)}` })),
    ['name: clean 30'],
  )
})

test('a field that breaks two rules is named once', () => {
  const strict = bodyCheck(Type.Object({ code: Type.String({ minLength: 3, pattern: '^[a-z]+$', form: 'slug' }) }))
  assert.equal(refused(() => strict({ code: 'X' }))?.length, 1)
})

const many = (count: number) =>
  bodyCheck(Type.Object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, Type.Integer()]))))
test('at most fifty failing fields are named', () => {
  assert.equal(refused(() => many(50)({}))?.length, 50)
  assert.equal(refused(() => many(51)({}))?.length, 50)
})

test('every wrong item of a list of modest size is named, of a longer list only the first', () => {
  const lists = bodyCheck(Type.Object({ ids: Type.Array(Type.Integer()) }))
  const ids = (count: number) => Array.from({ length: count }, (_, index) => (index < 2 ? 'x' : index))
  assert.deepEqual(
    refused(() => lists({ ids: ids(500) })),
    ['ids.0: type integer', 'ids.1: type integer'],
  )
  assert.deepEqual(
    refused(() => lists({ ids: ids(501) })),
    ['ids.0: type integer'],
  )
})

test('a value that is not an object is refused as a whole', () => {
  for (const value of [null, 1, 'a', undefined]) assert.deepEqual(failing(value), [': type object'])
})

const Address = Type.Object({ id: Type.Integer({ minimum: -5 }), isOpen: Type.Optional(Type.Boolean()), q: Type.Optional(Type.String()) })
const address = addressCheck(Address)

const read: [sent: Record<string, unknown>, value: Record<string, unknown>][] = [
  [{ id: '7' }, { id: 7 }],
  [{ id: '-5' }, { id: -5 }],
  [{ id: '123456789012345' }, { id: 123456789012345 }],
  [
    { id: '1', isOpen: 'true' },
    { id: 1, isOpen: true },
  ],
  [
    { id: '1', isOpen: 'false', q: '7' },
    { id: 1, isOpen: false, q: '7' },
  ],
]
for (const [sent, value] of read)
  test(`the parameters ${JSON.stringify(sent)} are read`, () => {
    assert.equal(
      refused(() => address(sent)),
      null,
    )
    assert.deepEqual(sent, value)
  })

const unread: [sent: Record<string, unknown>, details: string[]][] = [
  [{ id: '1.0' }, ['id: type integer']],
  [{ id: '+1' }, ['id: type integer']],
  [{ id: '' }, ['id: type integer']],
  [{ id: ' 1' }, ['id: type integer']],
  [{ id: '1x' }, ['id: type integer']],
  [{ id: '1234567890123456' }, ['id: type integer']],
  [{ id: ['1', '2'] }, ['id: type integer']],
  [{ id: '1', isOpen: '1' }, ['isOpen: type boolean']],
  [{ id: '1', isOpen: 'TRUE' }, ['isOpen: type boolean']],
  [{ id: '1', q: 'a\0' }, ['q: storable']],
  [{ id: '-6' }, ['id: minimum -5']],
  [{ id: '1', ids: 'zz' }, ['ids: known']],
  [{ id: '1', [`${'x'.repeat(300)}`]: '1', __proto__x: '' }, [`${'x'.repeat(200)}: known`, '__proto__x: known']],
]
for (const [sent, details] of unread)
  test(`the parameters ${JSON.stringify(sent)} are refused`, () =>
    assert.deepEqual(
      refused(() => address(sent)),
      details,
    ))

test('all failing parameters are named', () => {
  assert.deepEqual(
    refused(() => address({ id: 'x', isOpen: 'x' })),
    ['id: type integer', 'isOpen: type boolean'],
  )
})

test('a parameter given twice becomes a list', () => {
  assert.deepEqual({ ...parseQuery('a=1&b=2&a=3&a=4&c=%D8%A3') }, { a: ['1', '3', '4'], b: '2', c: 'أ' })
  assert.equal(Object.getPrototypeOf(parseQuery('__proto__=1')), null)
})

test('a body is JSON or empty', () => {
  assert.equal(parseJson(Buffer.from('')), undefined)
  assert.deepEqual(parseJson(Buffer.from('{"a":["أ",1]}')), { a: ['أ', 1] })
  assert.deepEqual(parseJson(Buffer.from('{"a":"\\ud83d\\ude00 \\u00e9"}')), { a: '😀 é' })
})

const bodies: [what: string, body: string | Buffer, message: RegExp][] = [
  ['is cut off', '{"a":', /^: json /],
  ['holds NUL', '{"a":"\\u0000"}', /^a: storable$/],
  ['holds NUL in inner fields', '{"b":[{"c":"x"},{"c":"\\u0000"}],"a":"\\u0000"}', /^b\.1\.c: storable,a: storable$/],
  ['holds NUL in a key', '{"a":{"\\u0000":1}}', /^a\.\0: storable$/],
  ['holds half a character', '["\\ud83d"]', /^0: storable$/],
  ['holds the other half, in capitals', '["\\uDC00"]', /^0: storable$/],
  ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /^: json /],
]
for (const [what, body, message] of bodies)
  test(`a body that ${what} is refused`, () => assert.match(refused(() => parseJson(Buffer.from(body)))!.join(), message))

test('the error for an unreadable body stays short', () => {
  const [said] = refused(() => parseJson(Buffer.from(`[${'x'.repeat(1000)}`)))!
  assert.ok(said!.length <= 2 + 200, said)
})
