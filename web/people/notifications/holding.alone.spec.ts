import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { answers } from '../../testing/outside.ts'
import { openStream } from '../../testing/stream.ts'
import { counts, type Notification, newestOf } from './data.ts'

// Node does not load the toasts, in which failures are shown.
registerHooks({
  resolve: (name, context, next) =>
    name.endsWith('/failures.ts')
      ? { url: 'data:text/javascript,export const sayFailure = () => {}', shortCircuit: true }
      : next(name, context),
})
const { readAll, readSome, UNDO_MS, unread } = await import('./holding.ts')

const list = newestOf(false)
const some = (...ids: number[]) => ids.map((id) => ({ id, isRead: false }) as Notification)

/** Shows unread notifications with these ids. */
async function show(...ids: number[]) {
  answers.set('/notifications?limit=50', { body: some(...ids) }).set('/stats/home', { body: { unreadNotifications: ids.length } })
  await Promise.all([list.refresh(), counts.refresh()])
}
const unreadCount = () => counts.peek()?.unreadNotifications
/** Lets the answers to calls arrive. */
const turn = () => new Promise(setImmediate)

test('“Mark all as read” marks only the notifications that were there when it was pressed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await show(2, 1)
  const asked: string[] = []
  readAll()
  await show(3, 2, 1)
  t.mock.method(globalThis, 'fetch', (address: string) => {
    asked.push(address)
    return Promise.resolve(Response.json({ success: true }))
  })
  t.mock.timers.tick(UNDO_MS)
  await turn()
  assert.match(asked.join(), /read-all\?upTo=2$/)
  assert.deepEqual(
    list.peek()?.map(({ isRead }) => isRead),
    [false, true, true],
  )
  assert.equal(unreadCount(), 1)
})

test('undoing gives back the former count, with notifications that have arrived since', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await show(2, 1)
  const undo = readAll()
  assert.equal(unreadCount(), 0)
  undo()
  assert.equal(unreadCount(), 2)
  const undoLater = readAll()
  await show(3, 2, 1)
  assert.equal(unreadCount(), 1)
  undoLater()
  assert.equal(unreadCount(), 3)
  readSome(some(2, 1))
  assert.equal(unreadCount(), 1)
  unread(some(2, 1))
  assert.equal(unreadCount(), 3)
})

test('after the undo of one notification, the count still leaves out the other one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await show(5, 4, 3, 2, 1)
  readSome(some(5))
  readSome(some(4))
  unread(some(5))
  assert.equal(unreadCount(), 4)
  await counts.refresh()
  assert.equal(unreadCount(), 4)
  t.mock.timers.tick(UNDO_MS)
  await turn()
  assert.equal(unreadCount(), 4)
})

test('a notification marked before all were cannot be marked as unread alone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await show(3, 2, 1)
  readSome(some(3))
  const undo = readAll()
  unread(some(3))
  assert.equal(unreadCount(), 0)
  undo()
  assert.equal(unreadCount(), 2)
  unread(some(3))
  assert.equal(unreadCount(), 3)
})

test('a notification that another page has read is left out of the count only once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { send, stop } = openStream('notifications_read')
  await show(3, 2, 1)
  const undo = readAll()
  await show(4, 3, 2, 1)
  readSome(some(4))
  assert.equal(unreadCount(), 0)
  send('notifications_read', { ids: [4, 2] })
  assert.equal(unreadCount(), 0)
  await show(3, 1)
  assert.equal(unreadCount(), 0)
  undo()
  assert.equal(unreadCount(), 2)
  stop()
})
