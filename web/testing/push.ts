/** Tests of pushes without the browser's push service: a test service receives the portal's pushes and hands them to the worker. */
import { after } from 'node:test'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import webpush from 'web-push'
import { until } from '../../test/portal.ts'
import { type Browser, startPushService } from '../../test/push-service.ts'
import { both } from '../people/account/texts.ts'
import { type browser, hasLoaded, type pairs, portalWithPages } from './browser.ts'
import type { Portal } from './portal.ts'

export const service = await startPushService()
service.trust()
after(service.close)
const { publicKey, privateKey } = webpush.generateVAPIDKeys()

export const portalThatPushes = () =>
  portalWithPages({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, PUSH_INTERNAL_HOSTS: 'localhost' })

/** Replaces the browser's subscription by one at the test push service, which the portal can reach. */
export async function reachable(context: BrowserContext, { subscription }: Browser) {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(
    ({ endpoint, keys, publicKey }) => {
      const key = Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
      const subscription = {
        endpoint,
        options: { applicationServerKey: key.buffer },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => localStorage.removeItem('subscribed'),
      }
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (localStorage.getItem('subscribed') ? subscription : null),
        subscribe: async () => {
          localStorage.setItem('subscribed', 'yes')
          return subscription
        },
      })
    },
    { ...subscription, publicKey },
  )
}

/** Waits until the page listens to the worker and to notifications that are read elsewhere. */
export const listening = (page: Page) => hasLoaded(page, 'frame/background.ts')

/** Returns a function that hands a push to the worker, as a push service would. */
async function delivering(context: BrowserContext, page: Page, origin: string) {
  const session = await context.newCDPSession(page)
  const registrations: { registrationId: string }[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', (update) => registrations.push(...update.registrations))
  await session.send('ServiceWorker.enable')
  const { registrationId } = await until('the worker is known', () => registrations.at(-1))
  return (data: object) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) })
}

export type Scope = { registration: ServiceWorkerRegistration; opened?: string }
/** The notifications that the device shows, read while none is being added. */
export const shown = (worker: Worker) =>
  worker.evaluate(() =>
    navigator.locks.request('notifications', async () =>
      (await (globalThis as unknown as Scope).registration.getNotifications()).map(({ title, body, lang, dir, tag }) => ({
        title,
        body,
        lang,
        dir,
        tag,
      })),
    ),
  )
const countPages = (worker: Worker) =>
  worker.evaluate(async () => {
    const { clients } = globalThis as unknown as { clients: { matchAll: (options: object) => Promise<object[]> } }
    return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length
  })
export const press = (worker: Worker) =>
  worker.evaluate(async () => {
    const [notification] = await (globalThis as unknown as Scope).registration.getNotifications()
    const made = globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event }
    dispatchEvent(new made.NotificationEvent('notificationclick', { notification }))
  })

export const pushSwitch = (page: Page, { language }: (typeof pairs)[number]) => page.getByRole('switch', { name: both[language].push })

/** Returns a function that creates a person with a subscribed device and opens an address there. */
export const readers =
  (portal: Portal, visitAs: ReturnType<typeof browser>['visitAs'], pair: (typeof pairs)[number]) =>
  async (role: string, address = '/account') => {
    const person = await portal.person(`${role}-${pair.language}-${pair.size}`)
    const opened = await visitAs(person.username, pair)
    const device = service.newBrowser()
    await reachable(opened.context, device)
    await opened.page.goto('/account')
    await pushSwitch(opened.page, pair).check()
    await opened.page.getByText(both[pair.language].pushOn).waitFor()
    const worker = opened.context.serviceWorkers()[0]!
    const deliver = await delivering(opened.context, opened.page, portal.base)
    if (address !== '/account') await opened.page.goto(address)
    // While the worker still sees the closed page, it would leave the push to that page.
    if (address === 'about:blank') await until('no page is left', async () => (await countPages(worker)) === 0)
    return { ...opened, person, device, worker, deliver }
  }
