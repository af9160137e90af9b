import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import type { Tables } from '../tables.ts'
import { deletionHook, openDeletionHooks } from './deletion-hooks.ts'

/** Compiles statements without a database. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (own) => new PostgresIntrospector(own),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const within = <T>(work: (tx: Tx) => Promise<T>) => db.transaction().execute(work)

const calls: string[] = []
beforeEach(() => void calls.splice(0))
/** A hook that records its call. */
const records = (name: string) => async (_tx: Tx, id: number) => void calls.push(`${name} ${id}`)
/** A hook that returns a change for each offset: of the person whose id is the given one plus the offset. */
const changes =
  (...offsets: number[]) =>
  async (_tx: Tx, id: number) =>
    offsets.map((offset) => ({ kind: 'user.preferences_changed', targetId: id + offset, facts: { changed: {} } }) as const)
const targetsOf = (all: { targetId: number }[]) => all.map(({ targetId }) => targetId)

const [two, three, four] = [sql<number>`2`, sql<number>`3`, sql<number>`4`]
const deletionHooks = openDeletionHooks([
  deletionHook({ of: 'users', columns: ['a.user_id'], lock: records('lock a'), gone: records('gone a') }),
  deletionHook({
    of: 'users',
    columns: ['b.user_id'],
    counts: { bCount: two, cCount: three },
    lock: records('lock b'),
    leaves: changes(0, 1),
    deactivates: async (tx, ids) => (await Promise.all(ids.map((id) => changes(2)(tx, id)))).flat(),
  }),
  deletionHook({ of: 'users', columns: ['c.user_id'], counts: { dCount: four }, leaves: changes(3) }),
  deletionHook({ of: 'roles', columns: ['a.role_id'], counts: { aCount: two }, lock: records('lock role'), gone: records('gone role') }),
])

test('locking a row runs the locks of all its table’s holders, in the order of the list', async () => {
  await within((tx) => deletionHooks('users').lock(tx, 7))
  assert.deepEqual(calls, ['lock a 7', 'lock b 7'])
})

test('a removal returns the changes of all holders in order, and runs `gone` once the row is deleted', async () => {
  const removed = await within((tx) => deletionHooks('users').remove(tx, 10, async () => calls.push('removed')))
  assert.deepEqual(
    [targetsOf(removed), calls],
    [
      [10, 11, 13],
      ['removed', 'gone a 10'],
    ],
  )
})

test('a deactivation returns the changes of the holders concerned', async () => {
  assert.deepEqual(targetsOf(await within((tx) => deletionHooks('users').deactivate(tx, [10, 20]))), [12, 22])
})

test('all counts are columns of one select', () => {
  const { sql: text } = db.selectFrom('users').select(deletionHooks('users').counts).compile()
  assert.equal(text, 'select 2 as "bCount", 3 as "cCount", 4 as "dCount" from "users"')
})
