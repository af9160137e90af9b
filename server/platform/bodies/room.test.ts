import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRoom } from './room.ts'

const open = (withinMs = 60_000) => openRoom<string>({ each: 10, all: 15, withinMs })

test('a sender has a limited share over all requests, and waits for more of it', async () => {
  const room = open()
  const [one, two] = [room('huda'), room('huda')]
  assert.equal(one.take(6), true)
  assert.equal(two.take(4), true)
  const more = two.take(1)
  assert.equal(room('salem').take(5), true)
  one.giveBack()
  assert.equal(await more, true)
})

test('all senders share the whole, and a sender that finds no room waits until another one gives its room back', async () => {
  const room = open()
  const [huda, salem] = [room('huda'), room('salem')]
  assert.equal(huda.take(10), true)
  const more = salem.take(6)
  assert.equal(room('muna').take(5), true)
  huda.giveBack()
  assert.equal(await more, true)
})

test('a request that has waited too long gets no room, even when there is some again', async () => {
  const room = open(1)
  const [one, two] = [room('huda'), room('huda')]
  one.take(10)
  assert.equal(await two.take(1), false)
  one.giveBack()
  assert.equal(room('huda').take(10), true)
})

test('a waiting request that goes away takes no room', async () => {
  const room = open()
  const [one, two] = [room('huda'), room('huda')]
  one.take(10)
  const waiting = two.take(8)
  two.giveBack()
  assert.equal(await waiting, false)
  one.giveBack()
  assert.equal(room('huda').take(10), true)
})

test('a request for more than a sender’s share is refused at once', async () => {
  const one = open()('huda')
  one.take(4)
  assert.equal(await one.take(7), false)
  assert.equal(one.take(6), true)
})

test('a request that waits for the limit of all senders does not hold up smaller requests that fit', () => {
  const room = open()
  room('huda').take(10)
  const salem = room('salem')
  salem.take(10)
  assert.equal(room('muna').take(5), true)
  salem.giveBack()
})

test('if all requests wait for each other, the last to begin is refused, and the first goes on', async () => {
  const room = open()
  const [one, two, three] = [room('huda'), room('huda'), room('huda')]
  for (const some of [one, two, three]) assert.equal(some.take(3), true)
  const [first, second, third] = [one.take(2), two.take(2), three.take(2)]
  assert.equal(await third, false)
  three.giveBack()
  assert.equal(await first, true)
  const more = one.take(4)
  assert.equal(await second, true)
  two.giveBack()
  assert.equal(await more, true)
})

test('if those that are left wait for each other once another one has given its room back, the last to begin is refused', async () => {
  const room = open()
  const [one, two, three] = [room('huda'), room('huda'), room('huda')]
  assert.deepEqual([one.take(5), two.take(4), three.take(1)], [true, true, true])
  const [first, second] = [one.take(3), two.take(3)]
  three.giveBack()
  assert.equal(await second, false)
  two.giveBack()
  assert.equal(await first, true)
})

test('requests wait as long as another one can still give its room back', async () => {
  const room = open()
  const [busy, one, two] = [room('huda'), room('huda'), room('huda')]
  busy.take(10)
  const waiting = [one.take(2), two.take(2)]
  busy.giveBack()
  assert.deepEqual(await Promise.all(waiting), [true, true])
})
