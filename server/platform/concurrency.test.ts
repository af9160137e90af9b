import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { fairSemaphore, mutex, semaphore, singleFlight } from './concurrency.ts'

/** Work that runs until the test ends it; `begun` has one entry for each run. */
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

test('a call starts a search if none is running; calls during a search share the next search', async () => {
  const { begun, run } = work<string>()
  const ask = singleFlight<string, string>()
  const first = ask('a', run)
  const later = [ask('a', run), ask('a', run)]
  await pause()
  assert.equal(begun.length, 1)
  begun[0]!.resolve('old')
  assert.equal(await first, 'old')
  await pause()
  assert.equal(begun.length, 2)
  begun[1]!.resolve('new')
  assert.deepEqual(await Promise.all(later), ['new', 'new'])
})

test('a call during the second search waits for a third search, so that no caller gets a result older than its call', async () => {
  const { begun, run } = work<number>()
  const ask = singleFlight<string, number>()
  const answers = [ask('a', run), ask('a', run)]
  begun[0]!.resolve(1)
  await pause()
  answers.push(ask('a', run))
  await pause()
  assert.equal(begun.length, 2)
  begun[1]!.resolve(2)
  await pause()
  assert.equal(begun.length, 3)
  begun[2]!.resolve(3)
  assert.deepEqual(await Promise.all(answers), [1, 2, 3])
})

test('a call at the moment a search ends shares the next search with the waiting calls', async () => {
  const { begun, run } = work<string>()
  const ask = singleFlight<string, string>()
  const answers = [ask('a', run), ask('a', run)]
  begun[0]!.promise.then(() => answers.push(ask('a', run)))
  begun[0]!.promise.then(() => queueMicrotask(() => answers.push(ask('a', run))))
  begun[0]!.resolve('old')
  await pause()
  assert.equal(begun.length, 2)
  begun[1]!.resolve('new')
  assert.deepEqual(await Promise.all(answers), ['old', 'new', 'new', 'new'])
})

test('the result of a finished search is not reused', async () => {
  const { begun, run } = work<number>()
  const ask = singleFlight<string, number>()
  for (const round of [0, 1]) {
    const answer = ask('a', run)
    assert.equal(begun.length, round + 1)
    begun[round]!.resolve(round)
    assert.equal(await answer, round)
  }
})

test('searches for different keys do not wait for each other', async () => {
  const { begun, run } = work<string>()
  const ask = singleFlight<string, string>()
  const answers = [ask('a', run), ask('b', run)]
  assert.equal(begun.length, 2)
  begun[1]!.resolve('B')
  begun[0]!.resolve('A')
  assert.deepEqual(await Promise.all(answers), ['A', 'B'])
})

test('a failed search fails the callers that share it; callers that arrived later search again', async () => {
  const { begun, run } = work<string>()
  const ask = singleFlight<string, string>()
  const all = settled([ask('a', run), ask('a', run)])
  begun[0]!.reject(failure)
  await pause()
  begun[1]!.resolve('found')
  assert.deepEqual(await all, [failure, 'found'])
})

test('work under one key runs in order of arrival, also after a failure', async () => {
  const { begun, run } = work<string>()
  const exclusively = mutex<string>()
  const all = settled([exclusively('a', run), exclusively('a', run), exclusively('a', run)])
  for (const [round, one] of [failure, 'second', 'third'].entries()) {
    await pause()
    assert.equal(begun.length, round + 1)
    if (one === failure) begun[round]!.reject(failure)
    else begun[round]!.resolve(one as string)
  }
  assert.deepEqual(await all, [failure, 'second', 'third'])
})

test('new work waits for the last piece in the queue, although earlier pieces are done', async () => {
  const { begun, run } = work<number>()
  const exclusively = mutex<string>()
  const answers = [exclusively('a', run), exclusively('a', run)]
  await pause()
  begun[0]!.resolve(0)
  await answers[0]
  await pause()
  answers.push(exclusively('a', run))
  await pause()
  assert.equal(begun.length, 2)
  begun[1]!.resolve(1)
  await pause()
  begun[2]!.resolve(2)
  assert.deepEqual(await Promise.all(answers), [0, 1, 2])
})

test('work under different keys does not wait for each other', async () => {
  const { begun, run } = work<string>()
  const exclusively = mutex<string>()
  const answers = [exclusively('a', run), exclusively('b', run)]
  await pause()
  assert.equal(begun.length, 2)
  for (const [index, text] of ['A', 'B'].entries()) begun[index]!.resolve(text)
  assert.deepEqual(await Promise.all(answers), ['A', 'B'])
})

test('no more work runs at once than the limit allows; the rest waits in line, and a failure frees its slot', async () => {
  const { begun, run } = work<number>()
  const enter = semaphore(2)
  const all = settled([1, 2, 3, 4].map(() => enter(run)))
  await pause()
  assert.equal(begun.length, 2)
  begun[1]!.reject(failure)
  await pause()
  assert.equal(begun.length, 3)
  begun[0]!.resolve(0)
  await pause()
  assert.equal(begun.length, 4)
  begun[2]!.resolve(2)
  begun[3]!.resolve(3)
  assert.deepEqual(await all, [0, failure, 2, 3])
})

test('every freed slot can be taken again, once', async () => {
  const { begun, run } = work<number>()
  const enter = semaphore(1)
  const first = enter(run)
  await pause()
  begun[0]!.resolve(0)
  await first
  const later = [enter(run), enter(run)]
  await pause()
  assert.equal(begun.length, 2)
  begun[1]!.resolve(1)
  await pause()
  begun[2]!.resolve(2)
  assert.deepEqual(await Promise.all(later), [1, 2])
})

/** Takes turns under names whose first letter is the key, and records the names that have begun, in order. */
function takingTurns(shares: Parameters<typeof fairSemaphore>[0]) {
  const take = fairSemaphore<string>(shares)
  const begun: string[] = []
  const leaves = new Map<string, () => void>()
  const enter = (name: string, signal?: AbortSignal) =>
    take(name[0]!, signal && (() => signal)).then((leave) => {
      begun.push(name)
      leaves.set(name, leave)
    })
  const leave = async (name: string) => {
    leaves.get(name)!()
    await pause()
  }
  return { begun, enter, leave }
}

test('keys take turns in rotation, however long their queues, and no key exceeds its limit', async () => {
  const { begun, enter, leave } = takingTurns({ lanes: 3, perKey: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void enter(name)
  await pause()
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  await leave('a1')
  assert.deepEqual(begun.slice(3), ['b2'])
  await leave('b1')
  assert.deepEqual(begun.slice(4), ['c1'])
  await leave('c1')
  assert.deepEqual(begun.slice(5), ['a3'])
  await leave('b2')
  assert.deepEqual(begun.slice(6), [], 'a has reached its limit')
  await leave('a2')
  assert.deepEqual(begun.slice(6), ['a4'])
})

test('releasing a turn twice frees one slot', async () => {
  const { begun, enter, leave } = takingTurns({ lanes: 1, perKey: 1 })
  for (const name of ['a1', 'a2', 'a3']) void enter(name)
  await pause()
  await leave('a1')
  await leave('a1')
  assert.deepEqual(begun, ['a1', 'a2'])
})

test('an aborted caller leaves the queue at once with the abort reason; a caller that has its turn keeps it', async () => {
  const { begun, enter, leave } = takingTurns({ lanes: 1, perKey: 1 })
  const giving = new AbortController()
  void enter('a1', giving.signal)
  const waiting = ['a2', 'b1'].map((name) => assert.rejects(enter(name, giving.signal), failure))
  void enter('b2')
  await pause()
  giving.abort(failure)
  await Promise.all(waiting)
  await assert.rejects(enter('c1', giving.signal), failure)
  assert.deepEqual(begun, ['a1'])
  await leave('a1')
  assert.deepEqual(begun, ['a1', 'b2'])
  await leave('b2')
  await enter('a3')
  assert.deepEqual(begun, ['a1', 'b2', 'a3'])
})
