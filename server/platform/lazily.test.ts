import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazily } from './lazily.ts'

test('nothing is made before the first call, and all callers get the same thing', async () => {
  let count = 0
  const thing = lazily(async () => ({ number: ++count }))
  assert.deepEqual([thing.made(), count], [undefined, 0])
  const [one, other] = await Promise.all([thing.get(), thing.get()])
  assert.equal(one, other)
  assert.equal(await thing.made(), one)
  assert.equal(await thing.get(), one)
  assert.equal(count, 1)
})

test('a failure reaches all waiting callers, and the next call tries again', async () => {
  let count = 0
  const thing = lazily(async () => {
    if (++count === 1) throw new Error('no file descriptors')
    return count
  })
  const [one, other] = await Promise.allSettled([thing.get(), thing.get()])
  assert.deepEqual([one!.status, other!.status, count, thing.made()], ['rejected', 'rejected', 1, undefined])
  assert.equal(await thing.get(), 2)
})
