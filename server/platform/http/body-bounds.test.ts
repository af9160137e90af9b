import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { boundsOf } from './body-bounds.ts'
import { FreeObject, Id, Line, Nullable, OneOf, Shape } from './shape.ts'

const bounds = (body: TSchema, bodyLimit?: number) => boundsOf({ at: 'POST /things', ...(bodyLimit && { bodyLimit }) }, body)

test('a body of a small shape may have 16 KiB and 1,000 values', () => {
  const small = Shape({ name: Line({ max: 200 }), kind: OneOf(['a', 'b']), isOpen: Type.Boolean(), count: Nullable(Id) })
  assert.deepEqual(bounds(small), { bytes: 16 * 1024, values: 1000 })
})

test('a long text may be sent as escapes, and may be four times as long before it is cleaned', () => {
  const raw = `{"text":"${'\\u0633'.repeat(4000)}"}`
  const { bytes } = bounds(Shape({ text: Line({ max: 1000 }) }))
  assert.ok(bytes >= raw.length && bytes < raw.length * 2)
})

test('the number of values in a list includes the values of its items', () => {
  const list = (items: TSchema) => bounds(Shape({ some: Type.Array(items, { maxItems: 5000 }) })).values
  assert.equal(list(Id), 5002)
  assert.equal(list(Shape({ id: Id, name: Line({ max: 10 }) })), 15_002)
})

test('a free object has its own bound, and may be sent as escapes', () => {
  const free = Shape({ any: Nullable(FreeObject({ maxBytes: 4096 })) })
  assert.ok(bounds(free).bytes >= 6 * 4096 && bounds(free).values >= 2048)
})

test('the bound is 1 MiB at most, or the `bodyLimit` of the endpoint', () => {
  const long = Shape({ text: Line({ max: 1_000_000 }) })
  assert.equal(bounds(long).bytes, 1024 * 1024)
  assert.equal(bounds(long, 16 * 1024).bytes, 16 * 1024)
})

test('a shape without a bound causes an error that names its place', () => {
  assert.throws(() => bounds(Shape({ some: Type.Array(Id) })), /maxItems.*\.some/)
  assert.throws(() => bounds(Shape({ any: Type.Unsafe({ type: 'object', additionalProperties: true }) })), /properties.*\.any/)
})
