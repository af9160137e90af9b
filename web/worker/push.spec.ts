/** What is pushed: offered at the right moment, received by the worker while no page is in sight, opened at the record, ended with the session. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import webpush from 'web-push'
import { PASSWORD, until } from '../../test/house.ts'
import { type Browser, pushing, startPushService } from '../../test/push-service.ts'
import { both as account } from '../account/texts.ts'
import { both as offers } from '../frame/push-texts.ts'
import { both as frame } from '../frame/texts.ts'
import { both as services } from '../services/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages, tooWide } from '../testing/browser.ts'
import { both } from './texts.ts'

const service = await startPushService()
service.trust()
after(service.close)
const { publicKey, privateKey } = webpush.generateVAPIDKeys()
const portal = portalWithPages({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, PUSH_INTERNAL_HOSTS: 'localhost' })
const plain = portalWithPages()
const { settled, notify } = pushing(portal)

let coffeeId = 0
async function offerCoffee() {
  if (!coffeeId) coffeeId = (await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body.id
}

/** What tells the person who ordered. */
const claim = async (id: number) => assert.equal((await portal.admin.patch(`/orders/${id}/confirm-receipt`, {})).status, 200)

/** Gives a browser that reaches no push service the subscription of one that the portal reaches. */
async function reachable(context: BrowserContext, { subscription }: Browser) {
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

/** Once the page has an ear for the worker, and for what is read elsewhere. */
const listening = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/background-')))

/** Hands the worker what the portal has pushed, as a push service would. */
async function delivering(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page)
  const registrations: { registrationId: string }[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', (heard) => registrations.push(...heard.registrations))
  await session.send('ServiceWorker.enable')
  const { registrationId } = await until('the worker is known', () => registrations.at(-1))
  return (data: object) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: portal.base, registrationId, data: JSON.stringify(data) })
}

type Scope = { registration: ServiceWorkerRegistration; opened?: string }
const shown = (worker: Worker) =>
  worker.evaluate(async () =>
    (await (globalThis as unknown as Scope).registration.getNotifications()).map(({ title, body, lang, dir, tag }) => ({
      title,
      body,
      lang,
      dir,
      tag,
    })),
  )
const press = (worker: Worker) =>
  worker.evaluate(async () => {
    const [notification] = await (globalThis as unknown as Scope).registration.getNotifications()
    const made = globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event }
    dispatchEvent(new made.NotificationEvent('notificationclick', { notification }))
  })

journeys(() => {
  const { visitAs } = browser(portal)
  beforeEach(offerCoffee)

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, offer] = [account[language], offers[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const subscriptions = ({ id }: { id: number }) => portal.sql(`select from push_subscriptions where user_id = ${id}`)
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const pushSwitch = (page: Page) => page.getByRole('switch', { name: t.push })

    /** Someone whose device is pushed to, at an address. */
    async function reader(role: string, address = '/account') {
      const person = await portal.person(`${role}-${language}-${size}`)
      const opened = await visitAs(person.username, pair)
      const device = service.newBrowser()
      await reachable(opened.context, device)
      await opened.page.goto('/account')
      await pushSwitch(opened.page).check()
      await opened.page.getByText(t.pushOn).waitFor()
      const worker = opened.context.serviceWorkers()[0]!
      const deliver = await delivering(opened.context, opened.page)
      if (address !== '/account') await opened.page.goto(address)
      return { ...opened, person, device, worker, deliver }
    }

    test(titled('whoever has sent an order is asked once whether this device shall tell how it goes'), async () => {
      const person = await portal.person(`asked-${language}-${size}`)
      const { context, page } = await visitAs(person.username, pair)
      await reachable(context, service.newBrowser())
      await page.goto(`/services?order=${coffeeId}`)
      const send = () => button(page, services[language].send).click()
      await send()
      await page.getByText(offer.offer).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, offer.accept).click()
      await page.getByText(offer.accepted).waitFor()
      assert.equal((await subscriptions(person)).length, 1)
      await page.goto(`/services?order=${coffeeId}`)
      await send()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await page.getByText(offer.offer).count(), 0)
    })

    test(titled('whoever wants no news of orders is not asked'), async () => {
      const person = await portal.person(`content-${language}-${size}`)
      await person.patch('/auth/me/notification-preferences', { notifyOrdersEnabled: false })
      const { context, page } = await visitAs(person.username, pair)
      await reachable(context, service.newBrowser())
      await page.goto(`/services?order=${coffeeId}`)
      const loaded = page.waitForResponse(/push-offer-/)
      await button(page, services[language].send).click()
      await loaded
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await page.getByText(offer.offer).count(), 0)
    })

    test(titled('a push is shown while no page is in sight, and opens its record in the page that is there'), async () => {
      const { page, person, device, worker, deliver } = await reader('mover', '/notes')
      await listening(page)
      await page.evaluate(() => Object.assign(window, { sameDocument: true }))
      const place = async () => (await person.post('/orders', { serviceId: coffeeId })).body.id as number
      const [seen, unseen] = [await place(), await place()]
      await claim(seen)
      const { data: first } = await device.next()
      await deliver(first)
      await claim(unseen)
      const { data: second } = await until('the other push comes', () => device.received[1])
      // The page is covered, as by another window.
      await worker.evaluate(() => {
        const scope = globalThis as unknown as { clients: { matchAll: (options: object) => Promise<object[]> } }
        const find = scope.clients.matchAll.bind(scope.clients)
        scope.clients.matchAll = async (options) =>
          (await find(options)).map(
            (one) => new Proxy(one, { get: (page, name) => (name === 'visibilityState' ? 'hidden' : pick(page, name)) }),
          )
        const pick = (page: object, name: string | symbol) => {
          const value = Reflect.get(page, name)
          return typeof value === 'function' ? value.bind(page) : value
        }
      })
      await deliver(second)
      await deliver(second)
      const half = language === 'ar' ? { title: second.titleAr, body: second.bodyAr } : { title: second.titleEn, body: second.bodyEn }
      await until('it is shown', async () => (await shown(worker)).length)
      assert.deepEqual(await shown(worker), [{ ...half, lang: language, dir: language === 'ar' ? 'rtl' : 'ltr', tag: `order-${unseen}` }])
      await press(worker)
      await page.waitForURL(`**/orders/${unseen}`)
      assert.equal(await page.evaluate(() => 'sameDocument' in window), true)
      const read = async () => (await person.get(`/notifications/${second.notificationId}`)).body.isRead
      await until('it is read', read)
      assert.deepEqual(await shown(worker), [])
    })

    test(titled('with no page open, a pressed notification opens one at the record; what is read elsewhere disappears'), async () => {
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
      await until('it is shown', async () => (await shown(worker)).length)
      await press(worker)
      const opened = () => worker.evaluate(() => (globalThis as unknown as Scope).opened)
      assert.equal(await until('it is opened', opened), `${portal.base}/orders/${id}`)

      await notify(person)
      const { data: other } = await until('another push comes', () => device.received[1])
      await deliver(other)
      await until('it is shown', async () => (await shown(worker)).length)
      await page.goto('/notifications')
      await listening(page)
      await person.post('/notifications/read-all', {})
      await until('it has disappeared', async () => (await shown(worker)).length === 0)
    })

    test(titled('the switch turns pushes to this device on and off, with a trial'), async () => {
      const { page, person, worker } = await reader('chooser')
      assert.equal((await subscriptions(person)).length, 1)
      await button(page, t.pushTry).click()
      const titles = async () => (await shown(worker)).map(({ title }) => title)
      await until('the trial is shown', async () => (await titles()).includes(t.pushTrial))
      assert.deepEqual(await findings(page), [])
      await page.reload()
      await button(page, t.pushTry).waitFor()
      await pushSwitch(page).uncheck()
      await page.getByText(t.pushOff).waitFor()
      assert.deepEqual([await subscriptions(person), await button(page, t.pushTry).count()], [[], 0])
    })

    test(titled('a subscription that the push service gave up is renewed without a page'), async () => {
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
      await until('the new one alone is known', async () => (await endpoints()).join() === fresh.subscription.endpoint)
    })

    test(titled('a sign-out ends the pushes to this device'), async () => {
      const { page, person } = await reader('goer')
      await page.locator('.bar button[aria-haspopup=menu]').last().click()
      await page.getByRole('menuitem', { name: frame[language].signOut }).click()
      await page.waitForURL('**/sign-in')
      assert.deepEqual(await subscriptions(person), [])
    })

    test(titled('who signs in on the device of another ends what is pushed to them there'), async () => {
      const { page, context } = await reader('former')
      const { username } = await portal.person(`latter-${language}-${size}`)
      await context.request.post('/api/auth/login', { data: { username, password: PASSWORD }, headers: { origin: portal.base } })
      await page.goto('/account')
      await page.waitForFunction(() => !localStorage.getItem('subscribed'))
      await pushSwitch(page).and(page.locator(':not(:checked)')).waitFor()
    })

    test(titled('a device whose session was ended elsewhere shows nothing of its person any more'), async () => {
      const { person, device, worker, deliver } = await reader('loser', 'about:blank')
      await portal.admin.delete(`/users/${person.id}/sessions`)
      await notify(person)
      await settled()
      await deliver((await device.next()).data)
      await until('something is shown', async () => (await shown(worker)).length)
      const [only, ...others] = await shown(worker)
      assert.deepEqual([only?.title, others], [both[language].signedOut, []])
    })

    test(titled('who forbade notifications is told how to allow them'), async () => {
      const person = await portal.person(`strict-${language}-${size}`)
      const { context, page } = await visitAs(person.username, pair)
      const session = await context.newCDPSession(page)
      const { browserContextId } = (await session.send('Target.getTargetInfo')).targetInfo
      const permission = { name: 'notifications' }
      await session.send('Browser.setPermission', { permission, setting: 'denied', origin: portal.base, browserContextId })
      await page.goto('/account')
      await page.getByText(t.pushStates.denied).waitFor()
      assert.equal(await pushSwitch(page).isDisabled(), true)
    })
  }
})

journeys(() => {
  const { visitAs } = browser(plain)

  test('a portal without keys says that it cannot push, and offers nothing', async () => {
    const person = await plain.person('plain')
    const { context, page } = await visitAs(person.username, { language: 'en' })
    await context.grantPermissions(['notifications'])
    await page.goto('/account')
    await page.getByText(account.en.pushStates.unconfigured).waitFor()
    const { id } = (await plain.admin.post('/services', { nameAr: 'شاي', nameEn: 'Tea' })).body
    await page.goto(`/services?order=${id}`)
    const asked = page.waitForResponse('**/api/push/vapid-public-key')
    await page.getByRole('button', { name: services.en.send }).click()
    await asked
    await page.getByText(services.en.sent('Tea')).waitFor()
    assert.equal(await page.getByText(offers.en.offer).count(), 0)
  })
})
