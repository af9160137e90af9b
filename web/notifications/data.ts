import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { sayFailure } from '../parts/failures.ts'
import { changeAll, invalidate, known, resource } from '../platform/cache.ts'
import { api, guess, type Schemas } from '../platform/client.ts'
import { hear } from '../platform/live.ts'
import { beforeSignOut } from '../platform/session.ts'

export type Notification = Schemas['Notification']

/** How many are asked for at a time. */
export const PART = 50

/** A part of the list, newest first: those before an id, or the newest. */
export const partOf = (unread: boolean, before?: number) =>
  resource('/notifications', { query: { limit: PART, ...(unread && { unread }), ...(before && { before }) } })

/** What is counted for the person, the unread among it. */
export const counts = resource('/stats/home')

/** The pages of the records that notifications are about; pushes lead to the same. */
const pages: Record<Schemas['RelatedType'], string> = {
  order: '/orders',
  note: '/notes',
  meeting: '/meetings',
  meeting_request: '/meetings/requests',
  meeting_task: '/meetings/tasks',
  user: '/admin/users',
}

/** Where a notification leads, if anywhere. */
export const pathOf = ({ relatedType, relatedId }: Notification) => relatedType && relatedId && `${pages[relatedType]}/${relatedId}`

const read = (isMeant: (one: Notification) => boolean) =>
  changeAll('/notifications', (all) => all.map((one) => (isMeant(one) ? { ...one, isRead: true } : one)))

/** Marks one as read: at once here, and everywhere else by its event. */
export const readOne = ({ id }: Notification) => {
  read((one) => one.id === id)
  // Also if the page is left at once.
  return guess(
    () => void invalidate('/notifications'),
    api.PATCH('/notifications/{id}/read', { params: { path: { id } }, keepalive: true }),
  )
}

/** Read here, and told the portal once it can no longer be taken back: it knows no way to make something unread. */
const held = signal<{ upTo: number; ids: ReadonlySet<number> }>({ upTo: 0, ids: new Set() })
const telling = new Map<object, () => Promise<unknown>>()

export const isRead = (one: Notification) => one.isRead || one.id <= held.value.upTo || held.value.ids.has(one.id)
const tellAll = () => Promise.allSettled(Array.from(telling.values(), (tell) => tell()))
addEventListener('pagehide', tellAll)
beforeSignOut.add(tellAll)

/** Shows another number of unread ones, until the portal says it itself. */
const count = (by: (now: number) => number) =>
  void counts.change((now) => ({ ...now, unreadNotifications: Math.max(0, by(now.unreadNotifications)) }))

/** Calls the portal after so many ms, or with the page; returns what takes that back. */
function later(ms: number, release: () => void, call: () => Promise<unknown>) {
  const key = {}
  const end = () => {
    clearTimeout(timer)
    telling.delete(key)
  }
  const tell = async () => {
    end()
    await call().finally(release)
  }
  const timer = setTimeout(() => tell().catch(sayFailure), ms)
  telling.set(key, tell)
  return () => {
    end()
    release()
  }
}

export const UNDO_MS = 8000
const holding = new Map<number, () => void>()

/** Marks some as read, which `unread` takes back for a while. */
export function readSome(some: Notification[]) {
  for (const one of some) {
    if (isRead(one)) continue
    held.value = { ...held.value, ids: new Set(held.value.ids).add(one.id) }
    count((now) => now - 1)
    const release = () => {
      holding.delete(one.id)
      held.value = { ...held.value, ids: new Set([...held.value.ids].filter((id) => id !== one.id)) }
    }
    holding.set(
      one.id,
      later(UNDO_MS, release, () => readOne(one)),
    )
  }
}
/** Takes back what was marked as read a moment ago. */
export function unread(some: Notification[]) {
  for (const { id } of some) {
    if (!holding.has(id)) continue
    holding.get(id)?.()
    count((now) => now + 1)
  }
}

/** Marks all as read; what it returns takes that back for a while. */
export function readAll() {
  const former = counts.peek()?.unreadNotifications ?? 0
  held.value = { ...held.value, upTo: Math.max(0, ...known('/notifications').flatMap((all) => all.map(({ id }) => id))) }
  count(() => 0)
  const release = () => {
    held.value = { ...held.value, upTo: 0 }
  }
  const takeBack = later(UNDO_MS, release, () => {
    read(() => true)
    return guess(() => void invalidate('/notifications', '/stats/home'), api.POST('/notifications/read-all', { keepalive: true }))
  })
  return () => {
    takeBack()
    count((now) => now + former)
  }
}

type RelatedType = Schemas['RelatedType']
interface About {
  relatedType: RelatedType
  relatedId: number
}
const tellAbout = api.POST as unknown as (path: string, init: { body: About; keepalive: boolean }) => Promise<unknown>

/** What was told of a record is read by whoever has its page open, what is told meanwhile as well. */
export function useReadAbout(relatedType: RelatedType, relatedId: number) {
  useEffect(() => {
    const isAbout = (one: Notification) => one.relatedType === relatedType && one.relatedId === relatedId
    const tell = () => {
      read(isAbout)
      tellAbout('/notifications/read-about', { body: { relatedType, relatedId }, keepalive: true }).catch(() => {})
    }
    if (counts.peek()?.unreadNotifications !== 0) tell()
    return hear('notification_created', ({ notification }) => isAbout(notification) && tell())
  }, [relatedType, relatedId])
}

/** Those about the same thing together, the newest first among them and in each. */
export const byThing = (all: Notification[]): Notification[][] => [
  ...Map.groupBy(
    all.toSorted((one, other) => other.id - one.id),
    ({ id, relatedType, relatedId }) => (relatedType && relatedId ? `${relatedType} ${relatedId}` : String(id)),
  ).values(),
]
