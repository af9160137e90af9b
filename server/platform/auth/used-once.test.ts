import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal, until } from '../../../test/portal.ts'
import type { Tx } from '../database/db.ts'
import { useOnce } from './used-once.ts'

const portal = testPortal()
const soon = () => new Date(Date.now() + 60_000)
const transaction = <R>(work: (tx: Tx) => Promise<R>, instance = portal.instance) => instance.db.writes.transaction().execute(work)

test('a text can be used once, and only its hash is stored', async () => {
  assert.equal(await transaction((tx) => useOnce(tx, 'challenge a', soon())), true)
  assert.equal(await transaction((tx) => useOnce(tx, 'challenge a', soon())), false)
  assert.equal(await transaction((tx) => useOnce(tx, 'state a', soon())), true)
  assert.deepEqual(await portal.sql(`select hash from used_once where hash like '%challenge%'`), [])
})

for (const [end, isFirst] of [
  ['is committed', false],
  ['is rolled back', true],
] as const)
  test(`a second use at another instance waits, and is ${isFirst ? '' : 'not '}accepted if the first ${end}`, async () => {
    const other = await portal.another()
    const text = `challenge that ${end}`
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const one = transaction(async (tx) => {
      await useOnce(tx, text, soon())
      begun.resolve()
      await go.promise
      if (isFirst) throw new Error('rolled back')
    })
    await begun.promise
    const second = transaction((tx) => useOnce(tx, text, soon()), other)
    await until(
      'the second waits',
      async () => (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length,
    )
    go.resolve()
    await one.catch(() => {})
    assert.equal(await second, isFirst)
  })
