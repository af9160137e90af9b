import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { longList, wire } from './wire.ts'

const Item = Type.Object({ id: Type.Integer() }, { additionalProperties: false })

async function* batches(...all: { id: number }[][]) {
  yield* all
}
const written = async (list: { chunks: AsyncIterable<string> }) => (await Array.fromAsync(list.chunks)).join('')

test('a reply is serialised by its shape, without other fields of the value', () => {
  const value = { id: 1, secret: 'x' }
  assert.equal(wire(Item, value).toString(), '{"id":1}')
  assert.equal(wire(Item, value).toString(), '{"id":1}')
  assert.equal(wire(Type.Array(Item), [value]).toString(), '[{"id":1}]')
})

test('a long list is one JSON list, in any number of batches', async () => {
  assert.equal(await written(longList(Item, batches([{ id: 1 }, { id: 2 }], [], [{ id: 3 }]))), '[{"id":1},{"id":2},{"id":3}]')
  assert.equal(await written(longList(Item, batches([], [{ id: 1 }]))), '[{"id":1}]')
  assert.equal(await written(longList(Item, batches([], []))), '[]')
  assert.equal(await written(longList(Item, batches())), '[]')
})
