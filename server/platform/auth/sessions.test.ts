import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { type Client, testPortal } from '../../../test/portal.ts'
import type { Db } from '../database/db.ts'
import { openSessions } from './sessions.ts'
import { hashToken } from './tokens.ts'

const portal = testPortal()
const tokenOf = ({ cookie }: Client) => cookie.split('=')[1]!

const closings: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closings) await close()
})

/** Opens sessions as another process does, and records its statements. The statement that `failAt` names fails once. */
function opened({ days = 7 } = {}) {
  const sent: string[] = []
  const statements: pg.QueryConfig[] = []
  const errors: unknown[] = []
  const fake = { sent, errors, fail: '', meanwhile: async () => {} }
  const { db } = portal.instance
  const watched = (pool: 'sessions' | 'write') => ({
    query: async (statement: pg.QueryConfig) => {
      sent.push(statement.name!)
      statements.push(statement)
      if (statement.name === 'load_actors') await fake.meanwhile()
      if (fake.fail === statement.name) {
        fake.fail = ''
        throw new Error('the database did not answer')
      }
      return db.pools[pool].query(statement)
    },
  })
  const pools = { ...db.pools, sessions: watched('sessions'), write: watched('write') }
  const sessions = openSessions({ ...db, pools } as unknown as Db, days, (error) => errors.push(error))
  closings.push(sessions.close)
  return {
    ...sessions,
    sent,
    statements,
    errors,
    failAt: (name: string) => Object.assign(fake, { fail: name }),
    beforeLoading: (act: () => Promise<void>) => Object.assign(fake, { meanwhile: act }),
  }
}

const sessionsOf = (userId: number) => `user_id = ${userId}`
const move = (client: Client, what: string) => portal.sql(`update sessions set ${what} where ${sessionsOf(client.id)}`)
const timesOf = async (client: Client) =>
  (
    await portal.sql<{ idle: number; left: number }>(
      `select extract(epoch from now() - last_used_at)::float as idle, extract(epoch from expires_at - now())::float / 86400 as left
       from sessions where ${sessionsOf(client.id)}`,
    )
  )[0]!

test('a malformed token never reaches the database', async () => {
  const { authenticate, sent } = opened()
  const token = tokenOf(portal.admin)
  for (const wrong of [undefined, '', 'x', `${token}x`, `x${token}`, token.slice(1), `${token.slice(1)}=`, `${token}\n`])
    assert.equal(await authenticate(wrong), undefined)
  assert.deepEqual(sent, [])
  assert.equal((await authenticate(token))!.actor.username, 'admin')
})

test('a valid token gives its person and its session', async () => {
  const huda = await portal.person('huda', { roles: ['order_receiver'] })
  const caller = (await opened().authenticate(tokenOf(huda)))!
  const [session] = await portal.sql<{ id: number; at: Date }>(`select id, created_at as at from sessions where token_hash = $1`, [
    hashToken(tokenOf(huda)),
  ])
  const { id, at: confirmedAt } = session!
  assert.deepEqual(caller.session, { id, userId: huda.id, kind: 'browser', level: 1, confirmedAt, isFresh: true, owes: null, scopes: null })
  assert.deepEqual([caller.actor.id, caller.actor.username], [huda.id, 'huda'])
  assert.deepEqual(caller.actor.access.roles, ['order_receiver', 'user'])
})

test('an unknown, expired or ended session is refused, and so is that of an inactive person', async () => {
  const ends: Record<string, (client: Client) => Promise<unknown>> = {
    over: (client) => move(client, `expires_at = now()`),
    ended: (client) => move(client, `ended_at = now()`),
    inactive: ({ id }) => portal.meddle('user', id, `update users set is_active = false where id = ${id}`),
    unknown: (client) => portal.sql(`delete from sessions where ${sessionsOf(client.id)}`),
  }
  const { authenticate } = opened()
  for (const [name, end] of Object.entries(ends)) {
    const client = await portal.person(name)
    assert.ok(await authenticate(tokenOf(client)), name)
    await end(client)
    assert.equal(await authenticate(tokenOf(client)), undefined, name)
  }
})

test('a caller is loaded again only after their access changed', async () => {
  const huda = await portal.person('moved')
  const { authenticate, sent } = opened()
  const actor = async () => (await authenticate(tokenOf(huda)))!.actor
  const first = await actor()
  assert.equal(await actor(), first)
  assert.deepEqual(sent, ['authenticate', 'load_actors', 'authenticate'])
  await portal.admin.post(`/users/${huda.id}/roles`, { roleName: 'order_receiver' })
  const promoted = await actor()
  assert.notEqual(promoted, first)
  assert.ok(promoted.can('orders.receive') && !first.can('orders.receive'))
  await portal.admin.post('/groups', { name: 'the epoch moves' })
  assert.notEqual(await actor(), promoted)
})

test('simultaneous requests share one statement, and each gets its own caller', async () => {
  const [huda, salem] = [await portal.person('one'), await portal.person('two')]
  const { authenticate, sent } = opened()
  const callers = await Promise.all([tokenOf(salem), 'x'.repeat(43), tokenOf(huda), tokenOf(salem)].map(authenticate))
  assert.deepEqual(
    callers.map((caller) => caller?.actor.username),
    ['two', undefined, 'one', 'two'],
  )
  assert.deepEqual(sent, ['authenticate', 'load_actors'])
})

test('a request computes only its caller’s version, even if PostgreSQL avoids nested loops', async () => {
  const { authenticate, statements } = opened()
  await authenticate(tokenOf(await portal.person('alone')))
  const { text, values } = statements[0]!
  const [hash] = values![0] as string[]
  // The setting is made within a function, because each call of `sql` may use another connection.
  await portal.sql(`create function plan_without_loops() returns setof text language plpgsql set enable_nestloop = off as $$
    begin return query execute $x$explain ${text.replace('$1', `'{${hash}}'::text[]`)}$x$; end $$`)
  const plan = await portal.sql<{ line: string }>('select plan_without_loops() as line')
  await portal.sql('drop function plan_without_loops')
  const lines = plan.map(({ line }) => line.trim())
  assert.ok(
    lines.some((line) => /^(Index Cond|Recheck Cond|Filter): \(user_id = s\.user_id\)$/.test(line)),
    lines.join('\n'),
  )
})

test('people with the same roles and groups share one description in memory', async () => {
  const { id: group } = (await portal.admin.post('/groups', { name: 'some' })).body
  const { authenticate } = opened()
  const make = async (username: string, fields = {}) => (await authenticate(tokenOf(await portal.person(username, fields))))!.actor.access
  const plain = await make('plain')
  assert.equal(await make('alike'), plain)
  assert.notEqual(await make('receiver', { roles: ['order_receiver'] }), plain)
  const member = await make('member', { groupIds: [1, group] })
  assert.notEqual(member, plain)
  assert.deepEqual([...member.groupIds].toSorted(), [1, group].toSorted())
  assert.deepEqual(
    member.groups.map(({ name }) => name),
    ['Everyone', 'some'],
  )
  await portal.admin.post('/groups', { name: 'another epoch' })
  assert.notEqual(await make('late'), plain)
})

test('a permission from two roles appears once', async () => {
  const lead = await portal.person('lead', { roles: ['executive_coordinator', 'executive_viewer'] })
  const { permissions } = (await opened().authenticate(tokenOf(lead)))!.actor.access
  assert.deepEqual([...permissions].toSorted(), ['executive_meetings.mutate', 'executive_meetings.read', 'executive_meetings.request'])
})

test('a person who is deleted during authentication is refused', async () => {
  const gone = await portal.person('gone')
  const { authenticate, beforeLoading } = opened()
  beforeLoading(async () => void (await portal.admin.delete(`/users/${gone.id}?force=true`)))
  assert.equal(await authenticate(tokenOf(gone)), undefined)
})

test('a failed load fails only its own request', async () => {
  const huda = await portal.person('unlucky')
  for (const statement of ['authenticate', 'load_actors']) {
    const { authenticate, failAt } = opened()
    failAt(statement)
    await assert.rejects(authenticate(tokenOf(huda)), /did not answer/)
    assert.equal((await authenticate(tokenOf(huda)))!.actor.username, 'unlucky')
  }
})

test('using a session extends it, at most once a minute', async () => {
  const [resting, busy] = [await portal.person('resting'), await portal.person('busy')]
  await move(resting, `last_used_at = now() - interval '61 seconds', expires_at = now() + interval '1 hour'`)
  await move(busy, `last_used_at = now() - interval '50 seconds', expires_at = now() + interval '1 hour'`)
  const { authenticate, close, sent } = opened({ days: 3 })
  for (const client of [resting, busy]) await authenticate(tokenOf(client))
  await close()
  const after = await timesOf(resting)
  assert.ok(after.idle < 50 && after.left > 2.9 && after.left <= 3, JSON.stringify(after))
  const left = await timesOf(busy)
  assert.ok(left.idle >= 50 && left.left < 0.1, JSON.stringify(left))
  await close()
  assert.equal(sent.filter((name) => name === 'touch_sessions').length, 1)
})

test('a session ends thirty days after it began, however often it is used', async () => {
  const old = await portal.person('old')
  await move(old, `created_at = now() - interval '29 days', last_used_at = now() - interval '1 hour'`)
  const { authenticate, close } = opened({ days: 3 })
  await authenticate(tokenOf(old))
  await close()
  const { left } = await timesOf(old)
  assert.ok(left > 0.9 && left <= 1, String(left))
})

test('the use of a session that is being ended, or has ended, is not recorded', async () => {
  const leaving = await portal.person('leaving')
  await move(leaving, `last_used_at = now() - interval '1 hour'`)
  const { authenticate, close } = opened()
  await authenticate(tokenOf(leaving))
  await portal.instance.db.writes.transaction().execute(async (tx) => {
    await tx.selectFrom('sessions').select('id').where('userId', '=', leaving.id).forUpdate().execute()
    await close()
  })
  assert.ok((await timesOf(leaving)).idle > 3000)

  const again = opened()
  await again.authenticate(tokenOf(leaving))
  await move(leaving, `ended_at = now()`)
  await again.close()
  assert.ok((await timesOf(leaving)).idle > 3000)
})

test('a failure to record the use of a session is reported, and the caller is not refused', async () => {
  const huda = await portal.person('unnoted')
  await move(huda, `last_used_at = now() - interval '1 hour'`)
  const { authenticate, close, errors, failAt } = opened()
  assert.ok(await authenticate(tokenOf(huda)))
  failAt('touch_sessions')
  await close()
  assert.equal(errors.length, 1)
})
