/** Marks notifications as read here at once and on the portal a few seconds later, because the API cannot mark them as unread. */
import { effect, signal } from '@preact/signals'
import { sayFailure } from '../../parts/show/failures.ts'
import { invalidate, known } from '../../platform/cache.ts'
import { answer, api } from '../../platform/client.ts'
import { onEvent } from '../../platform/live.ts'
import { beforeSignOut } from '../../platform/session.ts'
import { counts, type Notification, read, readOne } from './data.ts'

/** Notifications that are shown as read until the portal is told. */
interface Hold {
  isMeant: (id: number) => boolean
  /** How many of them the portal still counts as unread. */
  size: number
  /** Tells the portal; undefined once that has begun. */
  send?: (() => Promise<unknown>) | undefined
  /** Shows the notification as unread again, if there is only one. */
  undo?: () => void
}
const holds = signal<readonly Hold[]>([])

export const isRead = (one: Notification) => one.isRead || holds.value.some(({ isMeant }) => isMeant(one.id))
const sendAll = () => Promise.allSettled(holds.peek().map(({ send }) => send?.()))
addEventListener('pagehide', sendAll)
beforeSignOut.add(sendAll)

/** The number of unread notifications that the portal sent, and how many of them the page shows as read. */
let [sent, held] = [0, 0]
/** The counts with the number that the page shows. */
let shown = counts.peek()
function show() {
  counts.change((now) => {
    shown = { ...now, unreadNotifications: Math.max(0, sent - held) }
    return shown
  })
}
effect(() => {
  if (!counts.data || counts.data === shown) return
  sent = counts.data.unreadNotifications
  if (held) show()
})

/** Replaces the holds. `isTold`: the portal knows that those left out were read, and no longer counts them. */
function keep(next: readonly Hold[], isTold = false) {
  const sum = next.reduce((all, { size }) => all + size, 0)
  if (isTold) sent += sum - held
  held = sum
  holds.value = next
  show()
}

onEvent('notifications_read', ({ ids = [] }) => {
  const now = holds.peek()
  for (const id of ids) {
    const counting = now.find(({ isMeant, size }) => size && isMeant(id))
    if (counting) counting.size--
  }
  if (held) keep(now, true)
})

export const UNDO_MS = 8000

/** Calls the portal after `UNDO_MS`, or when the page closes. Returns a function that cancels the call. */
function hold(one: Hold, call: () => Promise<unknown>) {
  const release = (isTold: boolean) => {
    clearTimeout(timer)
    keep(
      holds.peek().filter((other) => other !== one),
      isTold,
    )
  }
  one.send = async () => {
    one.send = undefined
    let isTold = false
    try {
      await call()
      isTold = true
    } finally {
      release(isTold)
    }
  }
  const timer = setTimeout(() => one.send?.().catch(sayFailure), UNDO_MS)
  keep([...holds.peek(), one])
  return () => release(false)
}

/** Marks notifications as read; `unread` can undo it for eight seconds. */
export function readSome(some: Notification[]) {
  for (const one of some) {
    if (isRead(one)) continue
    const only: Hold = { isMeant: (id) => id === one.id, size: 1 }
    only.undo = hold(only, () => readOne(one))
  }
}
/** Undoes `readSome` for notifications of which the portal has not been told yet, unless all have been marked as read since. */
export function unread(some: Notification[]) {
  for (const { id } of some) {
    const [one, other] = holds.peek().filter(({ isMeant }) => isMeant(id))
    if (!other) one?.undo?.()
  }
}

/** Stands for all notifications if none is loaded. */
const LARGEST_ID = 2 ** 31 - 1

/** Marks all as read; returns the undo, which works for eight seconds. */
export function readAll() {
  // Those that arrive before the portal is told stay unread.
  const upTo = Math.max(0, ...known('/notifications').flatMap((all) => all.map(({ id }) => id))) || LARGEST_ID
  return hold({ isMeant: (id) => id <= upTo, size: counts.peek()?.unreadNotifications ?? 0 }, () => {
    read(({ id }) => id <= upTo)
    return answer(api.POST('/notifications/read-all', { params: { query: { upTo } }, keepalive: true })).finally(() =>
      invalidate('/notifications', '/stats/home'),
    )
  })
}
