/** What goes on behind the page: its service worker, and looking for newer pages. Loaded once the page is there. */
import { isLive } from '../platform/live.ts'
import { at } from '../platform/router.ts'
import { isSignedIn } from '../platform/session.ts'
import { hasNewer, isOlder } from './version.ts'

const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined
const LOOK_AGAIN_MS = 60_000
const LONGEST_MS = 30_000

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => string }
}
const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes
const policy = types?.createPolicy('portal', { createScriptURL: (url) => url })

/** Settles when a worker that is being installed is, or could not be, or takes long. */
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

/** Offers newer pages once this browser has them, so that taking them is a matter of an instant. */
async function look() {
  looked = Date.now()
  if (!(await hasNewer()) || isFetching || isOlder.peek()) return
  isFetching = true
  await fetchNewer().catch(() => {})
  isFetching = false
  isOlder.value = true
}

// A sign-out takes the worker away with all else that the browser keeps.
isSignedIn.subscribe((isIn) => {
  if (!isIn || !worker) return
  const url = at('/worker.js')
  worker.register(policy?.createScriptURL(url) ?? url, { updateViaCache: 'none' }).catch(() => {})
})

worker?.addEventListener('controllerchange', look)
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && Date.now() - looked > LOOK_AGAIN_MS) look()
})
// A part of a former version may be gone.
addEventListener('vite:preloadError', look)
// A portal that was started anew may have been upgraded: the stream opens again then.
isLive.subscribe(look)
