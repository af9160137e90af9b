import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { gathered } from './gathered.ts'

const failure = new Error('failed')
const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((all) => all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)))

/** A line at which people wait, and the batches that were begun of those who wait. */
function line(settings: { lanes?: number; most?: number; withinMs?: number } = {}) {
  const begun: PromiseWithResolvers<(string | undefined)[]>[] = []
  const batches: string[][] = []
  const ask = gathered<string, string, string>(
    (items) => {
      batches.push(items)
      begun.push(Promise.withResolvers())
      return begun.at(-1)!.promise
    },
    { keyOf: (item) => item[0]!, lanes: 1, most: 10, withinMs: 1e6, ...settings },
  )
  return { ask, batches, begun }
}

test('what comes while all lanes are taken is gathered, the keys in rotation, and each item gets its own answer or none', async () => {
  const { ask, batches, begun } = line({ most: 3 })
  const first = ask('a1')
  await pause()
  const others = ['a2', 'a3', 'a4', 'b1', 'c1'].map(ask)
  assert.deepEqual(batches, [['a1']])
  begun[0]!.resolve(['A1'])
  assert.equal(await first, 'A1')
  await pause()
  assert.deepEqual(batches.slice(1), [['a2', 'b1', 'c1']])
  begun[1]!.resolve(['A2', undefined, 'C1'])
  await pause()
  assert.deepEqual(batches.slice(2), [['a3', 'a4']])
  begun[2]!.resolve(['A3', 'A4'])
  assert.deepEqual(await settled(others), ['A2', 'A3', 'A4', undefined, 'C1'])
})

test('so many batches are under way as there are lanes, and a failure is that of its batch only', async () => {
  const { ask, batches, begun } = line({ lanes: 2, most: 1 })
  const all = settled(['a', 'b', 'c', 'd'].map(ask))
  await pause()
  assert.deepEqual(batches, [['a'], ['b']])
  begun[1]!.reject(failure)
  await pause()
  assert.deepEqual(batches, [['a'], ['b'], ['c']])
  begun[2]!.resolve(['C'])
  await pause()
  begun[3]!.resolve(['D'])
  begun[0]!.resolve(['A'])
  assert.deepEqual(await all, ['A', failure, 'C', 'D'])
  const later = ask('e')
  await pause()
  begun[4]!.resolve(['E'])
  assert.equal(await later, 'E')
})

test('nobody waits for a batch that takes too long: they get no answer, and what comes later is begun again', async () => {
  const { ask, batches, begun } = line({ withinMs: 5 })
  const first = ask('a')
  await pause()
  assert.deepEqual(await settled([ask('b'), ask('c')]), [undefined, undefined])
  assert.equal(await ask('d'), undefined)
  begun[0]!.resolve(['A'])
  assert.equal(await first, 'A')
  await pause()
  const later = ask('e')
  await pause()
  assert.deepEqual(batches, [['a'], ['e']])
  begun[1]!.resolve(['E'])
  assert.equal(await later, 'E')
})
