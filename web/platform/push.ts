/** Pushes to this device while the portal is closed: the person turns them on and off, and they end with the session. */
import { signal } from '@preact/signals'
import { answer, api } from './client.ts'
import { ours, setting } from './device.ts'
import { askPage, at } from './router.ts'
import { me } from './session.ts'
import { closeShown } from './shown.ts'

/**
 * `uninstalled`: the device allows pushes only to apps on its home screen. `unconfigured`: the portal has no keys. `denied`: the person
 * refused pushes in the browser.
 */
export type PushState = 'unknown' | 'unsupported' | 'uninstalled' | 'unconfigured' | 'denied' | 'off' | 'on'
export const pushState = signal<PushState>('unknown')

/** The setting with the id of the person who turned pushes on, so that the next person does not inherit them. */
const OWNER = 'push'
const isOwnedBy = (id: number | undefined) => setting.read(OWNER) === String(id)

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
const isTouchedApple = () => /iPhone|iPad|Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
const registered = async () => (isSupported() ? navigator.serviceWorker.getRegistration(at('/')) : undefined)
const subscribed = async () => (await registered())?.pushManager.getSubscription()

const READY_WITHIN_MS = 20_000
/** The worker once it is ready to subscribe; it is registered some time after the page is loaded. */
const ready = () =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no worker')), READY_WITHIN_MS)),
  ])

async function findState(): Promise<PushState> {
  if (!isSupported()) return isTouchedApple() ? 'uninstalled' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await subscribed()) && isOwnedBy(me.peek()?.id) ? 'on' : 'off'
}
/** Reads the state of pushes on this device. */
export async function readPush() {
  pushState.value = await findState()
}

/** Reads the state, and also whether the portal can push at all. Call it before an offer. */
export async function askPush() {
  await readPush()
  if (pushState.peek() === 'off' && !(await canPush())) pushState.value = 'unconfigured'
}

/** Whether the portal can push, by the headers of its page; true if the portal does not answer. */
async function canPush() {
  const said = await askPage()
  return !said?.ok || said.headers.has('x-pushes')
}

const askKey = async () => (await answer(api.GET('/push/vapid-public-key'))).publicKey
const isOf = (subscription: PushSubscription, publicKey: string) =>
  btoa(String.fromCharCode(...new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '') === publicKey

async function subscribe(person: number) {
  const publicKey = await askKey()
  const { pushManager } = await ready()
  let subscription = await pushManager.getSubscription()
  if (subscription && !isOf(subscription, publicKey)) {
    await subscription.unsubscribe()
    subscription = null
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON()
  await answer(api.POST('/push/subscribe', { body: { endpoint: endpoint!, keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! } } }))
  setting.write(OWNER, String(person))
}

/** Runs work one at a time across all tabs: earlier work must not subscribe a device again after pushes were switched off. */
const inTurn = <T>(work: () => Promise<T>) => (isSupported() ? navigator.locks.request(ours('push'), work) : work())

/** Asks for the browser's permission and subscribes this device; throws on failure. Call it while handling a press. */
export async function switchPushOn() {
  if ((await Notification.requestPermission()) === 'granted') await inTurn(() => subscribe(me.peek()!.id))
  await readPush()
}

/** Unsubscribes this device, even if the portal does not answer. */
export async function switchPushOff() {
  await inTurn(async () => {
    const subscription = await subscribed()
    setting.write(OWNER, null)
    if (!subscription) return
    const { endpoint } = subscription
    await answer(api.POST('/push/unsubscribe', { body: { endpoint } })).catch(() => {})
    await subscription.unsubscribe()
  })
  await readPush()
}

/** After a sign-in: renews this person's subscription and ends another person's. */
export async function renewPush() {
  await inTurn(async () => {
    const subscription = await subscribed()
    if (!subscription && setting.read(OWNER) === null) return
    // `me` may still be the person of the device's copy, so ask the portal.
    const { id } = await answer(api.GET('/auth/me'))
    if (isOwnedBy(id) && isSupported() && Notification.permission === 'granted') await subscribe(id)
    else {
      setting.write(OWNER, null)
      await subscription?.unsubscribe()
    }
  })
  await readPush()
}

/** Unsubscribes the device and removes the shown notifications of a person who is no longer signed in. */
export async function leavePush(isSignOut = false) {
  // A person whose session has ended gets pushes again after the next sign-in.
  if (isSignOut) setting.write(OWNER, null)
  const registration = await registered()
  if (registration) await closeShown(registration)
  await (await subscribed())?.unsubscribe()
  await navigator.clearAppBadge?.()
}

/** Makes the worker show a notification as it shows a push. */
export async function tryPush(payload: object) {
  const { active } = await ready()
  active?.postMessage({ show: payload })
}

const OFFER = 'push-offer'
let isOffered = setting.read(OFFER) !== null
/** Whether this device has already offered pushes. */
export const wasOffered = () => isOffered
export function rememberOffer() {
  isOffered = true
  setting.write(OFFER, 'made')
}
