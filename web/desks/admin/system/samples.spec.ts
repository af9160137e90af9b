import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastDay, mostOf } from './samples.ts'

const NOW = Date.parse('2030-01-02T12:00:00.000Z')
const sample = (minutesAgo: number, due: number) => ({
  at: new Date(NOW - minutesAgo * 60_000).toISOString(),
  ...{ databaseMs: 1, due, oldestSeconds: 0, givenUp: 0, pushesWaiting: 0, streams: 0, unsealedSeconds: 0 },
})

test('a line has a value for every ten minutes of the last day, and gaps without a sample', () => {
  const line = lastDay([sample(23 * 60, 3), sample(25 * 60, 9), sample(11, 5), sample(1, 7)], 'due', NOW)
  assert.equal(line.length, 144)
  assert.deepEqual(line.slice(-3), [undefined, 5, 7])
  assert.equal(line.filter((value) => value !== undefined).length, 3)
  assert.equal(mostOf(line), 7)
  assert.equal(mostOf(lastDay([], 'due', NOW)), undefined)
})
