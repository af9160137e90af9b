import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { batched } from './batched.ts'

/** Work whose runs the test ends: `begun` has one entry for each run. */
function work<Answer>() {
  const begun: PromiseWithResolvers<Answer>[] = []
  const run = () => {
    const one = Promise.withResolvers<Answer>()
    begun.push(one)
    return one.promise
  }
  return { begun, run }
}
const failure = new Error('failed')
const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((all) => all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)))

test('items that arrive together share a batch, and each gets its own answer', async () => {
  const batches: number[][] = []
  const double = batched<number, number>(async (keys) => {
    batches.push(keys)
    return keys.map((key) => key * 2)
  })
  assert.deepEqual(await Promise.all([double(3), double(1), double(3)]), [6, 2, 6])
  assert.deepEqual(batches, [[3, 1, 3]])
})

test('one batch runs at a time; items that arrive while it runs form the next, in order', async () => {
  const { begun, run } = work<string[]>()
  const batches: string[][] = []
  const ask = batched<string, string>((keys) => {
    batches.push(keys)
    return run()
  })
  const first = ask('a')
  await pause()
  const others = [ask('b'), ask('c')]
  await pause()
  assert.deepEqual(batches, [['a']])
  begun[0]!.resolve(['A'])
  assert.equal(await first, 'A')
  await pause()
  assert.deepEqual(batches, [['a'], ['b', 'c']])
  begun[1]!.resolve(['B', 'C'])
  assert.deepEqual(await Promise.all(others), ['B', 'C'])
})

test('a batch has a maximum size; the rest follow at once', async () => {
  const batches: number[][] = []
  const ask = batched<number, number>(
    async (keys) => {
      batches.push(keys)
      return keys
    },
    { most: 2 },
  )
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(ask)), [1, 2, 3, 4, 5])
  assert.deepEqual(batches, [[1, 2], [3, 4], [5]])
})

test('a failed batch fails its own items and no later ones', async () => {
  let round = 0
  const ask = batched<number, number>(async (keys) => {
    if (++round === 1) throw failure
    return keys
  })
  assert.deepEqual(await settled([ask(1), ask(2)]), [failure, failure])
  assert.equal(await ask(3), 3)
})

test('a batch takes one item of each key, and the keys take turns', async () => {
  const { begun, run } = work<string[]>()
  const batches: string[][] = []
  const ask = batched<string, string>(
    (items) => {
      batches.push(items)
      return run()
    },
    { most: 2, keyOf: (item) => item[0] },
  )
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(ask)
  for (const answers of [['A1', 'B1'], ['C1', 'A2'], ['A3']]) {
    await pause()
    begun.at(-1)!.resolve(answers)
  }
  assert.deepEqual(await Promise.all(all), ['A1', 'A2', 'A3', 'B1', 'C1'])
  assert.deepEqual(batches, [['a1', 'b1'], ['c1', 'a2'], ['a3']])
})

test('as many batches run at once as there are lanes, and a failure affects only its batch', async () => {
  const { begun, run } = work<string[]>()
  const batches: string[][] = []
  const ask = batched<string, string>(
    (items) => {
      batches.push(items)
      return run()
    },
    { most: 1, lanes: 2 },
  )
  const all = settled(['a', 'b', 'c'].map(ask))
  await pause()
  assert.deepEqual(batches, [['a'], ['b']])
  begun[1]!.reject(failure)
  await pause()
  assert.deepEqual(batches, [['a'], ['b'], ['c']])
  begun[2]!.resolve(['C'])
  begun[0]!.resolve(['A'])
  assert.deepEqual(await all, ['A', failure, 'C'])
})
