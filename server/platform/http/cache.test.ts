import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reads } from '../database/db.ts'
import { cached } from './cache.ts'

/** A database in which everything has the same version, with a count of the replies read from it. */
function source(size = 10) {
  const db = {} as Reads
  const state = { version: '1', written: 0 }
  const ask = async (key: string) => {
    const look = async () => state.version
    const write = async () => {
      state.written++
      return { version: state.version, text: `${key.trimEnd()} ${state.version}`.padEnd(size) }
    }
    return (await cached(db, key, look, write))?.toString().trim()
  }
  return { db, state, ask }
}

test('a reply is read again only after its version has changed', async () => {
  const { state, ask } = source()
  assert.deepEqual([await ask('a'), await ask('a'), await ask('b'), state.written], ['a 1', 'a 1', 'b 1', 2])
  state.version = '2'
  assert.deepEqual([await ask('a'), await ask('a'), state.written], ['a 2', 'a 2', 3])
})

test('simultaneous callers share one lookup', async () => {
  const { state, ask } = source()
  assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')]), ['a 1', 'a 1', 'b 1', 'a 1'])
  assert.equal(state.written, 2)
})

test('a reply that no longer exists is not answered from the cache', async () => {
  const { db, ask } = source()
  await ask('a')
  assert.equal(
    await cached(
      db,
      'a',
      async () => undefined,
      async () => undefined,
    ),
    undefined,
  )
})

test('two databases have separate caches', async () => {
  const [one, other] = [source(), source()]
  await one.ask('a')
  await other.ask('a')
  assert.equal(other.state.written, 1)
})

test('at most 16 MB are cached, and the least recently used replies go first', async () => {
  const { state, ask } = source(5 * 1024 * 1024)
  for (const key of ['a', 'b', 'c', 'a', 'd']) await ask(key)
  assert.equal(state.written, 4)
  for (const key of ['a', 'c', 'd']) await ask(key)
  assert.equal(state.written, 4)
  await ask('b')
  assert.equal(state.written, 5)
})

test('a reply larger than the cache is answered without being cached', async () => {
  const { state, ask } = source(17 * 1024 * 1024)
  assert.deepEqual([await ask('a'), await ask('a'), state.written], ['a 1', 'a 1', 2])
})

test('long keys of short replies take room like long replies', async () => {
  const { state, ask } = source()
  const keys = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(1024 * 1024))
  for (const key of keys) await ask(key)
  await ask(keys.at(-1)!)
  assert.equal(state.written, 20)
  await ask(keys[0]!)
  assert.equal(state.written, 21)
})

test("the cache keeps a copy of a reply's bytes, not a slice of a shared pool", async () => {
  const bytes = await cached(
    {} as Reads,
    'a',
    async () => '1',
    async () => ({ version: '1', text: 'سلام' }),
  )
  assert.deepEqual([bytes?.toString(), bytes?.buffer.byteLength], ['سلام', 8])
})
