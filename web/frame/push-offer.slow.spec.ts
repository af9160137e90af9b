/** Pushes to a device: the offer, turning them on and off, a trial, and the end of the session. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, until } from '../../test/portal.ts'
import { both as account } from '../people/account/texts.ts'
import { both as services } from '../people/services/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages, tooWide } from '../testing/browser.ts'
import { builtFrom } from '../testing/built.ts'
import { portalThatPushes, pushSwitch, reachable, readers, service, shown } from '../testing/push.ts'
import { both as offers } from './push-texts.ts'

const portal = portalThatPushes()
const plain = portalWithPages()

let coffeeId = 0
async function offerCoffee() {
  if (!coffeeId) coffeeId = (await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body.id
}

/** Waits until the page has loaded the offer. The resource timing entry exists even if the file came from the browser's cache. */
const offerLoaded = (page: Page) =>
  page.waitForFunction(
    ([file]) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(file!)),
    builtFrom('frame/push-offer.tsx'),
  )

journeys(() => {
  const { visitAs } = browser(portal, { notifies: true })
  beforeEach(offerCoffee)

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, offer] = [account[language], offers[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const subscriptions = ({ id }: { id: number }) => portal.sql(`select from push_subscriptions where user_id = ${id}`)
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const reader = readers(portal, visitAs, pair)

    test(titled('a person who has placed an order is offered pushes about it once'), async () => {
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

    test(titled('a person who has turned off notifications of orders gets no offer'), async () => {
      const person = await portal.person(`content-${language}-${size}`)
      await person.patch('/auth/me/notification-preferences', { notifyOrdersEnabled: false })
      const { context, page } = await visitAs(person.username, pair)
      await reachable(context, service.newBrowser())
      await page.goto(`/services?order=${coffeeId}`)
      await button(page, services[language].send).click()
      await offerLoaded(page)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await page.getByText(offer.offer).count(), 0)
    })

    test(titled('the switch turns pushes to this device on and off, and a trial push arrives'), async () => {
      const { page, person, worker } = await reader('chooser')
      assert.equal((await subscriptions(person)).length, 1)
      await button(page, t.pushTry).click()
      const titles = async () => (await shown(worker)).map(({ title }) => title)
      await until('the trial push is shown', async () => (await titles()).includes(t.pushTrial))
      assert.deepEqual(await findings(page), [])
      await page.reload()
      await button(page, t.pushTry).waitFor()
      await pushSwitch(page, pair).uncheck()
      await page.getByText(t.pushOff).waitFor()
      assert.deepEqual([await subscriptions(person), await button(page, t.pushTry).count()], [[], 0])
    })

    test(titled('pushes that are turned off while their subscription is being renewed stay off'), async () => {
      const { page, person } = await reader('decided')
      const { promise: held, resolve: answer } = Promise.withResolvers<void>()
      await page.route('**/api/push/vapid-public-key', (route) => held.then(() => route.continue()))
      const [requested, renewed] = [page.waitForRequest('**/api/push/vapid-public-key'), page.waitForResponse('**/api/push/subscribe')]
      await page.reload()
      await requested
      await pushSwitch(page, pair).and(page.locator(':checked')).click()
      answer()
      await renewed
      await page.getByText(t.pushOff).waitFor()
      assert.deepEqual(await subscriptions(person), [])
    })

    test(titled('when the next person signs in on a device, the pushes of the former person end'), async () => {
      const { page, context } = await reader('former')
      const latter = await portal.person(`latter-${language}-${size}`)
      await latter.patch('/auth/me/language', { language })
      const { username } = latter
      await context.request.post('/api/auth/login', { data: { username, password: PASSWORD }, headers: { origin: portal.base } })
      // The page of the previous person reloads by itself.
      await page.getByRole('heading', { level: 1, name: username }).waitFor()
      await page.goto('/account')
      await page.waitForFunction(() => !localStorage.getItem('subscribed'))
      await pushSwitch(page, pair).and(page.locator(':not(:checked)')).waitFor()
    })

    test(titled('a person who blocked notifications is shown how to allow them'), async () => {
      const person = await portal.person(`strict-${language}-${size}`)
      const { context, page } = await visitAs(person.username, pair)
      const session = await context.newCDPSession(page)
      const { browserContextId } = (await session.send('Target.getTargetInfo')).targetInfo
      const permission = { name: 'notifications' }
      await session.send('Browser.setPermission', { permission, setting: 'denied', origin: portal.base, browserContextId })
      await page.goto('/account')
      await page.getByText(t.pushStates.denied).waitFor()
      assert.equal(await pushSwitch(page, pair).isDisabled(), true)
    })
  }
})

journeys(() => {
  const { visitAs } = browser(plain, { notifies: true })

  test('a portal without keys says that it cannot push, and offers no pushes', async () => {
    const person = await plain.person('plain')
    const { context, page } = await visitAs(person.username, { language: 'en' })
    await context.grantPermissions(['notifications'])
    // The page must not even request the key: the browser would log the portal's refusal to the console.
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto('/account')
    await page.getByText(account.en.pushStates.unconfigured).waitFor()
    const { id } = (await plain.admin.post('/services', { nameAr: 'شاي', nameEn: 'Tea' })).body
    await page.goto(`/services?order=${id}`)
    await page.getByRole('button', { name: services.en.send }).click()
    await offerLoaded(page)
    await page.waitForLoadState('networkidle')
    await page.getByText(services.en.sent('Tea')).waitFor()
    assert.deepEqual(messages, [])
    assert.equal(await page.getByText(offers.en.offer).count(), 0)
  })
})
