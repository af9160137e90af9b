/**
 * The service worker: caches the files of the pages, so that the portal opens without a connection, and shows pushes. It caches
 * no personal data: API calls never pass through it.
 */
import { openNotification, receivePush, renewSubscription, showPayload } from './worker/push.ts'
import { base, dropFormer, fetchShell, fileOf, isFile, pageOf } from './worker/shell.ts'

declare const self: ServiceWorkerGlobalScope

// Files are named by their hashes, and the files of former builds stay: any worker can serve any open page.
self.addEventListener('install', (event) => {
  // These paths bypass the worker where the browser supports that: a call that a closing page makes might not survive the worker.
  for (const path of ['api', 'objects'])
    event.addRoutes?.({ condition: { urlPattern: `${base.pathname}${path}/*` }, source: 'network' }).catch(() => {})
  event.waitUntil(fetchShell().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => event.waitUntil(dropFormer().then(() => self.clients.claim())))

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(base.href)) return
  const path = new URL(request.url).pathname.slice(base.pathname.length)
  if (/^(api|objects)(\/|$)/.test(path)) return
  if (request.mode === 'navigate') event.respondWith(pageOf(request, path))
  else if (isFile(path)) event.respondWith(fileOf(request, path))
})

self.addEventListener('push', (event) => event.waitUntil(receivePush(event)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event.notification)))
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)))
// A test notification from the account page is shown like a push.
self.addEventListener('message', (event) => event.waitUntil(showPayload(event.data.show)))
