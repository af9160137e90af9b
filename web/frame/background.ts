/** Background work: the service worker, pushes, and looking for newer pages. Loaded after the page. */
import { effect } from '@preact/signals'
import { sayFailure } from '../parts/show/failures.ts'
import { resource } from '../platform/cache.ts'
import { isLive, onEvent } from '../platform/live.ts'
import { leavePush, renewPush } from '../platform/push.ts'
import { onRefused } from '../platform/removals.ts'
import { at, go } from '../platform/router.ts'
import { beforeLeaving, isSignedIn, isSignedOut } from '../platform/session.ts'
import { closeShown } from '../platform/shown.ts'
import { followDuty } from './follow-duty.tsx'
import { hasNewer, isOlder } from './version.ts'

const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined
const LOOK_AGAIN_MS = 60_000
const LONGEST_MS = 30_000

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => string }
}
const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes
const policy = types?.createPolicy('portal', { createScriptURL: (url) => url })

/** Resolves when the worker is active, has failed to install, or takes too long. */
const settled = (installing: ServiceWorker) =>
  new Promise<void>((resolve) => {
    installing.addEventListener('statechange', () => {
      if (['activated', 'redundant'].includes(installing.state)) resolve()
    })
    setTimeout(resolve, LONGEST_MS)
  })

async function fetchNewer() {
  const registration = await worker?.getRegistration(at('/'))
  await registration?.update()
  if (registration?.installing) await settled(registration.installing)
}

let looked = 0
let isFetching = false

/** Offers newer pages once the browser has cached them, so that switching to them is instant; at once if it cannot cache them. */
async function look() {
  looked = Date.now()
  if (!(await hasNewer()) || isFetching || isOlder.peek()) return
  isFetching = true
  await fetchNewer().catch(ignore)
  isFetching = false
  isOlder.value = true
}

async function register() {
  const url = at('/worker.js')
  await worker?.register(policy?.createScriptURL(url) ?? url, { updateViaCache: 'none' })
  await renewPush()
}
const ignore = () => {}

isSignedIn.subscribe((isIn) => {
  if (isIn) register().catch(ignore)
})
isSignedOut.subscribe((isOut) => {
  if (isOut) leavePush().catch(ignore)
})
// A push subscription ends with its session, so unsubscribe the device as well.
beforeLeaving.add(async (isSignOut) => isSignOut && leavePush(true))

/** Closes the shown notifications for which `isRead` is true. */
async function closeRead(isRead: (id: number) => boolean) {
  const registration = await worker?.getRegistration(at('/'))
  if (registration) await closeShown(registration, isRead)
}
onEvent('notifications_read', ({ ids }) => closeRead((id) => ids?.includes(id) ?? true))

onRefused(sayFailure)

const counts = resource('/stats/home')
effect(() => {
  const count = isSignedIn.value ? counts.data?.unreadNotifications : undefined
  if (count === undefined) return
  navigator.setAppBadge?.(count).catch(ignore)
  // Ids of notifications are positive; a trial push has the id 0 and stays.
  if (count === 0) closeRead((id) => id > 0)
})

/** Opens the record of a pressed notification if the worker has chosen this page for it. */
worker?.addEventListener('message', ({ data, ports: [reply] }: MessageEvent<{ open: string }>) => {
  const { pathname, search } = new URL(data.open)
  go(`/${pathname.slice(at('/').length)}${search}`)
  reply?.postMessage(true)
})

worker?.addEventListener('controllerchange', look)
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && Date.now() - looked > LOOK_AGAIN_MS) look()
})
// If a chunk is missing, the portal may have newer pages.
addEventListener('vite:preloadError', look)
// The event stream opens again after a restart of the portal, which may have upgraded it.
isLive.subscribe(look)
followDuty()
