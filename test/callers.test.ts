/** Whose session or rights go while their call is under way is answered by what they are by then. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { mock, test } from 'node:test'
import pg from 'pg'
import { composeExample } from '../server/platform/http/openapi-examples.ts'
import { makers, silence } from './makers.ts'
import { type Client, testPortal, until, untilClosed } from './portal.ts'
import { type Route, routes } from './running.ts'

const portal = testPortal()
const make = makers(portal)

let people = 0
let groupOfAll: Promise<number> | undefined
/** A group with every role. */
async function makeGroupOfAll() {
  const { body: roles } = await portal.admin.get('/roles')
  return (await make.newGroup({ roleIds: roles.map(({ id }: { id: number }) => id) })).id
}
async function someoneWithEveryRight() {
  groupOfAll ??= makeGroupOfAll()
  return portal.person(`caller${people++}`, { groupIds: [await groupOfAll] })
}
const deactivate = ({ id }: Client) => portal.admin.patch(`/users/${id}`, { isActive: false })
const demote = ({ id }: Client) => portal.admin.patch(`/users/${id}`, { groupIds: [] })
const remove = ({ id }: Client) => portal.admin.delete(`/users/${id}?force=true`)

const exampleOf = ({ endpoint: { body } }: Route) => (body ? composeExample(body as object) : undefined) as object | undefined
const takesBody = ({ endpoint, method }: Route) => endpoint.allow !== 'anyone' && method !== 'GET'
const isAnswered = ({ endpoint }: Route) => endpoint.allow !== 'anyone' && endpoint.does !== 'stream'
const isCommand = ({ endpoint }: Route) => endpoint.allow !== 'anyone' && endpoint.does === 'command'

/** Sends the head of a request, and the body after what happens between: its sender was authenticated before. */
async function sendLate(who: Client, method: string, path: string, body: object, between: () => Promise<unknown>) {
  const authenticate = mock.method(portal.instance.sessions, 'authenticate')
  const { hostname, port } = new URL(portal.base)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let text = ''
  socket.on('data', (some) => {
    text += some
  })
  const bytes = Buffer.from(JSON.stringify(body))
  const head = {
    host: 'portal',
    cookie: who.cookie,
    'content-type': 'application/json',
    'content-length': bytes.length,
    connection: 'close',
  }
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} /api${path} HTTP/1.1\r\n${fields.join('')}\r\n`)
  await until('its sender is being authenticated', () => authenticate.mock.callCount())
  await authenticate.mock.calls[0]!.result
  authenticate.mock.restore()
  await between()
  socket.write(bytes)
  await untilClosed(socket)
  return Number(text.split(' ')[1])
}

/** Calls in the name of someone to whom `happens` something right after they were authenticated. */
async function askWhile(who: Client, { method, address, ...route }: Route, happens: (who: Client) => Promise<unknown>) {
  const { sessions } = portal.instance
  const authenticate = sessions.authenticate.bind(sessions)
  const intercepted = mock.method(sessions, 'authenticate', async (token: string | undefined) => {
    const caller = await authenticate(token)
    if (caller?.actor.id !== who.id) return caller
    intercepted.mock.restore()
    await happens(who)
    return caller
  })
  return who.send(
    method,
    address(() => 999_999),
    exampleOf({ method, address, ...route }),
  )
}

test('whoever sends the body after they were deactivated is a stranger, everywhere', async () => {
  for (const route of routes.filter(takesBody)) {
    const who = await someoneWithEveryRight()
    const path = route.address(() => who.id)
    const status = await sendLate(who, route.method, path, exampleOf(route) ?? {}, () => deactivate(who))
    assert.equal(status, 401, route.at)
  }
})

test('whoever sends the body after they were demoted gets no link into the account of an administrator', async () => {
  const who = await someoneWithEveryRight()
  const path = `/auth/admin/users/${portal.admin.id}/issue-reset-link`
  assert.equal(await sendLate(who, 'POST', path, {}, () => demote(who)), 403)
  assert.deepEqual(await portal.sql('select from password_resets'), [])
})

test('whoever is deleted while their call is under way is a stranger, everywhere: a reading alone may be over before', async () => {
  for (const route of routes.filter(isAnswered)) {
    const { status, text } = await askWhile(await someoneWithEveryRight(), route, remove)
    if (status !== 200 || isCommand(route)) assert.equal(status, 401, `${route.at}: ${text}`)
  }
})

/** A transaction of another instance that has done something and is not committed yet. */
async function pending(...statements: string[]) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query('begin')
  for (const statement of statements) await client.query(statement)
  const end = () => client.query('commit').finally(() => client.end())
  return { end }
}
const note = (id: number) => `insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${id}, '{}')`
const waiting = async () =>
  (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length

test('a command waits for what is being decided about its caller, and is answered by that', async () => {
  const cases: [change: (id: number) => string, status: number][] = [
    [(id) => `update users set is_active = false where id = ${id}`, 401],
    [
      (id) =>
        `insert into permission_history (kind, target_id, added, removed)
           select 'user.roles', user_id, '{}', array_agg(role_id) from user_roles where user_id = ${id} group by user_id;
         delete from user_roles where user_id = ${id}`,
      403,
    ],
    [(id) => `update users set display_name_en = 'Other' where id = ${id}`, 200],
  ]
  for (const [change, status] of cases) {
    const who = await portal.person(`decided${status}`, { roles: ['admin'] })
    const deciding = await pending(note(who.id), change(who.id))
    const answering = who.patch('/settings', { siteNameEn: `Name ${who.id}` })
    await until('the command waits', waiting)
    await deciding.end()
    assert.equal((await answering).status, status, change(who.id))
  }
})

test('a command of a session that is being ended waits, and leaves nothing', async () => {
  const who = await someoneWithEveryRight()
  const ending = await pending(
    `select from user_access where user_id = ${who.id} for update`,
    `update sessions set ended_at = now() where user_id = ${who.id}`,
  )
  const traces = await portal.traces(async () => {
    const answering = who.patch('/settings', { siteNameEn: 'Never' })
    await until('the command waits', waiting)
    await ending.end()
    assert.equal((await answering).status, 401)
  })
  assert.deepEqual(traces, silence)
})

test('what a role gives is taken only once the commands that were let in by it are over', async () => {
  const role = await make.newRole(['orders.receive'])
  const receiver = await make.newPerson({ roles: [role.name] })
  const service = await make.newService()
  const { body: order } = await portal.admin.post('/orders', { serviceId: service.id })
  const holding = await pending(`select from orders where id = ${order.id} for update`)
  const claiming = receiver.patch(`/orders/${order.id}/confirm-receipt`)
  await until('the claim waits for the order', waiting)
  const ended: string[] = []
  const taking = portal.admin
    .put(`/roles/${role.id}/permissions`, { permissionIds: [] })
    .then(({ status }) => ended.push(`taken ${status}`))
  await until('the role waits for the claim', async () => (await waiting()) === 2)
  await holding.end()
  await Promise.all([claiming.then(({ status }) => ended.push(`claimed ${status}`)), taking])
  assert.deepEqual(ended, ['claimed 200', 'taken 200'])
  assert.equal((await receiver.get('/orders/incoming')).status, 403)
})

test('two commands of one person that change their own account at the same time need no deadlock to be broken', async () => {
  const who = await someoneWithEveryRight()
  const before = await portal.deadlocks()
  const changes = Array.from({ length: 40 }, (_, n) =>
    n % 2
      ? who.patch('/auth/me/language', { language: n % 4 === 1 ? 'ar' : 'en' })
      : who.patch('/auth/me/clock-hour12', { clockHour12: n % 4 === 0 }),
  )
  assert.deepEqual(new Set((await Promise.all(changes)).map(({ status }) => status)), new Set([200]))
  assert.equal(await portal.deadlocks(), before)
})

test('administrators who do to themselves what they may do to others, many times at once, need no deadlock to be broken', async () => {
  const who = await portal.person('own-administrator', { roles: ['admin'] })
  const before = await portal.deadlocks()
  const links = await Promise.all(Array.from({ length: 12 }, () => who.post(`/auth/admin/users/${who.id}/issue-reset-link`)))
  assert.deepEqual(new Set(links.map(({ status }) => status)), new Set([200]))
  const ended = await Promise.all(Array.from({ length: 12 }, () => who.delete(`/users/${who.id}/sessions`)))
  assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set([204, 401]))
  assert.equal(await portal.deadlocks(), before)
})

test('deleting a person whose commands are under way needs no deadlock to be broken', async () => {
  const service = await make.newService()
  const before = await portal.deadlocks()
  for (let round = 0; round < 10; round++) {
    const who = await someoneWithEveryRight()
    const ordering = Array.from({ length: 6 }, () => who.post('/orders', { serviceId: service.id }))
    const [deleted, ...ordered] = await Promise.all([remove(who), ...ordering])
    assert.equal(deleted.status, 204)
    for (const { status, text } of ordered) assert.ok(status === 201 || status === 401, text)
  }
  assert.equal(await portal.deadlocks(), before)
})

test('taking the right to receive from somebody while their commands are under way needs no deadlock to be broken', async () => {
  const service = await make.newService()
  const who = await make.newPerson()
  const order = () => who.post('/orders', { serviceId: service.id })
  const before = await portal.deadlocks()
  for (let round = 0; round < 10; round++) {
    const { body: claimed } = await order()
    await portal.admin.post(`/users/${who.id}/roles`, { roleName: 'order_receiver' })
    assert.equal((await who.patch(`/orders/${claimed.id}/confirm-receipt`)).status, 200)
    const taken = portal.admin.delete(`/users/${who.id}/roles/order_receiver`)
    for (const { status, text } of await Promise.all(Array.from({ length: 6 }, order))) assert.equal(status, 201, text)
    assert.equal((await taken).status, 200)
  }
  assert.equal(await portal.deadlocks(), before)
})
