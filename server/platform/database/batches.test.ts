import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './batches.ts'

/** The sizes of the batches in which a list of so many rows is read. */
async function sizesOf(count: number, options: { sizeOf?: () => number; first?: number; limit?: number } = {}) {
  const rows = Array.from({ length: count }, (_, index) => index)
  const read = async (after: number | null, most: number) => rows.slice((after ?? -1) + 1).slice(0, most)
  const sizes: number[] = []
  for await (const batch of batchesOf({ read, keyOf: (row) => row, ...options })) sizes.push(batch.length)
  return sizes
}

test('a batch has as many rows as come to 256 Ki characters, judged by the batch before', async () => {
  assert.deepEqual(await sizesOf(1000), [500, 262, 238])
  assert.deepEqual(await sizesOf(12, { first: 2, sizeOf: () => 64 * 1024 }), [2, 4, 4, 2])
  assert.deepEqual(await sizesOf(4, { first: 2, sizeOf: () => 1024 * 1024 }), [2, 1, 1, 0])
})

test('a batch has a thousand rows at most, however short they are', async () => {
  assert.deepEqual(await sizesOf(2600, { sizeOf: () => 1 }), [500, 1000, 1000, 100])
})

test('no more rows are read than the limit', async () => {
  assert.deepEqual(await sizesOf(2000, { limit: 600, sizeOf: () => 1 }), [500, 100])
})
