import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal, until } from '../../../test/portal.ts'
import { record } from '../../lists/recording.ts'
import type { Tx } from '../database/db.ts'
import { changed, unchanged } from './outcome.ts'
import { retrying, transactor } from './transact.ts'

const portal = testPortal()
const database = () => portal.instance.db
/** An id that no person has, so that changes to it are never gathered with earlier ones. */
const NOBODY = 2147483647
const ACCESS = { locks: 'access' } as const

/** A transactor like that of another process, and the number of commits that it has announced. */
function opened() {
  const counts = { announcements: 0 }
  return { transact: transactor(database(), record, [], () => counts.announcements++), counts }
}
const chief = () => ({ id: portal.admin.id, username: 'admin' })
const deactivate = (tx: Tx, id: number) => tx.updateTable('users').set({ isActive: false }).where('id', '=', id).execute()
const altered = (targetId: number) => ({ kind: 'user.preferences_changed', targetId, facts: { changed: {} } }) as const

/** Work that blocks until the test releases it. */
function held() {
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = async () => {
    begun.resolve()
    await go.promise
    return unchanged('held')
  }
  return { work, begun: begun.promise, letGo: go.resolve }
}
const waitingForLocks = async () =>
  (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length
const busyConnections = () => database().pools.write.totalCount - database().pools.write.idleCount

test('a change of access by a person who is no administrator is refused before it runs', async () => {
  const huda = await portal.person('huda')
  let isDone = false
  const work = async () => {
    isDone = true
    return unchanged(null)
  }
  await assert.rejects(opened().transact({ id: huda.id, username: 'huda' }, work, ACCESS), { code: 'forbidden' })
  assert.equal(isDone, false)
  assert.equal(await opened().transact(chief(), async () => unchanged('done'), ACCESS), 'done')
})

test('a change that affects nobody’s access needs no administrator', async () => {
  const salem = await portal.person('salem')
  assert.equal(await opened().transact({ id: salem.id, username: 'salem' }, async () => unchanged('done')), 'done')
})

test('the portal itself may change access, but must leave an administrator', async () => {
  const { transact } = opened()
  assert.equal(await transact(null, async () => unchanged('done'), ACCESS), 'done')
  const work = async (tx: Tx) => {
    await deactivate(tx, portal.admin.id)
    return changed(null, altered(portal.admin.id))
  }
  await assert.rejects(transact(null, work, ACCESS), { code: 'last_admin' })
  assert.deepEqual(await portal.sql('select is_active from users where id = 1'), [{ is_active: true }])
})

test('two processes change access one after the other: the second begins when the first has ended', async () => {
  const [first, second] = [held(), held()]
  const one = opened().transact(chief(), first.work, ACCESS)
  await first.begun
  let isBegun = false
  const other = opened().transact(chief(), second.work, ACCESS)
  second.begun.then(() => {
    isBegun = true
  })
  await until('the second waits for the first', waitingForLocks)
  assert.equal(isBegun, false)
  first.letGo()
  second.letGo()
  assert.deepEqual(await Promise.all([one, other]), ['held', 'held'])
})

test('changes of access in one process wait without holding a connection, and run in order of arrival, even after a failure', async () => {
  const { transact } = opened()
  const first = held()
  const done: number[] = []
  const one = transact(chief(), first.work, ACCESS)
  await first.begun
  // An announcement of an earlier commit may still use a connection.
  const onlyOneBusy = () => until('only the first has a connection', () => busyConnections() === 1)
  await onlyOneBusy()
  const others = [1, 2, 3].map((number) =>
    transact(
      chief(),
      async () => {
        done.push(number)
        if (number === 1) throw new Error('failed')
        return unchanged(number)
      },
      ACCESS,
    ),
  )
  const ends = Promise.allSettled(others)
  assert.equal(await transact(null, async () => unchanged('not access')), 'not access')
  await onlyOneBusy()
  assert.deepEqual(done, [])
  first.letGo()
  await one
  assert.deepEqual(
    (await ends).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(done, [1, 2, 3])
})

const giveUp = (code: string) => Object.assign(new Error(code), { code })

test('a transaction that was aborted in favour of another is tried four times in all; other failures are not retried', async () => {
  for (const [code, failures, tries] of [
    ['40P01', 3, 4],
    ['40001', 3, 4],
    ['40P01', 9, 4],
    ['40001', 1, 2],
    ['23505', 1, 1],
    ['40002', 1, 1],
  ] as const) {
    let count = 0
    const act = async () => {
      if (++count <= failures) throw giveUp(code)
      return 'done'
    }
    if (failures < tries) assert.equal(await retrying(act), 'done')
    else await assert.rejects(retrying(act), { code })
    assert.equal(count, tries, `${code} ${failures}`)
  }
})

test('a retried transaction leaves nothing of the first try', async () => {
  let tries = 0
  const { transact, counts } = opened()
  const reply = await transact(null, async (tx) => {
    await tx
      .updateTable('users')
      .set({ displayNameEn: `Try ${++tries}` })
      .where('id', '=', portal.admin.id)
      .execute()
    if (tries === 1) throw giveUp('40P01')
    return changed(tries, altered(portal.admin.id))
  })
  assert.equal(reply, 2)
  assert.equal(counts.announcements, 1)
  assert.deepEqual(await portal.sql('select display_name_en as name from users where id = 1'), [{ name: 'Try 2' }])
})

test('a change is announced once it is committed; unchanged or failed work is not', async () => {
  const seen: Promise<object[]>[] = []
  const events = () => portal.sql(`select from ledger where kind = 'user.preferences_changed' and facts ->> 'mark' = 'announced'`)
  const transact = transactor(database(), record, [], () => seen.push(events()))
  await transact(null, async () => unchanged(null))
  await assert.rejects(
    transact(null, async () => {
      throw new Error('failed')
    }),
  )
  assert.deepEqual(seen, [])
  const facts = { changed: {}, mark: 'announced' }
  await transact(null, async () => changed(null, { kind: 'user.preferences_changed', targetId: NOBODY, facts }))
  assert.deepEqual(
    (await Promise.all(seen)).map(({ length }) => length),
    [1],
  )
})
