/** Leases in the database, counted by the connections that hold them. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import pg from 'pg'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()

interface Held {
  key: string
  holder: number
  held: number
}
const rows = () => portal.sql<Held>('select key, holder, held from leases order by key, holder')
const clients: pg.Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end()
  await portal.sql('delete from leases')
})

/** A connection that holds leases. */
async function holder(keys: string[] = [], helds: number[] = []) {
  const client = new pg.Client(portal.connection)
  clients.push(client)
  await client.connect()
  const ask = async (text: string, values: unknown[]) =>
    (await client.query<{ said: never }>(`select ${text} as said`, values)).rows[0]!.said
  const self: number = await ask('hold_leases($1, $2)', [keys, helds])
  return {
    client,
    self,
    take: (key: string, most: number): Promise<boolean> => ask('take_lease($1, $2, $3)', [key, self, most]),
    end: (key: string) => ask('end_lease($1, $2)', [key, self]),
  }
}
const isGone = async (self: number) => (await portal.sql<{ gone: boolean }>(`select is_gone(${self}) as gone`))[0]!.gone

test('all holders together take at most the given number of leases of a key, independently of other keys', async () => {
  const [one, other] = [await holder(), await holder()]
  assert.equal(await one.take('b', 1), true)
  assert.equal(await one.take('a', 3), true)
  assert.equal(await one.take('a', 3), true)
  assert.equal(await other.take('a', 3), true)
  for (const full of [one, other]) assert.equal(await full.take('a', 3), false)
  assert.equal(await other.take('b', 1), false)
  assert.deepEqual(await rows(), [
    { key: 'a', holder: one.self, held: 2 },
    { key: 'a', holder: other.self, held: 1 },
    { key: 'b', holder: one.self, held: 1 },
  ])
})

test('giving a lease back frees one lease of that key and holder, which may be taken again', async () => {
  const [one, other] = [await holder(), await holder()]
  for (const key of ['a', 'b']) for (const who of [one, one, one, other]) await who.take(key, 4)
  const left = async () => (await rows()).map(({ key, holder, held }) => `${key} ${holder === one.self ? 'one' : 'other'} ${held}`)
  await one.end('a')
  assert.deepEqual(await left(), ['a one 2', 'a other 1', 'b one 3', 'b other 1'])
  await one.end('a')
  assert.deepEqual(await left(), ['a one 1', 'a other 1', 'b one 3', 'b other 1'])
  await one.end('a')
  assert.deepEqual(await left(), ['a other 1', 'b one 3', 'b other 1'])
  await other.end('b')
  assert.deepEqual(await left(), ['a other 1', 'b one 3'])
  assert.deepEqual([await other.take('b', 4), await other.take('b', 4)], [true, false])
})

test('when two holders take the last lease at once, the second waits for the first and gets none', async () => {
  const [one, other] = [await holder(), await holder()]
  await one.client.query('begin')
  assert.equal(await one.take('a', 1), true)
  let answer: boolean | undefined
  const asked = other.take('a', 1).then((said) => {
    answer = said
  })
  const waits = () => portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await until('the second waits, or has an answer', async () => answer !== undefined || (await waits()).length > 0)
  await one.client.query('commit')
  await asked
  assert.equal(answer, false)
})

test('a holder’s leases end with its connection, and count again once a new connection registers them', async () => {
  const [one, other] = [await holder(), await holder()]
  for (const key of ['a', 'a', 'b']) await one.take(key, 2)
  assert.equal(await other.take('a', 2), false)
  await clients.splice(clients.indexOf(one.client), 1)[0]!.end()
  await until('it is gone', () => isGone(one.self))
  assert.equal(await other.take('a', 2), true)
  const again = await holder(['a', 'c'], [1, 4])
  assert.notEqual(again.self, other.self)
  assert.deepEqual([await isGone(other.self), await isGone(again.self)], [false, false])
  assert.deepEqual(
    await rows(),
    [
      { key: 'a', holder: other.self, held: 1 },
      { key: 'a', holder: again.self, held: 1 },
      { key: 'c', holder: again.self, held: 4 },
    ],
    'what was held by nobody any more is cleared away',
  )
  assert.equal(await other.take('a', 2), false)
})
