/** A caller whose session or rights end during the call gets the answer of the new state. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { before, mock, test } from 'node:test'
import pg from 'pg'
import { composeExample } from '../server/platform/openapi/examples.ts'
import { silence, tracing } from './makers.ts'
import { type Answer, type Client, until } from './portal.ts'
import { type Route, routes } from './running.ts'
import { seededPortal } from './seed.ts'
import { scale } from './suite.ts'

const { portal, org, make, seeded, order } = seededPortal()
const { traced } = tracing(portal)

let groupId = 0
before(async () => {
  await seeded
  const { body: roles } = await org.admin.get('/roles')
  groupId = (await make.newGroup({ roleIds: roles.map(({ id }: { id: number }) => id) })).id
})
/** A new person in a group that has every role. */
const personWithAllRights = () => make.newPerson({ groupIds: [groupId] })

const deactivate = ({ id }: Client) => org.admin.patch(`/users/${id}`, { isActive: false })
const demote = ({ id }: Client) => org.admin.patch(`/users/${id}`, { groupIds: [] })
const remove = ({ id }: Client) => org.admin.delete(`/users/${id}?force=true`)

const exampleOf = ({ endpoint: { body } }: Route) => (body ? composeExample(body as object) : undefined) as object | undefined
/** All routes share one mechanism, so the ordinary suite tries a quarter of them, and the slow suite all. */
const some = (fits: (route: Route) => boolean) => routes.filter(fits).filter((_, place) => place % scale(4, 1) === 0)
/** Leaves out the calls of sources of accounts, which are made with tokens and not by people. */
const isOfPeople = ({ endpoint: { allow } }: Route) => allow !== 'anyone' && allow !== 'source'
const takesBody = (route: Route) => isOfPeople(route) && route.endpoint.body !== undefined
const isAnswered = (route: Route) => isOfPeople(route) && route.endpoint.does !== 'stream'
const isCommand = (route: Route) => isOfPeople(route) && route.endpoint.does === 'command'

/** Sends the head of a request, runs `act` once the sender is authenticated, and sends the body. Returns the status. */
async function sendLate(
  who: Client,
  method: string,
  path: string,
  body: object,
  between: () => Promise<unknown>,
  type = 'application/json',
) {
  const authenticate = mock.method(portal.instance.sessions, 'authenticate')
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = { cookie: who.cookie, 'content-type': type, 'content-length': bytes.length }
  const sending = request(`${portal.base}/api${path}`, { method, headers, agent: false }).on('error', () => {})
  const answering = once(sending, 'response')
  sending.flushHeaders()
  await until('its sender is being authenticated', () => authenticate.mock.callCount())
  await authenticate.mock.calls[0]!.result
  authenticate.mock.restore()
  await between()
  sending.end(bytes)
  const [answer] = (await answering) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

/** Makes a call and runs `act` against its caller right after the caller's authentication. */
async function callDuring(who: Client, route: Route, act: (who: Client) => Promise<unknown>) {
  const { sessions } = portal.instance
  const authenticate = sessions.authenticate.bind(sessions)
  const intercepted = mock.method(sessions, 'authenticate', async (token: string | undefined) => {
    const caller = await authenticate(token)
    if (caller?.actor.id !== who.id) return caller
    intercepted.mock.restore()
    await act(who)
    return caller
  })
  const path = route.address(() => 999_999)
  return who.send(route.method, path, exampleOf(route))
}

test('a call is refused if its caller is deactivated before the body arrives', async () => {
  for (const route of some(takesBody)) {
    const who = await personWithAllRights()
    const path = route.address(() => who.id)
    const status = await sendLate(who, route.method, path, exampleOf(route) ?? {}, () => deactivate(who), route.endpoint.takes?.[0])
    assert.equal(status, 401, route.at)
  }
})

test('an administrator who is demoted before the body arrives gives nobody a role', async () => {
  const who = await personWithAllRights()
  assert.equal(await sendLate(who, 'POST', `/users/${who.id}/roles`, { roleName: 'admin' }, () => demote(who)), 403)
  const { body } = await org.admin.get(`/users/${who.id}`)
  assert.ok(!body.roles.includes('admin'), body.roles)
})

/** Takes an aborted answer for a refusal: once the first piece of a long answer was sent, the portal can only abort it. */
function cutOff(error: Error & { cause?: { code?: string } }) {
  if (error.cause?.code !== 'UND_ERR_SOCKET') throw error
  return { status: 401, text: 'cut off' }
}

test('a call is refused if its caller is deleted while it runs, except reads that end first', async () => {
  for (const route of some(isAnswered)) {
    const { status, text } = await callDuring(await personWithAllRights(), route, remove).catch(cutOff)
    if (status !== 200 || isCommand(route)) assert.equal(status, 401, `${route.at}: ${text}`)
  }
})

/** Opens a transaction, like one of another instance, that has run these statements and not yet committed. */
async function uncommitted(...statements: string[]) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query('begin')
  for (const statement of statements) await client.query(statement)
  return { commit: () => client.query('commit').finally(() => client.end()) }
}
const waiting = async () =>
  (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length
/** Returns the answer to a command that waits for a transaction, which is then committed. */
async function answerAfter({ commit }: { commit: () => Promise<unknown> }, command: () => Promise<Answer>) {
  const answering = command()
  await until('the command waits', waiting)
  await commit()
  return answering
}
const recorded = (id: number) => `insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${id}, '{}')`

const decisions: [what: string, status: number, statement: (id: number) => string][] = [
  ['deactivates its caller', 401, (id) => `update users set is_active = false where id = ${id}`],
  [
    'takes the roles of its caller',
    403,
    (id) =>
      `insert into permission_history (kind, target_id, added, removed)
         select 'user.roles', user_id, '{}', array_agg(role_id) from user_roles where user_id = ${id} group by user_id;
       delete from direct_roles where user_id = ${id}`,
  ],
]
for (const [what, status, statement] of decisions)
  test(`a command waits for a transaction that ${what}, and gets ${status}`, async () => {
    const who = await make.newPerson({ roles: ['admin'] })
    const deciding = await uncommitted(recorded(who.id), statement(who.id))
    const answer = await answerAfter(deciding, () => who.patch('/settings', { siteNameEn: `Name ${who.id}` }))
    assert.equal(answer.status, status)
  })

test('a command waits for the end of its caller’s session, and then leaves no trace', async () => {
  const who = await personWithAllRights()
  const ending = await uncommitted(
    `select from user_access where user_id = ${who.id} for update`,
    `update sessions set ended_at = now() where user_id = ${who.id}`,
  )
  const { answer, ...traces } = await traced(() => answerAfter(ending, () => who.patch('/settings', { siteNameEn: 'Never' })))
  assert.equal(answer.status, 401)
  assert.deepEqual(traces, silence)
})

test('a role loses a permission only after the commands that it allowed have ended', async () => {
  const role = await make.newRole(['orders.receive'])
  const receiver = await make.newPerson({ roles: [role.name] })
  const { id } = await order()
  const holding = await uncommitted(`select from orders where id = ${id} for update`)
  const ended: string[] = []
  const note = (what: string, sent: Promise<Answer>) => sent.then(({ status }) => ended.push(`${what} ${status}`))
  const claiming = note('claimed', receiver.patch(`/orders/${id}/confirm-receipt`))
  await until('the claim waits for the order', waiting)
  const taking = note('taken', org.admin.put(`/roles/${role.id}/permissions`, { permissionIds: [] }))
  await until('the role waits for the claim', async () => (await waiting()) === 2)
  await holding.commit()
  await Promise.all([claiming, taking])
  // The two answers may arrive in either order.
  assert.deepEqual(ended.toSorted(), ['claimed 200', 'taken 200'])
  assert.equal((await receiver.get('/orders/incoming')).status, 403)
})

/** Asserts that PostgreSQL breaks no deadlock while `act` runs. */
async function withoutDeadlock(act: () => Promise<unknown>) {
  const before = await portal.deadlocks()
  await act()
  assert.equal(await portal.deadlocks(), before)
}
const statusesOf = async (count: number, call: (n: number) => Promise<Answer>) =>
  new Set((await Promise.all(Array.from({ length: count }, (_, n) => call(n)))).map(({ status }) => status))

test('a deadlock that PostgreSQL has broken is counted at once', async () => {
  const [one, other] = [await make.newPerson(), await make.newPerson()]
  const lock = (id: number) => `select from user_access where user_id = ${id} for update`
  const before = await portal.deadlocks()
  const { write } = portal.instance.db.pools
  const [first, second] = [await write.connect(), await write.connect()]
  await first.query(`begin; ${lock(one.id)}`)
  await second.query(`begin; ${lock(other.id)}`)
  const ends = await Promise.allSettled([first.query(lock(other.id)), second.query(lock(one.id))])
  assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  for (const client of [first, second]) {
    await client.query('rollback')
    client.release()
  }
  assert.equal(await portal.deadlocks(), before + 1)
})

test('forty simultaneous commands on the caller’s own account do not deadlock', async () => {
  const who = await personWithAllRights()
  const change = (n: number) =>
    n % 2
      ? who.patch('/auth/me/language', { language: n % 4 === 1 ? 'ar' : 'en' })
      : who.patch('/auth/me/clock-hour12', { clockHour12: n % 4 === 0 })
  await withoutDeadlock(async () => assert.deepEqual(await statusesOf(40, change), new Set([200])))
})

test('simultaneous commands of an administrator on their own account do not deadlock', async () => {
  const who = await make.newPerson({ roles: ['admin'] })
  await withoutDeadlock(async () => {
    const links = await statusesOf(12, () => who.post(`/auth/admin/users/${who.id}/issue-reset-link`))
    assert.deepEqual(links, new Set([200]))
    const endings = await statusesOf(12, () => who.delete(`/users/${who.id}/sessions`))
    assert.deepEqual(endings, new Set([204, 401]))
  })
})

const orderBy = (who: Client) => who.post('/orders', { serviceId: org.coffee.id })

test('deleting a person while they order does not deadlock', () =>
  withoutDeadlock(async () => {
    for (let round = 0; round < 10; round++) {
      const who = await personWithAllRights()
      const ordering = Array.from({ length: 6 }, () => orderBy(who))
      const [deleted, ...ordered] = await Promise.all([remove(who), ...ordering])
      assert.equal(deleted.status, 204)
      for (const { status, text } of ordered) assert.ok(status === 201 || status === 401, text)
    }
  }))

test('removing the right to receive orders from a person while they order does not deadlock', () =>
  withoutDeadlock(async () => {
    for (let round = 0; round < 10; round++) {
      const { body: claimed } = await orderBy(org.huda)
      await org.admin.post(`/users/${org.huda.id}/roles`, { roleName: 'order_receiver' })
      assert.equal((await org.huda.patch(`/orders/${claimed.id}/confirm-receipt`)).status, 200)
      const taken = org.admin.delete(`/users/${org.huda.id}/roles/order_receiver`)
      assert.deepEqual(await statusesOf(6, () => orderBy(org.huda)), new Set([201]))
      assert.equal((await taken).status, 200)
    }
  }))
