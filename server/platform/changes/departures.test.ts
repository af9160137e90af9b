import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { Tx } from '../database/db.ts'
import { departure, openDepartures } from './departures.ts'

/** Writes statements, and sends them nowhere. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (own) => new PostgresIntrospector(own),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const within = <T>(work: (tx: Tx) => Promise<T>) => db.transaction().execute(work)

/** Two who hold people and one who holds roles, and what was asked of them. */
function holders() {
  const asked: string[] = []
  const ask = (what: string) => async (_tx: Tx, id: number) => void asked.push(`${what} ${id}`)
  const altered = (targetId: number) => ({ kind: 'user.preferences_changed', targetId, facts: { changed: {} } }) as const
  const departures = openDepartures([
    departure({ of: 'users', holds: ['a.user_id'], lock: ask('lock a'), gone: ask('gone a') }),
    departure({
      of: 'users',
      holds: ['b.user_id'],
      counts: { bCount: sql<number>`2`, cCount: sql<number>`3` },
      lock: ask('lock b'),
      leaves: async (_tx, id) => [altered(id), altered(id + 1)],
      deactivates: async (_tx, id) => [altered(id + 2)],
    }),
    departure({ of: 'users', holds: ['c.user_id'], counts: { dCount: sql<number>`4` }, leaves: async (_tx, id) => [altered(id + 3)] }),
    departure({ of: 'roles', holds: ['a.role_id'], lock: ask('lock role'), gone: ask('gone role'), counts: { aCount: sql<number>`1` } }),
  ])
  return { asked, departures }
}
const targetsOf = (changes: { targetId: number }[]) => changes.map(({ targetId }) => targetId)

test('what a table’s rows are held by is locked in the order of the list, and nothing else', async () => {
  const { asked, departures } = holders()
  await within((tx) => departures('users').lock(tx, 7))
  assert.deepEqual(asked, ['lock a 7', 'lock b 7'])
})

test('whoever has something to do does it around the removal; the changes are those of all of them, in order', async () => {
  const { asked, departures } = holders()
  const changes = await within((tx) => departures('users').remove(tx, 10, async () => asked.push('removed')))
  assert.deepEqual(targetsOf(changes), [10, 11, 13])
  assert.deepEqual(asked, ['removed', 'gone a 10'])
  assert.deepEqual(targetsOf(await within((tx) => departures('users').deactivate(tx, 10))), [12])
})

test('everything that is counted is a column of one select', () => {
  const { departures } = holders()
  const { sql: text } = db.selectFrom('users').select(departures('users').counts).compile()
  assert.equal(text, 'select 2 as "bCount", 3 as "cCount", 4 as "dCount" from "users"')
})
