import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { addRole, addWebhook, deliveriesOf, dueNow, fileReceiver, isSignedBy, WEBHOOK_ENV } from '../../../test/receiver.ts'
import { tokenOf } from '../../../test/tokens.ts'

const portal = testPortal(WEBHOOK_ENV)
const receiver = await fileReceiver()
const at = (path: string) => `${receiver.url}${path}`
const NEW = { name: 'Stock', url: 'https://stock.example.org/hook?key=hidden', types: ['user.*', 'order.placed'] }

test('a webhook gets a signed message about a change, and the message is listed as delivered', async () => {
  const hook = await addWebhook(portal, 'First', at('/first'))
  const roleId = await addRole(portal, 'told_role')
  const got = await receiver.next('the message', ({ path }) => path === '/first')
  const { sequence } = got.body.data
  assert.equal(got.id, `msg_${hook.id}_${sequence}`)
  assert.equal(got.headers['content-type'], 'application/json')
  assert.match(got.headers['user-agent']!, /^Bawaba\/\d+\.\d+\.\d+$/)
  assert.ok(isSignedBy(hook.secret, got))
  assert.deepEqual(got.body, {
    type: 'role.created',
    timestamp: got.body.timestamp,
    data: { roleId, sequence, targetType: 'role', targetId: roleId, actor: { id: portal.admin.id, username: 'admin' } },
  })
  const [row] = await portal.sql<{ at: Date; id: string }>('select at, id from ledger where id = $1', [sequence])
  assert.equal(got.body.timestamp, row!.at.toISOString())
  const [delivery] = await until('it is noted', async () => {
    const some = await deliveriesOf(portal, hook.id)
    return some[0]?.state === 'delivered' ? some : undefined
  })
  const { lastMs, deliveredAt, eventAt, ...rest } = delivery
  const known = { sequence, part: 1, messageId: got.id, type: 'role.created', state: 'delivered', tries: 1, lastStatus: 204 }
  assert.deepEqual(rest, { ...known, lastError: null, nextAt: null })
  assert.ok(lastMs >= 0 && deliveredAt && eventAt === got.body.timestamp)
  const { body } = await portal.admin.get(`/webhooks/${hook.id}/deliveries/${sequence}`)
  assert.equal(body.body, got.text)
  assert.equal(JSON.stringify(body).includes('v1,'), false)
})

test('the secret is shown once, appears neither in later answers nor in the log, and cannot be read in the database', async () => {
  const { audit, events } = await portal.traces(async () => {
    const { status, body, headers } = await portal.admin.post('/webhooks', NEW)
    assert.equal(status, 201)
    const { secret, ...webhook } = body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { id, createdAt, ...rest } = webhook
    const quiet = { pausedBecause: null, failingSince: null, restsUntil: null, behind: 0, skipped: false, formerSecretUntil: null }
    const createdBy = { id: portal.admin.id, username: 'admin' }
    assert.deepEqual(rest, { ...NEW, ...quiet, isActive: true, state: 'working', createdBy })
    const shown = await portal.admin.get(`/webhooks/${id}`)
    assert.deepEqual(shown.body, webhook)
    assert.equal(shown.headers.get('etag'), headers.get('etag'))
    assert.ok((await portal.admin.get('/webhooks')).body.some((one: { id: number }) => one.id === id))
    const [row] = await portal.sql<{ text: string }>('select webhooks::text as text from webhooks where id = $1', [id])
    assert.equal(row!.text.includes(secret.slice(6, 30)), false)
    assert.equal((await portal.admin.delete(`/webhooks/${id}`)).status, 204)
    assert.equal((await portal.admin.get(`/webhooks/${id}`)).body.code, 'not_found')
  })
  const metadata = { name: 'Stock', url: 'https://stock.example.org', types: NEW.types }
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [
      ['webhook.create', metadata],
      ['webhook.delete', metadata],
    ],
  )
  // Events about messages of other webhooks may come in between.
  const told = events.filter(({ event }) => event === 'webhooks_changed').map(({ to }) => to)
  assert.ok(told.length >= 2)
  for (const to of told) assert.deepEqual(to, [portal.admin.id])
})

for (const [what, change, path] of [
  ['http', { url: 'http://stock.example.org/hook' }, 'url'],
  ['an account', { url: 'https://me:pw@stock.example.org/' }, 'url'],
  ['a fragment', { url: 'https://stock.example.org/#x' }, 'url'],
  ['a private address', { url: 'https://10.0.0.7/hook' }, 'url'],
  ['another spelling of a private address', { url: 'https://0xa.1/hook' }, 'url'],
  ['loopback in IPv6', { url: 'https://[::1]/hook' }, 'url'],
  ['a name of the inside', { url: 'https://stock.internal/hook' }, 'url'],
  ['another scheme', { url: 'ftp://stock.example.org/' }, 'url'],
  ['no address', { url: 'stock' }, 'url'],
  ['port 0', { url: 'https://stock.example.org:0/' }, 'url'],
  ['no type', { types: [] }, 'types'],
  ['an unknown type', { types: ['note.created'] }, 'types.0'],
  ['a type twice', { types: ['user.*', 'user.*'] }, 'types'],
  ['no name', { name: ' ' }, 'name'],
  ['a long name', { name: 'x'.repeat(61) }, 'name'],
] as const)
  test(`a webhook with ${what} is refused, when it is made and when it is changed`, async () => {
    const made = await portal.admin.post('/webhooks', { ...NEW, ...change })
    assert.deepEqual([made.status, made.body.details?.[0].path], [400, path], made.text)
    const { id } = await addWebhook(portal, 'Kept', NEW.url)
    const edited = await portal.admin.patch(`/webhooks/${id}`, change)
    assert.deepEqual([edited.status, edited.body.details?.[0].path], [400, path], edited.text)
    await portal.admin.delete(`/webhooks/${id}`)
  })

test('an address is shown as it is called', async () => {
  for (const [url, shown] of [
    ['https://stock.example.org', 'https://stock.example.org'],
    ['https://stock.example.org\\@10.0.0.7/', 'https://stock.example.org/@10.0.0.7/'],
    ['HTTPS://STOCK.example.org:443/Hook', 'https://stock.example.org/Hook'],
  ] as const) {
    const { id } = await addWebhook(portal, 'Shown', url)
    assert.equal((await portal.admin.get(`/webhooks/${id}`)).body.url, shown)
    await portal.admin.delete(`/webhooks/${id}`)
  }
})

test('the log records a change with only the origins of addresses, and a change with an old ETag is refused', async () => {
  const { id } = await addWebhook(portal, 'Before', NEW.url)
  const { audit } = await portal.traces(async () => {
    const { body } = await portal.admin.patch(`/webhooks/${id}`, { name: 'After', url: 'https://b.example.org/x?key=1' })
    assert.deepEqual([body.name, body.url], ['After', 'https://b.example.org/x?key=1'])
    await portal.admin.patch(`/webhooks/${id}`, { name: 'After' })
  })
  const changed = {
    name: { from: 'Before', to: 'After' },
    url: { from: 'https://stock.example.org', to: 'https://b.example.org' },
  }
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [['webhook.update', { name: 'Before', changed }]],
  )
  const stale = await portal.admin.send('PATCH', `/webhooks/${id}`, { name: 'Later' }, { 'if-match': '"old"' })
  assert.equal(stale.body.code, 'changed_meanwhile')
})

test('a failed message is tried again, and a paused webhook sends its waiting messages once it is switched on', async () => {
  receiver.answers = ({ path }, reply) => reply.writeHead(path === '/failing' ? 500 : 204).end()
  const hook = await addWebhook(portal, 'Failing', at('/failing'))
  await addRole(portal, 'failing_role')
  const tried = await until('a try has failed', async () => (await deliveriesOf(portal, hook.id)).find(({ tries }) => tries === 1))
  assert.deepEqual([tried.state, tried.lastStatus, tried.lastError], ['waiting', 500, 'status'])
  assert.ok(tried.nextAt)
  const failing = (await portal.admin.get(`/webhooks/${hook.id}`)).body
  assert.deepEqual([failing.state, failing.behind], ['failing', 1])
  assert.ok(failing.failingSince)

  const { audit } = await portal.traces(() => portal.admin.patch(`/webhooks/${hook.id}`, { isActive: false }))
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [['webhook.pause', { name: 'Failing', because: 'administrator' }]],
  )
  const refused = await portal.admin.post(`/webhooks/${hook.id}/test`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition'])
  await addRole(portal, 'missed_role')
  const paused = (await portal.admin.get(`/webhooks/${hook.id}`)).body
  assert.deepEqual([paused.state, paused.pausedBecause, paused.behind], ['paused', 'administrator', 2])

  receiver.answers = (_got, reply) => reply.writeHead(200).end()
  const resumed = (await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: true })).body
  assert.deepEqual([resumed.state, resumed.skipped], ['working', false])
  await dueNow(portal, hook.id)
  const all = await until('both are delivered', async () => {
    const some = await deliveriesOf(portal, hook.id)
    return some.length === 2 && some.every(({ state }) => state === 'delivered') ? some : undefined
  })
  assert.deepEqual(
    all.map(({ tries }) => tries),
    [2, 1],
  )
})

test('a webhook that is switched on from now gets no message that it missed', async () => {
  const hook = await addWebhook(portal, 'From now', at('/now'))
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: false })
  await addRole(portal, 'left_out')
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: true, resume: 'now' })
  const roleId = await addRole(portal, 'sent_again')
  const got = await receiver.next('the later one', ({ path }) => path === '/now')
  assert.equal(got.body.data.roleId, roleId)
})

test('an answer of 410 pauses a webhook at once, and administrators are notified', async () => {
  receiver.answers = (_got, reply) => reply.writeHead(410).end()
  const hook = await addWebhook(portal, 'Gone', at('/gone'))
  await portal.admin.post(`/webhooks/${hook.id}/test`)
  const paused = await until('it is paused', async () => {
    const { body } = await portal.admin.get(`/webhooks/${hook.id}`)
    return body.state === 'paused' && body
  })
  assert.equal(paused.pausedBecause, 'gone')
  const { body } = await portal.admin.get('/notifications')
  assert.ok(body.some(({ titleEn }: { titleEn: string }) => titleEn === 'A receiver stopped its webhook'))
  receiver.answers = (_got, reply) => reply.writeHead(204).end()
})

test('messages are replayed under their ids, by number or by time, and unknown numbers are ignored', async () => {
  const hook = await addWebhook(portal, 'Replayed', at('/replay'))
  await addRole(portal, 'replayed_role')
  const first = await receiver.next('the message', ({ path }) => path === '/replay')
  await until('it is noted', async () => (await deliveriesOf(portal, hook.id))[0]?.state === 'delivered')
  const { sequence } = first.body.data
  const { audit } = await portal.traces(async () => {
    const { status, body } = await portal.admin.post(`/webhooks/${hook.id}/replay`, { sequences: [sequence, sequence + 1_000_000] })
    assert.deepEqual([status, body], [202, { count: 1 }])
  })
  assert.deepEqual(audit[0]!.metadata, { name: 'Replayed', count: 1 })
  const again = await until('it comes again', () => receiver.at('/replay')[1])
  assert.deepEqual([again.id, again.text], [first.id, first.text])
  await until('it is noted', async () => (await deliveriesOf(portal, hook.id))[0]?.state === 'delivered')
  const day = 24 * 3600 * 1000
  const span = { from: new Date(Date.now() - day).toISOString(), to: new Date(Date.now() + 1000).toISOString() }
  assert.deepEqual((await portal.admin.post(`/webhooks/${hook.id}/replay`, span)).body, { count: 1 })
  assert.deepEqual((await portal.admin.post(`/webhooks/${hook.id}/replay`, { sequences: [1] })).body, { count: 0 })
  for (const [body, path] of [
    [{}, 'sequences'],
    [{ sequences: [1], ...span }, 'sequences'],
    [{ from: span.from }, 'to'],
    [{ to: span.to }, 'from'],
    [{ from: span.to, to: span.from }, 'from'],
    [{ from: new Date(Date.now() - 40 * day).toISOString(), to: span.to }, 'to'],
    [{ sequences: Array.from({ length: 1001 }, (_, n) => n + 1) }, 'sequences'],
  ] as const) {
    const { status, body: answer } = await portal.admin.post(`/webhooks/${hook.id}/replay`, body)
    assert.deepEqual([status, answer.details?.[0].path], [400, path], JSON.stringify(body).slice(0, 80))
  }
  await portal.sql(
    `insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at, state, next_at, settled_at)
     select $1, 10000000 + n, 1, 'role.created', '{}', now(), 'dead', null, now() from generate_series(1, 1000) as n`,
    [hook.id],
  )
  const many = await portal.admin.post(`/webhooks/${hook.id}/replay`, { ...span, to: new Date(Date.now() + 60_000).toISOString() })
  assert.deepEqual([many.status, many.body.code, many.body.quota, many.body.used], [409, 'quota_exceeded', 'webhook_replay', 1001])
  const { body: page } = await portal.admin.get(`/webhooks/${hook.id}/deliveries?state=dead&type=role.created&limit=2`)
  assert.deepEqual([page.totalCount, page.deliveries.length, page.nextOffset], [1000, 2, 2])
})

test('a thousand sequences are sent again, even if one of them is two messages', async () => {
  const hook = await addWebhook(portal, 'Parts', at('/parts'))
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: false })
  await portal.sql(
    `insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at, state, next_at, settled_at)
     select $1, n, part, 'role.created', '{}', now(), 'dead', null, now() from generate_series(1, 1000) as n, generate_series(1, 2) as part
     where n = 1 or part = 1`,
    [hook.id],
  )
  const sequences = Array.from({ length: 1000 }, (_, n) => n + 1)
  const { status, body } = await portal.admin.post(`/webhooks/${hook.id}/replay`, { sequences })
  assert.deepEqual([status, body], [202, { count: 1001 }])
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

test('a message is kept for 30 days after it was given up or was to be sent, however old its change is', async () => {
  const hook = await addWebhook(portal, 'Kept', at('/kept'))
  await portal.admin.patch(`/webhooks/${hook.id}`, { isActive: false })
  const insert = `insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at, state, next_at, settled_at)
    values ($1, $2, 1, 'role.created', '{}', now() - interval '40 days', $3, now() + $4::interval, now() + $5::interval)`
  for (const [sequence, state, nextAt, settledAt] of [
    [1, 'dead', null, '-31 days'],
    [2, 'dead', null, '-29 days'],
    [3, 'waiting', '1 hour', null],
    [4, 'waiting', '-31 days', null],
  ])
    await portal.sql(insert, [hook.id, sequence, state, nextAt, settledAt])
  await runJob(portal, 'clean_up')
  assert.deepEqual(
    (await deliveriesOf(portal, hook.id)).map(({ sequence }) => sequence),
    [2, 3],
  )
  await portal.admin.delete(`/webhooks/${hook.id}`)
})

test('unknown webhooks and messages are not found', async () => {
  for (const [method, path, body] of [
    ['GET', '/webhooks/99999'],
    ['PATCH', '/webhooks/99999', { name: 'x' }],
    ['DELETE', '/webhooks/99999'],
    ['POST', '/webhooks/99999/rotate-secret', {}],
    ['POST', '/webhooks/99999/test'],
    ['POST', '/webhooks/99999/replay', { sequences: [1] }],
    ['GET', '/webhooks/99999/deliveries'],
    ['GET', '/webhooks/99999/deliveries/1'],
  ] as const)
    assert.equal((await portal.admin.send(method, path, body)).body.code, 'not_found', `${method} ${path}`)
})

test('there are at most fifty webhooks', async () => {
  const { length } = (await portal.admin.get('/webhooks')).body
  for (let n = length; n < 50; n++) await addWebhook(portal, `Many ${n}`, NEW.url)
  const { status, body } = await portal.admin.post('/webhooks', NEW)
  assert.deepEqual([status, body.code, body.quota, body.used, body.allowed], [409, 'quota_exceeded', 'webhooks', 50, 50])
})

test('an administrator’s token may read and test webhooks, but not create any', async () => {
  const token = await tokenOf(portal, portal.admin.id, { scopes: ['admin:read', 'admin:write'] })
  const { body } = await token.get('/webhooks')
  const { id } = body.find(({ isActive }: { isActive: boolean }) => isActive)
  assert.equal((await token.post(`/webhooks/${id}/test`)).status, 202)
  assert.equal((await token.post('/webhooks', NEW)).body.code, 'not_for_tokens')
  const person = await portal.person('nobody')
  assert.equal((await person.get('/webhooks')).status, 403)
})
