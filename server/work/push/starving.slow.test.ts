/** One person’s subscriptions at hosts whose name servers do not answer do not delay pushes to other people. */
import assert from 'node:assert/strict'
import { promises as dns } from 'node:dns'
import { after, mock, test } from 'node:test'
import webpush from 'web-push'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { pushing, startPushService } from '../../../test/push-service.ts'

const service = await startPushService()
service.trust()
after(service.close)

/** The names that are being looked up, with the functions that end each lookup. */
const searched = new Map<string, (() => void)[]>()
for (const method of ['resolve4', 'resolve6'] as const)
  mock.method(dns.Resolver.prototype, method, (hostname: string) => {
    const { promise, reject } = Promise.withResolvers<never>()
    searched.set(hostname, [...(searched.get(hostname) ?? []), () => reject(new Error('no answer'))])
    return promise
  })
after(() => mock.restoreAll())
const vapid = webpush.generateVAPIDKeys()
const portal = testPortal({ VAPID_PUBLIC_KEY: vapid.publicKey, VAPID_PRIVATE_KEY: vapid.privateKey, PUSH_INTERNAL_HOSTS: 'localhost' })
const make = makers(portal)
const { subscribe, notify, jobs } = pushing(portal)

test('a push to one person arrives while twenty subscriptions of another person wait for name servers that do not answer', async () => {
  const [attacker, other] = [await make.newPerson(), await make.newPerson()]
  for (let n = 0; n < 20; n++) {
    const { keys } = service.newBrowser().subscription
    await subscribe(attacker, { subscription: { endpoint: `https://name.slow${n}.org/push`, keys } })
  }
  for (let n = 0; n < 3; n++) await notify(attacker)
  await until('names are looked up', () => searched.size === 4)
  const browser = service.newBrowser()
  await subscribe(other, browser)
  await notify(other)
  await browser.next()
  assert.ok(searched.size <= 4, `${searched.size} names are looked up at once for one person`)
  await until('the rest is put off', async () => {
    for (const giveUp of [...searched.values()].flat()) giveUp()
    return (await jobs()).filter(({ error }) => error).length === 60
  })
  assert.equal(browser.received.length, 1)
})
