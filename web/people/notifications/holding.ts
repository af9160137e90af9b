/** Marks notifications as read here at once and on the portal a few seconds later, because the API cannot mark them as unread. */
import { signal } from '@preact/signals'
import { sayFailure } from '../../parts/show/failures.ts'
import { invalidate, known } from '../../platform/cache.ts'
import { api, guess } from '../../platform/client.ts'
import { beforeSignOut } from '../../platform/session.ts'
import { counts, type Notification, read, readOne } from './data.ts'

const held = signal<{ upTo: number; ids: ReadonlySet<number> }>({ upTo: 0, ids: new Set() })
const pending = new Map<object, () => Promise<unknown>>()

export const isRead = (one: Notification) => one.isRead || one.id <= held.value.upTo || held.value.ids.has(one.id)
const sendAll = () => Promise.allSettled(Array.from(pending.values(), (send) => send()))
addEventListener('pagehide', sendAll)
beforeSignOut.add(sendAll)

/** Changes the shown number of unread notifications until the portal sends its own; returns the undo. */
const count = (by: (now: number) => number) =>
  counts.change((now) => ({ ...now, unreadNotifications: Math.max(0, by(now.unreadNotifications)) }))

/**
 * Calls the portal after `ms`, or when the page closes; returns a function that cancels the call. `release` runs after the call or its
 * cancellation.
 */
function later(ms: number, release: () => void, call: () => Promise<unknown>) {
  const key = {}
  const end = () => {
    clearTimeout(timer)
    pending.delete(key)
  }
  const send = async () => {
    end()
    await call().finally(release)
  }
  const timer = setTimeout(() => send().catch(sayFailure), ms)
  pending.set(key, send)
  return () => {
    end()
    release()
  }
}

export const UNDO_MS = 8000
const holding = new Map<number, () => void>()

/** Marks notifications as read; `unread` can undo it for eight seconds. */
export function readSome(some: Notification[]) {
  for (const one of some) {
    if (isRead(one)) continue
    held.value = { ...held.value, ids: new Set(held.value.ids).add(one.id) }
    const recount = count((now) => now - 1)
    const release = () => {
      holding.delete(one.id)
      held.value = { ...held.value, ids: new Set([...held.value.ids].filter((id) => id !== one.id)) }
    }
    const takeBack = later(UNDO_MS, release, () => readOne(one))
    holding.set(one.id, () => {
      takeBack()
      recount()
    })
  }
}
/** Undoes `readSome` for notifications of which the portal has not been told yet. */
export function unread(some: Notification[]) {
  // The last one first, because only the last change of the count can be taken back exactly.
  for (const { id } of some.toReversed()) holding.get(id)?.()
}

/** Stands for all notifications if none is loaded. */
const LARGEST_ID = 2 ** 31 - 1

/** Marks all as read; returns the undo, which works for eight seconds. */
export function readAll() {
  // Those that arrive before the portal is told stay unread.
  const upTo = Math.max(0, ...known('/notifications').flatMap((all) => all.map(({ id }) => id))) || LARGEST_ID
  held.value = { ...held.value, upTo }
  const recount = count(() => 0)
  const release = () => {
    held.value = { ...held.value, upTo: 0 }
  }
  const takeBack = later(UNDO_MS, release, () => {
    read(({ id }) => id <= upTo)
    return guess(
      () => void invalidate('/notifications', '/stats/home'),
      api.POST('/notifications/read-all', { params: { query: { upTo } }, keepalive: true }),
    )
  })
  return () => {
    takeBack()
    recount()
  }
}
