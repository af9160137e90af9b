import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { answers } from '../../testing/outside.ts'
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

test('“Mark all as read” marks only the notifications that were there when it was pressed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await show(2, 1)
  const asked: string[] = []
  readAll()
  await show(3, 2, 1)
  t.mock.method(globalThis, 'fetch', (address: string) => {
    asked.push(address)
    return new Promise(() => {})
  })
  t.mock.timers.tick(UNDO_MS)
  await new Promise(setImmediate)
  assert.match(asked.join(), /read-all\?upTo=2$/)
  assert.deepEqual(
    list.peek()?.map(({ isRead }) => isRead),
    [false, true, true],
  )
})

test('undoing gives back the former count, or leaves the one that the portal has sent since', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await show(2, 1)
  const undo = readAll()
  assert.equal(unreadCount(), 0)
  undo()
  assert.equal(unreadCount(), 2)
  const undoLater = readAll()
  await show(3, 2, 1)
  undoLater()
  assert.equal(unreadCount(), 3)
  readSome(some(2, 1))
  assert.equal(unreadCount(), 1)
  unread(some(2, 1))
  assert.equal(unreadCount(), 3)
})
