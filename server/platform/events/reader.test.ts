import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { type EventRow, isAfter, type Place, placeOf } from './event-log.ts'
import { openReader } from './reader.ts'

const eventAt = (tx: number, id: number): EventRow => ({ tx: String(tx), id, event: 'poke', data: '{}', recipients: null, sessions: null })

/** A log in memory that is read two events at a time, and the results of reading it. */
function opened() {
  const rows: EventRow[] = []
  const waiting: boolean[] = []
  const [handed, failures, gates]: [string[], unknown[], Promise<unknown>[]] = [[], [], []]
  let reads = 0
  const log = {
    start: { tx: 1n, id: 0 },
    async readAfter(place: Place) {
      reads++
      await gates.shift()
      const after = rows.filter((row) => isAfter(placeOf(row), place))
      return { rows: after.slice(0, 2), isAll: after.length <= 2 }
    },
    isAnyWaiting: async () => waiting.shift() ?? false,
  }
  const reader = openReader(
    log,
    ({ tx, id }) => handed.push(`${tx}.${id}`),
    (failure) => failures.push(failure),
  )
  return { ...reader, rows, waiting, handed, failures, gates, reads: () => reads }
}

test('events after the start are delivered in order, once, however many there are', async () => {
  const { look, at, close, rows, handed } = opened()
  rows.push(eventAt(0, 9), eventAt(2, 1), eventAt(2, 2), eventAt(3, 1), eventAt(4, 1))
  look()
  await until('all is handed over', () => handed.length === 4)
  assert.deepEqual([handed, at()], [['2.1', '2.2', '3.1', '4.1'], { tx: 4n, id: 1 }])
  rows.push(eventAt(5, 1))
  look()
  await until('the next is handed over', () => handed.length > 4)
  await close()
  assert.deepEqual(handed.slice(4), ['5.1'])
})

test('calls during a read cause exactly one more read', async () => {
  const { look, close, rows, handed, gates, reads } = opened()
  const gate = Promise.withResolvers<void>()
  gates.push(gate.promise)
  look()
  for (let asked = 0; asked < 3; asked++) look()
  rows.push(eventAt(2, 1))
  gate.resolve()
  await until('it is handed over', () => handed.length === 1)
  await close()
  assert.equal(reads(), 2)
})

test('without further calls, the reader reads once', async () => {
  const { look, close, reads } = opened()
  look()
  await close()
  assert.equal(reads(), 1)
})

test('the reader polls for events that wait for an older transaction, until they come', async () => {
  const { look, close, rows, waiting, handed, reads } = opened()
  waiting.push(true, true)
  look()
  await until('it has looked again', () => reads() === 2)
  rows.push(eventAt(2, 1))
  await until('it is handed over', () => handed.length === 1)
  await close()
  assert.equal(reads(), 3)
})

test('several waiting polls become one read', async () => {
  const { lookWithin, close, reads } = opened()
  for (let asked = 0; asked < 3; asked++) lookWithin(1)
  await until('it has looked', () => reads() === 1)
  lookWithin(1)
  await until('it has looked again', () => reads() === 2)
  await close()
})

test('a failure is reported, and the next call reads on', async () => {
  const { look, close, rows, handed, failures, gates } = opened()
  gates.push(Promise.reject(new Error('away')))
  look()
  await until('it is reported', () => failures.length === 1)
  rows.push(eventAt(2, 1))
  await until('it is handed over', () => {
    look()
    return handed.length === 1
  })
  await close()
})

test('a closed reader reads no more, not even when a poll is due', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const { look, lookWithin, close, gates, reads } = opened()
  const gate = Promise.withResolvers<void>()
  gates.push(gate.promise)
  look()
  look()
  lookWithin(60_000)
  const closed = close()
  gate.resolve()
  await closed
  look()
  assert.deepEqual([reads(), timers()], [1, before])
})
