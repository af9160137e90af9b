import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './batches.ts'

/** The batch sizes in which a list of `count` rows is read. */
async function sizesOf(count: number, options: { sizeOf?: () => number; first?: number; limit?: number } = {}) {
  const rows = Array.from({ length: count }, (_, index) => index)
  const read = async (after: number | null, most: number) => rows.slice((after ?? -1) + 1).slice(0, most)
  const sizes: number[] = []
  for await (const batch of batchesOf({ read, keyOf: (row) => row, ...options })) sizes.push(batch.length)
  return sizes
}

test('a batch aims at 256 Ki characters, estimated from the previous batch', async () => {
  assert.deepEqual(await sizesOf(800), [500, 262, 38])
  assert.deepEqual(await sizesOf(8, { first: 1, sizeOf: () => 64 * 1024 }), [1, 4, 3])
  assert.deepEqual(await sizesOf(4, { first: 2, sizeOf: () => 1024 * 1024 }), [2, 1, 1, 0])
})

test('a batch has at most four times the rows of the previous one, and at most a thousand', async () => {
  assert.deepEqual(await sizesOf(4600, { sizeOf: () => 1 }), [500, 1000, 1000, 1000, 1000, 100])
  assert.deepEqual(await sizesOf(60, { first: 10, sizeOf: () => 1 }), [10, 40, 10])
})

test('a list is read to its end even when batches are cut for their size', async () => {
  const rows = [1, 2, 3, 4, 5, 6, 7]
  const read = async (after: number | null, most: number) => rows.slice(after ?? 0, Math.min(most, 3) + (after ?? 0))
  const isCut = (batch: number[]) => batch.length === 3
  assert.deepEqual(await Array.fromAsync(batchesOf({ read, keyOf: (row: number) => row, isCut })), [[1, 2, 3], [4, 5, 6], [7]])
})

test('no more rows are read than the limit', async () => {
  assert.deepEqual(await sizesOf(2000, { limit: 600, sizeOf: () => 1 }), [500, 100])
})
