import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import {
  AssetUrl,
  CalendarDate,
  Count,
  Id,
  Int,
  LanguageCode,
  Line,
  Named,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  pageQuery,
  Shape,
  Text,
} from './shape.ts'

const plain = (schema: object) => JSON.parse(JSON.stringify(schema))

test('a shape allows no other fields, and requires all of its own', () => {
  const shape = { type: 'object', additionalProperties: false, properties: { a: { type: 'boolean' } } }
  assert.deepEqual(plain(Shape({ a: Type.Boolean() })), { ...shape, required: ['a'] })
  assert.deepEqual(plain(Shape({ a: Type.Boolean() }, { minProperties: 1 })), { ...shape, required: ['a'], minProperties: 1 })
  assert.deepEqual(plain(PartialShape({ a: Type.Boolean() })), shape)
})

test('a nullable shape has two types, and a nullable choice includes null', () => {
  assert.deepEqual(plain(Nullable(Type.Integer({ minimum: 1 }))), { type: ['integer', 'null'], minimum: 1 })
  assert.deepEqual(plain(Nullable(OneOf(['a', 'b']))), { type: ['string', 'null'], enum: ['a', 'b', null] })
  assert.deepEqual(plain(Nullable(Type.Unsafe({}))), { type: ['string', 'null'] })
})

test('a choice is one of its words', () => {
  assert.deepEqual(plain(OneOf(['a', 'b'], { default: 'a' })), { type: 'string', enum: ['a', 'b'], default: 'a' })
  assert.deepEqual(plain(LanguageCode).enum, ['ar', 'en'])
})

test('the schema of a text tells how it is cleaned and how long it may be', () => {
  assert.deepEqual(plain(Line({ min: 1, max: 9 })), { type: 'string', clean: 'line', minLength: 1, maxLength: 9 })
  assert.deepEqual(plain(Text({ max: 9, pattern: 'x' })), { type: 'string', clean: 'text', maxLength: 9, pattern: 'x' })
})

test('numbers have the ranges of the database', () => {
  assert.deepEqual(
    [Id, Int, Count].map(plain).map(({ minimum, maximum }) => [minimum, maximum]),
    [
      [1, 2 ** 31 - 1],
      [-(2 ** 31), 2 ** 31 - 1],
      [0, undefined],
    ],
  )
})

test('a named shape carries its name, and its example where there is one', () => {
  assert.deepEqual(plain(Named('A', Type.Boolean())), { type: 'boolean', title: 'A' })
  assert.deepEqual(plain(Named('A', Shape({}), {})), { ...plain(Shape({})), title: 'A', examples: [{}] })
})

test('a page has a limit and an offset, in the request and in the reply', () => {
  const { limit, offset } = plain(Shape(pageQuery(50))).properties
  assert.deepEqual(limit, { type: 'integer', minimum: 1, maximum: 200, default: 50 })
  assert.deepEqual(offset, { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1, default: 0 })
  assert.deepEqual(plain(PageOf('rows', Type.Boolean())).required, ['rows', 'totalCount', 'limit', 'offset', 'nextOffset'])
})

const matching = (schema: object, text: string) => new RegExp(plain(schema).pattern, 'u').test(text)
const addresses: [text: string, isOne: boolean][] = [
  ['/objects/a.png', true],
  ['/objects/a/b-c_d.1', true],
  ['https://example.org/a?b=c', true],
  ['/objects', false],
  ['/objects/', false],
  ['/objects/.a', false],
  ['/objects/a/../b', false],
  ['x/objects/a', false],
  ['/objects/a b', false],
  ['http://example.org', false],
  ['https://a b', false],
  ['https://', false],
  ['xhttps://a', false],
  ['https://a"', false],
]
for (const [text, isOne] of addresses) test(`${text} is ${isOne ? 'an' : 'no'} asset`, () => assert.equal(matching(AssetUrl, text), isOne))

test('a calendar date has the form YYYY-MM-DD', () => {
  assert.deepEqual(
    ['2026-03-01', '12026-03-01', '2026-03-011', '2026-3-01'].map((text) => matching(CalendarDate, text)),
    [true, false, false, false],
  )
})
