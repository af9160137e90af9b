import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter, type Running, supervise } from './supervise.ts'

interface Process extends Running {
  name: string
  end(how: string): void
}

/** A fake process that runs until it is stopped or ended. */
function begin(name: string): Process {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { name, ended: promise, end: resolve, stop: async () => resolve('stopped') }
}

function superviseSome(startAnother: (before: Process) => Promise<Process>) {
  const stopping = new AbortController()
  const reports: [string, number][] = []
  const first = begin('first')
  const supervised = supervise(first, startAnother, stopping.signal, (...report) => reports.push(report))
  return { first, reports, ...supervised, stop: () => stopping.abort() }
}

test('a pause doubles from 50 ms up to 5 s, and is reset by a run of more than half a minute', () => {
  const pauses = [0]
  while (pauses.length < 10) pauses.push(pauseAfter(30_000, pauses.at(-1)!))
  assert.deepEqual(pauses, [0, 50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
  assert.equal(pauseAfter(30_001, 5000), 0)
})

test('a process that ends or cannot start is restarted, and the start is told which one ran before', async () => {
  const short = { ...begin('short'), ended: Promise.resolve('ended at once') }
  const long = begin('long')
  const starts = [() => Promise.reject(new Error('no room')), async () => short, async () => long]
  const isUp = Promise.withResolvers<void>()
  const before: string[] = []
  const { first, reports, current, ended, stop } = superviseSome(async ({ name }) => {
    before.push(name)
    if (before.length === starts.length) isUp.resolve()
    return starts[before.length - 1]!()
  })
  first.end('crashed')
  await isUp.promise
  assert.deepEqual(before, ['first', 'first', 'short'])
  assert.deepEqual(reports, [
    ['crashed', 50],
    ['no room', 100],
    ['ended at once', 200],
  ])
  stop()
  await ended
  assert.deepEqual([current().name, await long.ended], ['long', 'stopped'])
})

test('stopping ends the running process, and starts no other', async () => {
  const { first, reports, ended, stop } = superviseSome(() => assert.fail('started'))
  stop()
  await ended
  assert.deepEqual([await first.ended, reports], ['stopped', []])
})

test('a process that is still starting when the signal aborts is stopped, too', async () => {
  const starting = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Process>()
  const { first, ended, stop } = superviseSome(() => {
    starting.resolve()
    return started.promise
  })
  first.end('crashed')
  await starting.promise
  stop()
  const late = begin('late')
  started.resolve(late)
  await ended
  assert.equal(await late.ended, 'stopped')
})

test('if a process cannot be stopped, `ended` rejects', async () => {
  const stopping = new AbortController()
  const stuck: Running = { ended: new Promise(() => {}), stop: () => Promise.reject(new Error('stuck')) }
  const { ended } = supervise(
    stuck,
    async () => stuck,
    stopping.signal,
    () => {},
  )
  stopping.abort()
  await assert.rejects(ended, /stuck/)
})
