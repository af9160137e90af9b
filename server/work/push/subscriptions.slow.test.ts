import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import webpush from 'web-push'
import { makers, silence } from '../../../test/makers.ts'
import { openInstance, testPortal, until } from '../../../test/portal.ts'
import type { Subscription } from '../../../test/push-service.ts'

const portal = testPortal({ PUSH_INTERNAL_HOSTS: 'push.intranet' })
const make = makers(portal)

const newKeys = () => {
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  return { p256dh, auth: randomBytes(16).toString('base64url') }
}
let made = 0
const newSubscription = (): Subscription => ({ endpoint: `https://push.example.org/send/${++made}`, keys: newKeys() })

const stored = ({ id }: { id: number }) =>
  portal.sql<{ endpoint: string; p256dh: string; auth: string }>(
    'select endpoint, p256dh, auth from push_subscriptions where user_id = $1 order by id',
    [id],
  )
const asKept = ({ endpoint, keys }: Subscription) => ({ endpoint, ...keys })
const changesOf = async ({ id }: { id: number }) =>
  (
    await portal.sql<{ kind: string; facts: { reason?: string }; actor: number }>(
      `select kind, facts, actor_id as actor from ledger where target_type = 'user' and target_id = $1 and kind like 'push.%' order by id`,
      [id],
    )
  ).map(({ kind, facts, actor }) => [kind, facts.reason, actor])
const done = { status: 200, body: { success: true } }
const brief = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

test('without VAPID keys, a request for the public key gets 503, and subscriptions are still accepted', async () => {
  const person = await make.newPerson()
  const { status, body } = await person.get('/push/vapid-public-key')
  assert.deepEqual([status, body.code], [503, 'push_not_configured'])
  assert.deepEqual(brief(await person.post('/push/subscribe', newSubscription())), done)
})

test('with VAPID keys the public key is served', async () => {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys()
  const other = await openInstance(portal.connection, { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey })
  const person = await make.newPerson()
  const response = await fetch(`${other.base}/api/push/vapid-public-key`, { headers: { cookie: person.cookie } })
  assert.deepEqual([response.status, await response.json()], [200, { publicKey }])
  await other.close()
})

test('a subscription is recorded without endpoint and key, and nobody gets an event', async () => {
  const person = await make.newPerson()
  const subscription = newSubscription()
  const traces = await portal.traces(async () => assert.deepEqual(brief(await person.post('/push/subscribe', subscription)), done))
  assert.deepEqual(traces, silence)
  assert.deepEqual(await stored(person), [asKept(subscription)])
  assert.deepEqual(await changesOf(person), [['push.subscribed', undefined, person.id]])
})

test('subscribing again changes nothing but the keys, if they are new', async () => {
  const person = await make.newPerson()
  const subscription = newSubscription()
  const renewed = { ...subscription, keys: newKeys() }
  const { endpoint } = subscription
  for (const one of [
    subscription,
    subscription,
    { ...subscription, endpoint: endpoint.replace('push.', 'PUSH.').replace('/send', ':443/send') },
  ])
    await person.post('/push/subscribe', one)
  assert.equal((await changesOf(person)).length, 1)
  assert.deepEqual(brief(await person.post('/push/subscribe', renewed)), done)
  assert.deepEqual(await stored(person), [asKept(renewed)])
  assert.equal((await changesOf(person)).length, 2)
})

test('an endpoint belongs to the person who subscribed it last, and the change is recorded for both people', async () => {
  const [huda, salem] = [await make.newPerson(), await make.newPerson()]
  const subscription = newSubscription()
  await huda.post('/push/subscribe', subscription)
  assert.deepEqual(brief(await salem.post('/push/subscribe', subscription)), done)
  assert.deepEqual([await stored(huda), await stored(salem)], [[], [asKept(subscription)]])
  assert.deepEqual((await changesOf(huda)).at(-1), ['push.unsubscribed', 'moved', salem.id])
  assert.deepEqual(await changesOf(salem), [['push.subscribed', undefined, salem.id]])
})

const ways: [name: string, unsubscribe: (person: Awaited<ReturnType<typeof make.newPerson>>, endpoint: string) => Promise<unknown>][] = [
  [
    'DELETE /push/subscribe',
    async (person, endpoint) => brief(await person.delete(`/push/subscribe?endpoint=${encodeURIComponent(endpoint)}`)),
  ],
  ['POST /push/unsubscribe', async (person, endpoint) => brief(await person.post('/push/unsubscribe', { endpoint }))],
]
for (const [name, unsubscribe] of ways) {
  test(`${name} removes the caller’s own subscription, and a repeat succeeds but changes nothing`, async () => {
    const person = await make.newPerson()
    const [one, other] = [newSubscription(), newSubscription()]
    for (const subscription of [one, other]) await person.post('/push/subscribe', subscription)
    for (let round = 0; round < 2; round++) assert.deepEqual(await unsubscribe(person, one.endpoint), done)
    assert.deepEqual(await stored(person), [asKept(other)])
    assert.deepEqual((await changesOf(person)).slice(2), [['push.unsubscribed', 'asked', person.id]])
  })

  test(`${name} of an unknown subscription, or somebody else’s, succeeds and changes nothing`, async () => {
    const [huda, salem] = [await make.newPerson(), await make.newPerson()]
    const subscription = newSubscription()
    await huda.post('/push/subscribe', subscription)
    for (const endpoint of [subscription.endpoint, 'https://push.example.org/nowhere', 'no URL', 'http://push.example.org'])
      assert.deepEqual(await unsubscribe(salem, endpoint), done, endpoint)
    assert.deepEqual(await stored(huda), [asKept(subscription)])
    assert.deepEqual([(await changesOf(huda)).length, await changesOf(salem)], [1, []])
  })
}

test('an unsubscription must name an endpoint', async () => {
  const person = await make.newPerson()
  for (const answer of [await person.delete('/push/subscribe'), await person.post('/push/unsubscribe', {})])
    assert.deepEqual([answer.status, answer.body.details[0].path], [400, 'endpoint'])
})

test('one refusal names every error of a subscription', async () => {
  const wrong = { endpoint: 'https://10.0.0.1/1', keys: { p256dh: 'AAAA', auth: 'AAAA' } }
  const { body } = await (await make.newPerson()).post('/push/subscribe', wrong)
  assert.deepEqual(
    body.details.map(({ path }: { path: string }) => path),
    ['endpoint', 'keys.p256dh', 'keys.auth'],
  )
})

const hosts = `localhost LOCALHOST. my.localhost printer.local db.internal intranet 127.0.0.1 127.1 0x7f.1 2130706433 017700000001
  10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 192.0.2.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255
  [::1] [::] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [64:ff9b::10.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b:1::1] [fe80::1] [fc00::1]
  [fd12::1] [ff02::1] [2001:db8::1] [2002:7f00:1::] [2001::1] ①②⑦.0.0.1`.split(/\s+/)
const badEndpoints = [
  ...hosts.map((host) => `https://${host}/send/1`),
  ...[
    'http://push.example.org/1',
    'ftp://push.example.org',
    'push.example.org',
    'https://',
    '//push.example.org',
    'https://push.example.org:99999/',
    'https://push.example.org:8443/1',
    'https://push.example.org:22/1',
    'https://8.8.8.8/1',
    'https://[2606:4700::1]/1',
    'https://[::ffff:8.8.8.8]/1',
    'https://push.example/1',
    'https://push.corp/1',
    'https://co.uk/1',
  ],
  ...['https://me@push.example.org/1', 'https://me:secret@push.example.org/1', 'javascript:alert(1)', 'data:text/plain,x'],
  ...[`https://push.example.org/${'x'.repeat(1976)}`, `https://push.example.org/${'ي'.repeat(500)}`, ''],
]
test('endpoints that no push service can have are refused', async () => {
  const person = await make.newPerson()
  for (const endpoint of badEndpoints) {
    const { status, body } = await person.post('/push/subscribe', { endpoint, keys: newKeys() })
    assert.deepEqual(
      [status, body.code, body.details?.map(({ path }: { path: string }) => path)],
      [400, 'validation_failed', ['endpoint']],
      endpoint,
    )
  }
  assert.deepEqual([await stored(person), await changesOf(person)], [[], []])
})

const goodEndpoints = [
  ...['https://push.example.org:443/1', 'https://push.intranet:8443/1', 'https://إشعارات.example.org/1'],
  `https://push.example.org/${'x'.repeat(1975)}`,
]
test('endpoints on public hosts, and on those the operator allows, are accepted', async () => {
  const person = await make.newPerson()
  for (const endpoint of goodEndpoints)
    assert.deepEqual(brief(await person.post('/push/subscribe', { endpoint, keys: newKeys() })), done, endpoint)
  assert.deepEqual(
    (await stored(person)).map(({ endpoint }) => endpoint),
    goodEndpoints.map((endpoint) => new URL(endpoint).href),
  )
})

const point = createECDH('prime256v1').generateKeys()
function bend(at: number, byte: number) {
  const bent = Buffer.from(point)
  bent[at] = byte
  return bent
}
const badKeys: [path: string, keys: object][] = [
  ...[
    bend(64, point[64]! ^ 1),
    bend(0, 6 + (point[64]! & 1)),
    bend(0, 0),
    point.subarray(0, 64),
    Buffer.concat([point, Buffer.alloc(1)]),
    Buffer.from(createECDH('prime256v1').generateKeys('hex', 'compressed'), 'hex'),
    Buffer.concat([Buffer.from([4]), Buffer.alloc(64)]),
  ].map((bytes): [string, object] => ['keys.p256dh', { p256dh: bytes.toString('base64url') }]),
  ...['', 'x'.repeat(201), `${point.toString('base64url')}!`, `!${point.toString('base64url')}`, 7, null].map(
    (p256dh): [string, object] => ['keys.p256dh', { p256dh }],
  ),
  ...[randomBytes(15), randomBytes(17)].map((bytes): [string, object] => ['keys.auth', { auth: bytes.toString('base64url') }]),
  ...['', '****', 7, null].map((auth): [string, object] => ['keys.auth', { auth }]),
]
test('keys that encryption cannot use are refused, each by name', async () => {
  const person = await make.newPerson()
  for (const [path, keys] of badKeys) {
    const { status, body } = await person.post('/push/subscribe', { ...newSubscription(), keys: { ...newKeys(), ...keys } })
    assert.deepEqual([status, body.details?.map((detail: { path: string }) => detail.path)], [400, [path]], JSON.stringify(keys))
  }
  assert.deepEqual(await stored(person), [])
})

test('keys are accepted in either base64 alphabet, with or without padding, and stored in one form', async () => {
  const person = await make.newPerson()
  const auth = Buffer.from('fbff'.repeat(8), 'hex')
  const subscription = newSubscription()
  const keys = { p256dh: point.toString('base64'), auth: auth.toString('base64') }
  assert.match(keys.auth, /[+/].*==$/)
  assert.deepEqual(brief(await person.post('/push/subscribe', { ...subscription, keys })), done)
  assert.deepEqual(await stored(person), [
    { endpoint: subscription.endpoint, p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
  ])
})

test('a person keeps the newest 20 subscriptions', async () => {
  const person = await make.newPerson()
  const subscriptions = Array.from({ length: 21 }, newSubscription)
  for (const subscription of subscriptions) await person.post('/push/subscribe', subscription)
  assert.deepEqual(await stored(person), subscriptions.slice(1).map(asKept))
  assert.deepEqual((await changesOf(person)).slice(-2), [
    ['push.subscribed', undefined, person.id],
    ['push.unsubscribed', 'too_many', person.id],
  ])
})

test('a subscription that a person takes over from somebody else counts as their newest', async () => {
  const [huda, salem] = [await make.newPerson(), await make.newPerson()]
  const taken = newSubscription()
  await huda.post('/push/subscribe', taken)
  const own = Array.from({ length: 20 }, newSubscription)
  for (const subscription of [...own, taken]) await salem.post('/push/subscribe', subscription)
  assert.deepEqual(await stored(salem), [...own.slice(1), taken].map(asKept))
})

test('simultaneous subscriptions of one endpoint all succeed, and it has one owner', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => make.newPerson()))
  for (let round = 0; round < 20; round++) {
    const subscription = newSubscription()
    const answers = await Promise.all(people.map((person) => person.post('/push/subscribe', subscription)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      people.map(() => 200),
    )
    assert.equal((await portal.sql('select from push_subscriptions where endpoint = $1', [subscription.endpoint])).length, 1)
  }
})

test('simultaneous subscriptions cannot exceed 20', async () => {
  const person = await make.newPerson()
  const subscriptions = Array.from({ length: 40 }, newSubscription)
  const answers = await Promise.all(subscriptions.map((one) => person.post('/push/subscribe', one)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await stored(person)).length, 20)
})

/** Deletes a person in an open transaction; the returned function commits it. */
async function beginDeletion({ id }: { id: number }) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin;
    insert into ledger (kind, target_type, target_id, facts) values ('user.deleted', 'user', ${id}, '{}');
    insert into permission_history (kind, target_id, added, removed)
      values ('user.roles', ${id}, '{}', '{}'), ('user.groups', ${id}, '{}', '{}'), ('group.users', 1, '{}', '{}');
    delete from users where id = ${id}`)
  return () => client.query('commit').finally(() => client.end())
}

test('a person deleted while subscribing gets 401, and no subscription remains', async () => {
  const person = await make.newPerson()
  const commit = await beginDeletion(person)
  const answer = person.post('/push/subscribe', newSubscription())
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('the subscription waits', async () => (await portal.sql(waiting)).length)
  await commit()
  const { status, body } = await answer
  assert.deepEqual([status, body.code], [401, 'unauthorized'])
  assert.deepEqual([await stored(person), await changesOf(person)], [[], []])
})

test('deleting a person deletes their subscriptions', async () => {
  const person = await make.newPerson()
  await person.post('/push/subscribe', newSubscription())
  assert.equal((await portal.admin.delete(`/users/${person.id}`)).status, 204)
  assert.deepEqual(await stored(person), [])
})
