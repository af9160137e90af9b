import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase, until } from '../../../test/portal.ts'
import { openListener } from './listener.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let client: pg.Client
before(async () => {
  clone = await cloneDatabase()
  client = new pg.Client(clone.connection)
  await client.connect()
})
after(async () => {
  await client.end()
  await clone.drop()
})

/** A listener, and what it told. */
function opened(connection = clone.connection) {
  const told = { commits: 0, errors: [] as unknown[] }
  const listener = openListener(
    connection,
    () => told.commits++,
    (error) => told.errors.push(error),
  )
  return { ...listener, told }
}
const commit = () => client.query('notify bawaba_events')
const connections = async () =>
  (
    await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'bawaba events' and datname = current_database()`,
    )
  ).rows

test('it hears of what is committed elsewhere until it is closed', async () => {
  const { listen, close, told } = opened()
  await listen()
  await commit()
  await until('it has heard', () => told.commits === 1)
  await close()
  await until('its connection is gone', async () => (await connections()).length === 0)
  await listen()
  assert.deepEqual([await connections(), told], [[], { commits: 1, errors: [] }])
})

test('asked again and again it keeps to one connection', async () => {
  const { listen, close } = opened()
  await Promise.all([listen(), listen()])
  await listen()
  assert.equal((await connections()).length, 1)
  await close()
})

test('a connection that is lost is told of, and made anew when it is asked again', async () => {
  const { listen, close, told } = opened()
  await listen()
  const [lost] = await connections()
  await client.query('select pg_terminate_backend($1)', [lost!.pid])
  await until('it has told', () => told.errors.length > 0)
  await until('it listens again', async () => {
    await listen()
    const [found] = await connections()
    return found && found.pid !== lost!.pid
  })
  await commit()
  await until('it has heard', () => told.commits === 1)
  await close()
})

test('a database that cannot be reached is told of each time, and closing needs none', async () => {
  const { listen, close, told } = opened({ ...clone.connection, host: '127.0.0.1', port: 1 })
  await close()
  const { listen: tryOn, close: closeOther, told: toldOther } = opened({ ...clone.connection, host: '127.0.0.1', port: 1 })
  for (const tries of [1, 2]) {
    await tryOn()
    assert.equal(toldOther.errors.length, tries)
  }
  await closeOther()
  await listen()
  assert.deepEqual(told, { commits: 0, errors: [] })
})
