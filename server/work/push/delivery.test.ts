/** Pushes as they reach a browser, decrypted as a browser does, through a push service that checks the signature. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUSH_HOST, pushPortal } from '../../../test/push-service.ts'

const { service, vapid, portal, make, newReader, subscribe, notify, settled, failed, retryNow } = await pushPortal({
  PUBLIC_URL: 'https://portal.example.org/app',
  VAPID_SUBJECT: 'mailto:push@example.org',
  PUSH_INTERNAL_HOSTS: PUSH_HOST,
})
const prefer = (person: { patch: (path: string, body: unknown) => Promise<unknown> }, preferences: object) =>
  person.patch('/auth/me/notification-preferences', preferences)

test('a notification reaches each browser of its recipient, encrypted for it and signed by the portal', async () => {
  const browsers = [service.newBrowser(), service.newBrowser()]
  const bystander = await newReader()
  for (const browser of browsers) await subscribe(portal.admin, browser)
  const forgetful = await portal.person('forgetful', { displayNameAr: 'ناسٍ', displayNameEn: 'Forgetful' })
  const before = Date.now() / 1000
  await portal.stranger().post('/auth/forgot-password', { identifier: 'forgetful' })
  for (const browser of browsers) {
    const { data, ttl, topic, vapid: signed } = await browser.next()
    const [{ id: notificationId }] = (await portal.sql<{ id: number }>('select id from notifications')) as [{ id: number }]
    const url = `https://portal.example.org/app/admin/users/${forgetful.id}`
    assert.deepEqual(data, {
      notificationId,
      type: 'system',
      titleAr: 'طلب استعادة كلمة المرور',
      titleEn: 'Password reset requested',
      bodyAr: 'ورد طلب لاستعادة كلمة المرور لحساب ناسٍ.',
      bodyEn: 'Someone asked to reset the password of Forgetful.',
      relatedType: 'user',
      relatedId: forgetful.id,
      sound: 'ding',
      vibrate: true,
      lang: 'ar',
      url,
      web_push: 8030,
      mutable: true,
      notification: {
        title: 'طلب استعادة كلمة المرور',
        body: 'ورد طلب لاستعادة كلمة المرور لحساب ناسٍ.',
        lang: 'ar',
        dir: 'rtl',
        navigate: url,
      },
    })
    assert.ok(ttl > 86_300 && ttl <= 86_400)
    assert.equal(topic, `notification-${notificationId}`)
    assert.deepEqual([signed.aud, signed.sub, signed.publicKey], [service.origin, 'mailto:push@example.org', vapid.publicKey])
    assert.ok(signed.exp > before)
  }
  await settled()
  assert.deepEqual([browsers[0]!.received.length, browsers[1]!.received.length, bystander.browser.received.length], [1, 1, 0])
  assert.deepEqual(service.complaints, [])
})

const kinds = ['meeting', 'note', 'order', 'system']
const wishes: [preferences: object, arrives: string[]][] = [
  [{}, kinds],
  [{ notifyOrdersEnabled: false }, ['meeting', 'note', 'system']],
  [{ notifyMeetingsEnabled: false }, ['note', 'order', 'system']],
  [{ notifyNotesEnabled: false }, ['meeting', 'order', 'system']],
  [{ notifyOrdersEnabled: false, notifyMeetingsEnabled: false, notifyNotesEnabled: false }, ['system']],
  [{ notificationsMuted: true }, []],
]
for (const [preferences, arrives] of wishes)
  test(`with the preferences ${JSON.stringify(preferences)}, pushes of these types arrive: ${arrives.join(', ') || 'none'}`, async () => {
    const { person, browser } = await newReader()
    await prefer(person, preferences)
    for (const type of kinds) await notify(person, { type })
    await settled()
    assert.deepEqual(browser.received.map(({ data }) => data.type).toSorted(), arrives)
  })

const manners: [type: string, preferences: object, sound: string, vibrate: boolean][] = [
  ['order', {}, 'ding', true],
  ['meeting', {}, 'chime', true],
  ['note', {}, 'pop', true],
  ['order', { notificationSoundOrder: 'bell', vibrationEnabledOrder: false }, 'bell', false],
  ['meeting', { notificationSoundMeeting: 'knock', vibrationEnabledMeeting: false }, 'knock', false],
  ['note', { notificationSoundNote: 'soft', vibrationEnabledNote: false }, 'soft', false],
  ['system', { notificationSoundOrder: 'bell', vibrationEnabledOrder: false }, 'ding', true],
]
for (const [type, preferences, sound, vibrate] of manners)
  test(`a push of type ${type} with ${JSON.stringify(preferences)} plays ${sound} and ${vibrate ? 'vibrates' : 'does not vibrate'}`, async () => {
    const { person, browser } = await newReader({ preferredLanguage: 'en' })
    await prefer(person, preferences)
    await notify(person, { type })
    const { data } = await browser.next()
    assert.deepEqual([data.sound, data.vibrate, data.lang], [sound, vibrate, 'en'])
  })

test('a notification whose texts are too long arrives shortened', async () => {
  const { person, browser } = await newReader()
  await notify(person, { title_en: 'Long', body_ar: 'كلمة '.repeat(900), body_en: '“”'.repeat(1500) })
  const { data, bytes } = await browser.next()
  assert.ok(bytes <= 3072 && bytes > 3000)
  assert.equal(data.titleEn, 'Long')
  assert.match(data.bodyAr, /^(كلمة ?)+(ك|كل|كلم)?…$/)
  assert.match(data.bodyEn, /^[“”]+…$/)
})

test('nothing is pushed to a deactivated person', async () => {
  const { person, browser } = await newReader()
  await portal.admin.patch(`/users/${person.id}`, { isActive: false })
  await notify(person)
  await settled()
  assert.equal(browser.timesAsked(), 0)
})

test('neither a notification that is a day old nor a deleted one is pushed', async () => {
  const { person, browser } = await newReader()
  await notify(person, { created_at: new Date(Date.now() - 24 * 3600_000).toISOString() })
  await portal.sql('insert into pushes select 2147483647, id from push_subscriptions')
  await settled()
  assert.equal(browser.timesAsked(), 0)
})

test('the push service stores a late push only for the rest of the 24 hours', async () => {
  const { person, browser } = await newReader()
  await notify(person, { created_at: new Date(Date.now() - 23 * 3600_000).toISOString() })
  const { ttl } = await browser.next()
  assert.ok(ttl > 3500 && ttl <= 3600)
})

test('a browser in which somebody else subscribes gets no more pushes for its former owner', async () => {
  const { person: huda, browser } = await newReader()
  service.answerWith(503)
  await notify(huda, { title_en: 'For Huda' })
  await failed()
  const salem = await make.newPerson()
  await subscribe(salem, browser)
  service.answerWith(201)
  await retryNow()
  await notify(huda, { title_en: 'For Huda' })
  await notify(salem, { title_en: 'For Salem' })
  await settled()
  assert.deepEqual(
    browser.received.map(({ data }) => data.titleEn),
    ['For Salem'],
  )
})

test('a push goes only to its recipient’s own subscriptions, even if its job names a subscription of somebody else', async () => {
  const [huda, salem] = [await newReader(), await newReader()]
  const id = await notify(huda.person)
  await portal.sql(`insert into pushes select ${id}, id from push_subscriptions where user_id = ${salem.person.id}`)
  await huda.browser.next()
  await settled()
  assert.equal(salem.browser.timesAsked(), 0)
})
