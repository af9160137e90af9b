import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Client, testPortal } from '../../../test/portal.ts'
import type { Caller } from '../auth/sessions.ts'
import type { Tx } from '../database/db.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import { changed, decideEach, unchanged } from './outcome.ts'

const portal = testPortal()
const altered = (targetId: number) => ({ kind: 'user.preferences_changed', targetId, facts: { changed: {} } }) as const
const rename = (tx: Tx, id: number, displayNameEn: string) => tx.updateTable('users').set({ displayNameEn }).where('id', '=', id).execute()
const namesOf = (callers: Caller[]) =>
  portal.sql<{ name: string | null }>('select display_name_en as name from users where id = any($1) order by id', [idsOf(callers)])
const idsOf = (callers: Caller[]) => callers.map(({ actor }) => actor.id)

let count = 0
async function arrived(many: number) {
  const people: Client[] = []
  while (people.length < many) people.push(await portal.person(`arrived${++count}`))
  const callers = await Promise.all(people.map(({ cookie }) => portal.instance.sessions.authenticate(cookie.split('=')[1])))
  return callers.map((caller) => caller!)
}
/** Each caller renames themselves. Returns each reply; undefined for callers who were skipped. */
async function renameAll(callers: Caller[], name = 'Done') {
  const decisions = await portal.instance.transactMany(callers, async (tx, places) => {
    for (const place of places) await rename(tx, callers[place]!.actor.id, name)
    return places.map((place) => changed(place, altered(callers[place]!.actor.id)))
  })
  return decisions.map((decision) => (decision instanceof Refusal ? decision.code : decision?.reply))
}

test('several commands share one transaction, and each change is recorded under its own caller', async () => {
  const callers = await arrived(3)
  assert.deepEqual(await renameAll(callers), [0, 1, 2])
  const rows = await portal.sql<{ tx: string; actor: number; name: string; target: number }>(
    `select tx::text, actor_id as actor, actor_username as name, target_id as target from ledger
     where actor_id = any($1) and kind = 'user.preferences_changed' order by id`,
    [idsOf(callers)],
  )
  assert.deepEqual(
    rows,
    callers.map(({ actor }) => ({ tx: rows[0]!.tx, actor: actor.id, name: actor.username, target: actor.id })),
  )
})

test('callers whose rights changed, session ended or account was deactivated are skipped, and all other callers are served', async () => {
  for (const [n, meddle] of [
    'update user_access set version = version + 1 where user_id = $1',
    'update sessions set ended_at = now() where user_id = $1',
    `update sessions set expires_at = now() where user_id = $1`,
    'update user_access set is_active = false where user_id = $1',
    'delete from sessions where user_id = $1',
  ].entries()) {
    const callers = await arrived(3)
    await portal.sql(meddle, [callers[1]!.actor.id])
    assert.deepEqual(await renameAll(callers), [0, undefined, 2], meddle)
    assert.deepEqual(await namesOf(callers), [{ name: 'Done' }, { name: null }, { name: 'Done' }], String(n))
  }
})

test('a refused call does not affect the other calls', async () => {
  const callers = await arrived(3)
  const decisions = await portal.instance.transactMany(callers, async (tx, places) => {
    for (const place of [0, 2]) await rename(tx, callers[place]!.actor.id, 'Done')
    return decideEach(places, (place) => (place === 1 ? refuse('not_found') : changed(place, altered(callers[place]!.actor.id))))
  })
  assert.deepEqual(
    decisions.map((decision) => (decision instanceof Refusal ? decision.code : decision!.reply)),
    [0, 'not_found', 2],
  )
  assert.deepEqual(await namesOf(callers), [{ name: 'Done' }, { name: null }, { name: 'Done' }])
})

test('a session can be locked only together with the person to whom it belongs', async () => {
  const callers = await arrived(2)
  const [one, other] = callers as [Caller, Caller]
  assert.deepEqual(await renameAll([{ ...one, session: { ...one.session, id: other.session.id } }, other]), [undefined, 1])
})

test('callers who are locked by another transaction are skipped without waiting', async () => {
  const callers = await arrived(2)
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from user_access where user_id = $1 for update', [callers[0]!.actor.id])
    assert.deepEqual(await renameAll(callers), [undefined, 1])
  } finally {
    await client.end()
  }
})

test('when a call would wait for a lock, all are skipped and nothing is written; the lock timeout ends with the transaction', async () => {
  const callers = await arrived(2)
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from users where id = $1 for update', [callers[1]!.actor.id])
    assert.deepEqual(await renameAll(callers), [undefined, undefined])
    assert.deepEqual(await namesOf(callers), [{ name: null }, { name: null }])
  } finally {
    await client.end()
  }
  const { rows } = await portal.instance.db.pools.write.query<{ lock_timeout: string }>('show lock_timeout')
  assert.deepEqual(rows, [{ lock_timeout: '0' }])
})

test('when a call fails, even at the commit, all are skipped and nothing is written', async () => {
  const callers = await arrived(2)
  const failing = (work: (tx: Tx, id: number) => Promise<unknown>) =>
    portal.instance.transactMany(callers, async (tx) => {
      for (const { actor } of callers) await work(tx, actor.id)
      return callers.map(() => unchanged('never'))
    })
  const divide = async (tx: Tx, id: number) => {
    await rename(tx, id, 'Never')
    await sql`select 1 / 0`.execute(tx)
  }
  assert.deepEqual(await failing(divide), [undefined, undefined])
  // The change is not recorded, so the commit fails.
  assert.deepEqual(await failing((tx, id) => rename(tx, id, 'Never')), [undefined, undefined])
  assert.deepEqual(await namesOf(callers), [{ name: null }, { name: null }])
})

test('a commit with an unknown outcome fails, instead of skipping the callers', async () => {
  const callers = await arrived(2)
  const cut = portal.instance.transactMany(callers, async (tx) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    return callers.map(() => unchanged('never'))
  })
  await assert.rejects(cut)
})
