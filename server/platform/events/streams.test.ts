import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import type { EventRow } from './event-log.ts'
import { gatherStreams, isTooFull, type Stream } from './streams.ts'

/** A stream whose client reads nothing, so that writes stay in its buffer. */
function streamOf(userId: number, sessionId = userId): Stream {
  const raw = new ServerResponse(new IncomingMessage(new Socket()))
  return { userId, sessionId, tokenHash: '', raw, at: { tx: 1n, id: 0 }, readBefore: 0n, withheld: [], withheldBefore: 0n, isLive: true }
}
const eventAt = (tx: number, fields: Partial<EventRow> = {}): EventRow => ({
  tx: String(tx),
  id: 1,
  event: 'poke',
  data: '{}',
  recipients: null,
  sessions: null,
  ...fields,
})

test('a person’s streams are found until each is closed, and never other people’s', () => {
  const streams = gatherStreams()
  const [laptop, phone, tablet, other] = [streamOf(1, 1), streamOf(1, 2), streamOf(1, 3), streamOf(2, 4)]
  for (const stream of [laptop, phone, tablet, other]) streams.add(stream)
  assert.deepEqual([...streams.ofPeople([1])], [laptop, phone, tablet])
  assert.deepEqual([...streams.ofPeople(null)], [laptop, phone, tablet, other])
  assert.deepEqual([...streams.ofPeople([2, 3])], [other])
  for (const [closed, left] of [
    [laptop, [phone, tablet]],
    [phone, [tablet]],
    [tablet, []],
  ] as const) {
    closed.raw.emit('close')
    assert.deepEqual([...streams.ofPeople([1])], left)
  }
  assert.deepEqual([...streams.all], [other])
})

test('an event is sent once, never after a later one, and only to its sessions', () => {
  const streams = gatherStreams()
  const stream = streamOf(1, 7)
  streams.add(stream)
  const written = () => stream.raw.writableLength
  for (const [row, bytes] of [
    [eventAt(3), 10],
    [eventAt(3), 0],
    [eventAt(2), 0],
    [eventAt(4, { sessions: [8] }), 0],
    [eventAt(5, { sessions: [7] }), 10],
    [eventAt(4), 0],
  ] as const) {
    const before = written()
    streams.send(stream, row, 'x'.repeat(10))
    assert.equal(written() - before > 0, bytes > 0, JSON.stringify(row))
  }
  streams.send(stream, eventAt(6, { event: 'session_ended' }), 'over')
  assert.deepEqual([stream.raw.writableEnded, streams.all.size], [true, 0])
})

test('a client with too much in its buffer is disconnected, and may resume from its place', () => {
  const streams = gatherStreams()
  const stream = streamOf(1)
  streams.add(stream)
  streams.send(stream, eventAt(2), 'x'.repeat(300 * 1024))
  assert.deepEqual([isTooFull(stream), streams.all.size], [true, 1])
  streams.send(stream, eventAt(3), 'y')
  assert.deepEqual([stream.raw.destroyed, streams.all.size, stream.at], [true, 0, { tx: 2n, id: 1 }])
})
