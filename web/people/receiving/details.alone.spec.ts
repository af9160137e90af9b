import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { invalidateOften } from '../../platform/often.ts'
import { openStream } from '../../testing/stream.ts'
import { detailsOnBoard, followDetails } from './details.ts'

/** A portal that records the calls for details, a board that shows the details, and the portal's event stream. */
function boardOf(progressById: Map<number, string>, mock: import('node:test').MockTracker) {
  const asked: string[] = []
  mock.method(globalThis, 'fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://portal.test/')
    if (pathname.endsWith('/incoming')) return Response.json([...progressById.keys()].map((id) => ({ id })))
    const ids = searchParams.get('ids')
    asked.push(ids ?? 'first')
    const found = ids ? ids.split(',').map(Number) : [...progressById.keys()]
    const items = found.flatMap((id) => {
      const progress = progressById.get(id)
      return progress ? [{ order: { id }, details: { orderId: id, progress } }] : []
    })
    return Response.json({ items: items.slice(0, Number(searchParams.get('limit'))) })
  })
  const { send, stop } = openStream('order_details_changed', 'order_incoming_changed')
  const shown = effect(() => void detailsOnBoard())
  const ended = followDetails()
  const tell = (event: 'order_details_changed' | 'order_incoming_changed', orderId: number) => send(event, { orderId })
  const close = () => {
    ended()
    shown()
    stop()
  }
  return { asked, tell, close }
}

test('a board of hundreds of orders is read once, and after an event only the order named by the event is read again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 })
  const progress = new Map(Array.from({ length: 450 }, (_, index) => [index + 1, 'pending']))
  const { asked, tell, close } = boardOf(progress, t.mock)
  t.after(close)
  /** Lets some time pass. Returns the calls since the last time. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      t.mock.timers.tick(50)
    }
    return asked.splice(0)
  }
  const calls = await pass(500)
  assert.deepEqual(
    calls.map((ids) => ids.split(',').length),
    [1, 200, 50],
  )
  assert.deepEqual([calls[0], calls.slice(1).join()], ['first', Array.from({ length: 250 }, (_, index) => index + 201).join()])
  assert.equal(detailsOnBoard().size, 450)
  assert.deepEqual(await pass(5000), [])

  progress.set(7, 'waiting')
  tell('order_details_changed', 7)
  invalidateOften('/orders/details')
  assert.deepEqual(await pass(500), ['7'])
  assert.equal(detailsOnBoard().get(7)?.progress, 'waiting')

  progress.set(300, 'later')
  for (const id of [300, 8, 300]) tell('order_incoming_changed', id)
  assert.deepEqual(await pass(1000), [], 'at most every two seconds')
  assert.deepEqual(await pass(2000), ['300,8'])

  progress.set(300, 'pending')
  assert.deepEqual(await pass(60_000), ['300'], 'an order for later is read each minute')
  assert.equal(detailsOnBoard().get(300)?.progress, 'pending')

  progress.delete(300)
  tell('order_incoming_changed', 300)
  assert.deepEqual(await pass(500), ['300'])
  assert.equal(detailsOnBoard().has(300), false)
})
