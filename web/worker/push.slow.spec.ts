/** Pushes: shown while no page is in sight, opened at their record, and ended with the session. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Worker } from 'playwright-core'
import { until } from '../../test/portal.ts'
import { pushing } from '../../test/push-service.ts'
import { both as frame } from '../frame/texts.ts'
import { browser, journeys, pairs } from '../testing/browser.ts'
import { listening, portalThatPushes, press, readers, type Scope, service, shown } from '../testing/push.ts'
import { both } from './texts.ts'

const portal = portalThatPushes()
const { notify } = pushing(portal)

let coffeeId = 0
async function offerCoffee() {
  if (!coffeeId) coffeeId = (await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body.id
}

/** Claims an order, of which the person who ordered is notified. */
const claim = async (id: number) => assert.equal((await portal.admin.patch(`/orders/${id}/confirm-receipt`, {})).status, 200)

type Followed = Scope & {
  clients: { matchAll: (options: object) => Promise<object[]> }
  isCovered: boolean
  /** How often the worker has looked for open pages, and for an earlier notification about the same record. */
  handled: { looked: number; compared: number }
}

/** Counts the steps of the worker as it handles pushes, because nothing reports when it is done. */
const follow = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as Followed
    Object.assign(scope, { isCovered: false, handled: { looked: 0, compared: 0 } })
    const pick = (page: object, name: string | symbol) => {
      const value = Reflect.get(page, name)
      return typeof value === 'function' ? value.bind(page) : value
    }
    const cover = (page: object) => new Proxy(page, { get: (page, name) => (name === 'visibilityState' ? 'hidden' : pick(page, name)) })
    const find = scope.clients.matchAll.bind(scope.clients)
    scope.clients.matchAll = async (options) => {
      const pages = await find(options)
      scope.handled.looked++
      return scope.isCovered ? pages.map(cover) : pages
    }
    const compare = scope.registration.getNotifications.bind(scope.registration)
    scope.registration.getNotifications = (options) => {
      if (options?.tag) scope.handled.compared++
      return compare(options)
    }
  })
const handled = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as Followed).handled)
/** Simulates a window that covers all pages. */
const cover = (worker: Worker) => worker.evaluate(() => void Object.assign(globalThis, { isCovered: true }))

journeys(() => {
  const { visitAs } = browser(portal, { notifies: true })
  beforeEach(offerCoffee)

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    const reader = readers(portal, visitAs, pair)
    const subscriptions = ({ id }: { id: number }) => portal.sql(`select from push_subscriptions where user_id = ${id}`)

    test(titled('a push is shown once, only while no page is in sight, and opens its record in the open page'), async () => {
      const { page, person, device, worker, deliver } = await reader('mover', '/notes')
      await listening(page)
      await page.evaluate(() => Object.assign(window, { sameDocument: true }))
      const place = async () => (await person.post('/orders', { serviceId: coffeeId })).body.id as number
      const [seen, unseen] = [await place(), await place()]
      await claim(seen)
      const { data: first } = await device.next()
      await follow(worker)
      await deliver(first)
      await until('the worker has looked for a visible page', async () => (await handled(worker)).looked === 1)
      await claim(unseen)
      const { data: second } = await until('the second push arrives', () => device.received[1])
      await cover(worker)
      await deliver(second)
      await deliver(second)
      await until('the worker has compared both deliveries with what is shown', async () => (await handled(worker)).compared === 2)
      const half = language === 'ar' ? { title: second.titleAr, body: second.bodyAr } : { title: second.titleEn, body: second.bodyEn }
      assert.deepEqual(await shown(worker), [{ ...half, lang: language, dir: language === 'ar' ? 'rtl' : 'ltr', tag: `order-${unseen}` }])
      await press(worker)
      await page.waitForURL(`**/orders/${unseen}`)
      assert.equal(await page.evaluate(() => 'sameDocument' in window), true)
      const read = async () => (await person.get(`/notifications/${second.notificationId}`)).body.isRead
      await until('the notification is read', read)
      assert.deepEqual(await shown(worker), [])
    })

    test(titled('with no page open, a pressed notification opens its record; one that is read elsewhere disappears'), async () => {
      const { page, person, device, worker, deliver } = await reader('closer', 'about:blank')
      await worker.evaluate(() => {
        const scope = globalThis as unknown as Scope & { clients: { openWindow: (url: string) => Promise<null> } }
        scope.clients.openWindow = async (url) => {
          scope.opened = url
          return null
        }
      })
      const { id } = (await person.post('/orders', { serviceId: coffeeId })).body
      await claim(id)
      const { data } = await device.next()
      await deliver(data)
      await until('a notification is shown', async () => (await shown(worker)).length)
      await press(worker)
      const opened = () => worker.evaluate(() => (globalThis as unknown as Scope).opened)
      assert.equal(await until('the order is opened', opened), `${portal.base}/orders/${id}`)

      await notify(person)
      const { data: other } = await until('the other push arrives', () => device.received[1])
      await deliver(other)
      await until('a notification is shown', async () => (await shown(worker)).length)
      await page.goto('/notifications')
      await listening(page)
      await person.post('/notifications/read-all', {})
      await until('the notification is closed', async () => (await shown(worker)).length === 0)
    })

    test(titled('a pressed notification is marked as read even on a slow connection'), async () => {
      const { person, device, worker, deliver } = await reader('patient', 'about:blank')
      await worker.evaluate(() => {
        // Calls with a time limit fail at once.
        AbortSignal.timeout = () => AbortSignal.abort()
        const scope = globalThis as unknown as { clients: { openWindow: (url: string) => Promise<null> } }
        scope.clients.openWindow = async () => null
      })
      await notify(person)
      const { data } = await device.next()
      await deliver(data)
      await until('a notification is shown', async () => (await shown(worker)).length)
      await press(worker)
      await until('the notification is read', async () => (await person.get(`/notifications/${data.notificationId}`)).body.isRead)
    })

    test(titled('pushes that arrive together are all shown'), async () => {
      const { person, device, worker, deliver } = await reader('popular', 'about:blank')
      await notify(person)
      const { data } = await device.next()
      const ids = Array.from({ length: 12 }, (_, more) => data.notificationId + more)
      const tags = ids.map((notificationId) => `notification-${notificationId}`)
      await Promise.all(ids.map((notificationId) => deliver({ ...data, notificationId, relatedType: null, relatedId: null })))
      await until('all notifications are shown', async () => (await shown(worker)).length === ids.length)
      assert.deepEqual((await shown(worker)).map(({ tag }) => tag).toSorted(), tags.toSorted())
    })

    test(titled('a subscription that the push service has given up is renewed without an open page'), async () => {
      const { person, device, worker } = await reader('renewed', 'about:blank')
      const fresh = service.newBrowser()
      await worker.evaluate(
        ([old, renewed]) => {
          Object.assign(PushManager.prototype, { subscribe: async () => ({ toJSON: () => renewed }) })
          const made = globalThis as unknown as { ExtendableEvent: new (type: string) => Event }
          dispatchEvent(Object.assign(new made.ExtendableEvent('pushsubscriptionchange'), { oldSubscription: old }))
        },
        [device.subscription, fresh.subscription],
      )
      const endpoints = async () =>
        (await portal.sql<{ endpoint: string }>(`select endpoint from push_subscriptions where user_id = ${person.id}`)).map(
          ({ endpoint }) => endpoint,
        )
      await until('only the new subscription is known', async () => (await endpoints()).join() === fresh.subscription.endpoint)
    })

    test(titled('a sign-out ends the pushes to this device'), async () => {
      const { page, person } = await reader('goer')
      await page.locator('.bar button[aria-haspopup=menu]').last().click()
      await page.getByRole('menuitem', { name: frame[language].signOut }).click()
      await page.waitForURL('**/sign-in?local=1')
      assert.deepEqual(await subscriptions(person), [])
    })

    test(titled('a push that arrives after its session was ended elsewhere shows only that the person is signed out'), async () => {
      const { person, device, worker, deliver } = await reader('loser', 'about:blank')
      await notify(person)
      // This push was already on its way when the session ended.
      const { data } = await device.next()
      await portal.admin.delete(`/users/${person.id}/sessions`)
      assert.deepEqual(await subscriptions(person), [])
      await deliver(data)
      await until('a notification is shown', async () => (await shown(worker)).length)
      const [only, ...others] = await shown(worker)
      assert.deepEqual([only?.title, others], [both[language].signedOut, []])
    })
  }
})
