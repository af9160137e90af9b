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

/** A listener and its reports. */
function newListener(connection = clone.connection) {
  const reported = { commits: 0, errors: [] as unknown[] }
  const listener = openListener(
    connection,
    () => reported.commits++,
    (error) => reported.errors.push(error),
  )
  return { ...listener, reported }
}
const commit = () => client.query('notify bawaba_events')
async function connections() {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'bawaba events' and datname = current_database()`,
  )
  return rows
}

test('a commit on another connection is reported', async () => {
  const { listen, close, reported } = newListener()
  await listen()
  await commit()
  await until('the commit is reported', () => reported.commits === 1)
  await close()
  assert.deepEqual(reported, { commits: 1, errors: [] })
})

test('a closed listener ends its connection and opens no other', async () => {
  const { listen, close, reported } = newListener()
  await listen()
  await close()
  await until('its connection is closed', async () => (await connections()).length === 0)
  await listen()
  assert.deepEqual([await connections(), reported], [[], { commits: 0, errors: [] }])
})

test('a listener keeps one connection when it is called several times', async () => {
  const { listen, close } = newListener()
  await Promise.all([listen(), listen()])
  await listen()
  assert.equal((await connections()).length, 1)
  await close()
})

test('a lost connection is reported, and replaced at the next call', async () => {
  const { listen, close, reported } = newListener()
  await listen()
  const [lost] = await connections()
  await client.query('select pg_terminate_backend($1)', [lost!.pid])
  await until('the loss is reported', () => reported.errors.length > 0)
  await until('it listens again', async () => {
    await listen()
    const [found] = await connections()
    return found && found.pid !== lost!.pid
  })
  await commit()
  await until('the commit is reported', () => reported.commits === 1)
  await close()
})

const unreachable = () => newListener({ ...clone.connection, host: '127.0.0.1', port: 1 })

test('an unreachable database is reported each time', async () => {
  const { listen, close, reported } = unreachable()
  for (const tries of [1, 2]) {
    await listen()
    assert.equal(reported.errors.length, tries)
  }
  await close()
})

test('a listener that never connected can be closed, and then does not try again', async () => {
  const { listen, close, reported } = unreachable()
  await close()
  await listen()
  assert.deepEqual(reported, { commits: 0, errors: [] })
})
