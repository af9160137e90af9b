/** Shows pushes in the language of their recipient, opens their records, and never shows them to the next person on the device. */
import { withShown } from '../platform/shown.ts'
import { base } from './shell.ts'
import { both } from './texts.ts'

declare const self: ServiceWorkerGlobalScope

export interface Payload {
  notificationId: number
  titleAr: string
  titleEn: string
  bodyAr: string | null
  bodyEn: string | null
  relatedType: string | null
  relatedId: number | null
  vibrate: boolean
  lang: 'ar' | 'en'
  url: string
}

type Shown = { notificationId: number; url: string }
// Options that TypeScript's library lacks. `navigate` is for browsers that open the address themselves.
type Options = NotificationOptions & { renotify?: boolean; vibrate?: number[]; navigate?: string }

const TOLD_WITHIN_MS = 3000
const HEARD_WITHIN_MS = 1000
const VIBRATION = [200, 100, 200]

const call = (path: string, init?: RequestInit) => fetch(new URL(`api/${path}`, base), init)
const post = (path: string, body: unknown) =>
  call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** The number of unread notifications; null without a session, undefined if the portal does not answer in time. */
async function countUnread(): Promise<number | null | undefined> {
  try {
    // The limit is short, because the push must be shown soon.
    const answer = await call('stats/home', { signal: AbortSignal.timeout(TOLD_WITHIN_MS) })
    if (answer.status === 401) return null
    return answer.ok ? (await answer.json()).unreadNotifications : undefined
  } catch {
    return undefined
  }
}

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true })
const ours = async () => (await windows()).filter(({ url }) => url.startsWith(base.href))

const show = (title: string, lang: 'ar' | 'en', options: Options) =>
  self.registration.showNotification(title, {
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
    icon: new URL('icon-192.png', base).href,
    badge: new URL('badge-96.png', base).href,
    ...options,
  } as NotificationOptions)

/** Shows a notification, which replaces an earlier one about the same record. A repeated push is shown only once. */
export const showPayload = (payload: Payload) => withShown(() => showUnlessShown(payload))

async function showUnlessShown({ notificationId, titleAr, titleEn, bodyAr, bodyEn, relatedType, relatedId, vibrate, lang, url }: Payload) {
  const tag = relatedType && relatedId ? `${relatedType}-${relatedId}` : `notification-${notificationId}`
  const earlier = await self.registration.getNotifications({ tag })
  if (earlier.some(({ data }) => (data as Shown).notificationId >= notificationId)) return
  const [title, body] = lang === 'ar' ? [titleAr || titleEn, bodyAr || bodyEn] : [titleEn || titleAr, bodyEn || bodyAr]
  await show(title, lang, {
    tag,
    renotify: true,
    body: body ?? '',
    ...(vibrate && { vibrate: VIBRATION }),
    data: { notificationId, url } satisfies Shown,
    navigate: url,
  })
}

/** Tells the person that the session has ended, and unsubscribes the device. */
async function endHere(lang: 'ar' | 'en') {
  await withShown(async () => {
    for (const one of await self.registration.getNotifications()) one.close()
    await show(both[lang].signedOut, lang, {
      tag: 'signed-out',
      body: both[lang].signedOutHint,
      data: { notificationId: 0, url: base.href },
    })
  })
  await (await self.registration.pushManager.getSubscription())?.unsubscribe()
}

/** Shows a push, unless a visible page of the portal already shows its notification. */
export async function receivePush({ data }: PushEvent) {
  if (!data) return
  const payload = data.json() as Payload
  if ((await ours()).some(({ visibilityState }) => visibilityState === 'visible')) return
  const unread = await countUnread()
  if (unread === null) return endHere(payload.lang)
  await showPayload(payload)
  if (unread !== undefined) await navigator.setAppBadge?.(unread)
}

/** Asks a page to open an address. Resolves to whether it has: an older page, or one that is still loading, does not answer. */
const handed = (page: WindowClient, url: string) =>
  new Promise<boolean>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), HEARD_WITHIN_MS)
    page.postMessage({ open: url }, [port2])
  })

/**
 * Opens the record that a notification is about, in an open page without reloading it or else in a new one, and marks the notification as
 * read.
 */
export async function openNotification(notification: Notification) {
  notification.close()
  const { notificationId, url } = notification.data as Shown
  // This browser may use a different address of the portal than the push.
  const { pathname, search } = new URL(url)
  const here = new URL(pathname + search, base).href
  const isRead = notificationId ? call(`notifications/${notificationId}/read`, { method: 'PATCH' }).catch(() => {}) : undefined
  const open = await ours()
  const page = open.find(({ focused }) => focused) ?? open.find(({ visibilityState }) => visibilityState === 'visible') ?? open[0]
  if (!page) await self.clients.openWindow(here)
  else {
    await page.focus().catch(() => {})
    if (!(await handed(page, here))) await page.navigate(here)
  }
  await isRead
}

/** Subscribes again after the push service has given up the old subscription. */
export async function renewSubscription({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent) {
  const answer = await call('push/vapid-public-key')
  if (!answer.ok) return
  const { publicKey } = await answer.json()
  const subscription =
    newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  const { endpoint, keys } = subscription.toJSON()
  await post('push/subscribe', { endpoint, keys })
  if (oldSubscription && oldSubscription.endpoint !== endpoint) await post('push/unsubscribe', { endpoint: oldSubscription.endpoint })
}
