import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { Client, testPortal, until } from './portal.ts'

const portal = testPortal()

type Stream = Awaited<ReturnType<Client['listen']>>
const marks = (stream: Stream) => stream.seen('poke').map(({ data }) => data.mark as string)

const POKE = `insert into events (event, data, recipients) values ('poke', json_build_object('mark', $1::text), array[$2::int])`
async function poke(to: Client, mark: string) {
  await portal.sql(POKE, [mark, to.id])
  await portal.sql(`select pg_notify('bawaba_events', '')`)
}

/** A transaction that writes events and commits on demand. */
async function openWriter(to: Client) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query('begin')
  return {
    async write(...marks: string[]) {
      for (const mark of marks) await client.query(POKE, [mark, to.id])
    },
    /** Writes an event of the portal for the person. */
    async notify(event: string) {
      await client.query(`insert into events (event, data, recipients) values ($1, '{}', array[$2::int])`, [event, to.id])
    },
    async commit() {
      await client.query('commit')
      await client.end()
    },
  }
}

/** All markers, in the order in which every stream must receive them. */
const inOrder = async (to: Client) =>
  (
    await portal.sql<{ mark: string }>(
      `select data ->> 'mark' as mark from events e where event = 'poke' and recipients = array[$1::int] order by e.tx, e.id`,
      [to.id],
    )
  ).map(({ mark }) => mark)

test('without a session there is no stream', async () => {
  assert.equal((await portal.stranger().get('/events')).status, 401)
})

test('HEAD is not allowed for a stream', async () => {
  assert.equal((await portal.admin.send('HEAD', '/events')).status, 405)
})

test('transactions that commit out of order reach every stream in one order: here, at another instance, and on resuming', async () => {
  const huda = await portal.person('order')
  const elsewhere = Object.assign(new Client((await portal.another()).base), { cookie: huda.cookie })
  const here = await huda.listen()
  const there = await elsewhere.listen()

  const late = await openWriter(huda)
  await late.write('late')
  const others = await Promise.all(Array.from({ length: 12 }, () => openWriter(huda)))
  await Promise.all(others.map((writer, w) => writer.write(`${w}.0`, `${w}.1`, `${w}.2`)))
  const resumed = await huda.listen(here.lastId)
  await Promise.all(others.reverse().map((writer) => writer.commit()))
  await late.commit()

  const expected = await inOrder(huda)
  assert.equal(expected.length, 37)
  for (const stream of [here, there, resumed]) {
    await until('all have come', () => marks(stream).length >= expected.length)
    assert.deepEqual(marks(stream), expected)
  }
  const between = await elsewhere.listen(here.seen('poke')[17]!.id)
  await until('the rest has come', () => marks(between).length >= 19)
  assert.deepEqual(marks(between), expected.slice(18))
})

test('a client that keeps reconnecting misses nothing and gets nothing twice while many transactions write', async () => {
  const reader = await portal.person('restless')
  let { lastId } = await reader.listen()
  const seen: string[] = []
  let isWriting = true
  const writing = Promise.all(
    [0, 1, 2, 3].map(async (w) => {
      for (let n = 0; n < 40; n++) {
        const writer = await openWriter(reader)
        await writer.write(`${w}.${n}`)
        await writer.commit()
      }
    }),
  ).then(() => {
    isWriting = false
  })

  await poke(reader, 'first')
  while (isWriting || seen.length < 161) {
    const stream = await reader.listen(lastId)
    // A busy portal notices a closed stream late, and a person may have only twenty streams.
    if (stream.status === 429) continue
    await until('something came', () => marks(stream).length || seen.length >= 161)
    stream.close()
    await until('it is closed', () => !stream.isOpen)
    seen.push(...marks(stream))
    lastId = stream.lastId
  }
  await writing
  assert.deepEqual(seen, await inOrder(reader))
})

test('events stay in order when transaction ids gain a digit', async () => {
  const huda = await portal.person('digits')
  const stream = await huda.listen()
  const writer = await openWriter(huda)
  await writer.write('before')
  const [now] = await portal.sql<{ xid: string }>('select pg_current_xact_id()::text as xid')
  const missing = Math.min(10 ** now!.xid.length - Number(now!.xid), 100_000)
  // Each subtransaction that writes takes a transaction id.
  await portal.sql(`do $$ begin
    create temp table burnt (n int) on commit drop;
    for i in 1 .. ${missing} loop
      begin insert into burnt values (i); exception when others then null; end;
    end loop;
  end $$`)
  await poke(huda, 'after')
  await writer.commit()
  await until('both have come', () => marks(stream).length >= 2)
  assert.deepEqual(marks(stream), ['before', 'after'])
})

test('the position to resume from may be in the URL, for clients that cannot set a header', async () => {
  const huda = await portal.person('address')
  const { lastId } = await huda.listen()
  await poke(huda, 'missed')
  const stream = await huda.listen(undefined, `/events?lastEventId=${lastId}`)
  assert.deepEqual((await stream.next('poke')).data, { mark: 'missed' })
})

test('a demoted administrator does not get the administrators’ events they missed', async () => {
  const former = await portal.person('former.admin', { roles: ['admin'] })
  const { lastId } = await former.listen()
  const { id } = (await portal.admin.post('/groups', { name: 'watched' })).body
  await portal.admin.put('/admin/presence', { targetType: 'group', targetId: id, editing: true })
  await portal.admin.patch(`/groups/${id}`, { descriptionEn: 'Watched' })
  const before = await former.listen(undefined, `/events?lastEventId=${lastId}`)
  await before.next('admin_changed')
  await portal.admin.delete(`/users/${former.id}/roles/admin`)
  await poke(former, 'after')
  const after = await former.listen(undefined, `/events?lastEventId=${lastId}`)
  await after.next('poke')
  assert.deepEqual([after.seen('admin_changed'), after.seen('presence_changed')], [[], []])
})

for (const how of ['resumed', 'began'])
  test(`a demoted administrator gets no administrators’ events that became readable only after the stream ${how}`, async () => {
    const former = await portal.person(`early.admin.${how.length}`, { roles: ['admin'] })
    const { lastId } = await former.listen()
    // An older transaction that is still running keeps everybody from reading the later events.
    const older = await openWriter(former)
    await older.write('older')
    await portal.admin.post('/groups', { name: `unsettled when it ${how}` })
    await portal.admin.delete(`/users/${former.id}/roles/admin`)
    // This transaction has a higher number than all that have ended.
    const running = await openWriter(former)
    await running.write('running')
    await running.notify('admin_changed')
    const stream = await former.listen(undefined, how === 'resumed' ? `/events?lastEventId=${lastId}` : '/events')
    await older.commit()
    await running.commit()
    await poke(former, 'after')
    await until('the stream went on', () => marks(stream).includes('after'))
    assert.deepEqual([marks(stream).includes('running'), stream.seen('admin_changed')], [true, []])
  })

test('a demoted administrator gets no administrators’ events from an instance that reads late', async () => {
  const former = await portal.person('late.admin', { roles: ['admin'] })
  const group = await portal.admin.post('/groups', { name: 'read late' })
  await portal.admin.put('/admin/presence', { targetType: 'group', targetId: group.body.id, editing: true })
  const { lastId } = await former.listen()
  // Takes the only connection of the reader of new events, so that the reader has to wait.
  const connection = await portal.instance.db.pools.events.connect()
  const resume = async () => {
    await portal.admin.patch(`/groups/${group.body.id}`, { descriptionEn: 'Watched' })
    // An older transaction that is still running keeps everybody from reading the later events.
    const older = await openWriter(former)
    await older.write('older')
    await portal.admin.delete(`/users/${former.id}/roles/admin`)
    const stream = await former.listen(undefined, `/events?lastEventId=${lastId}`)
    return { stream, older }
  }
  const { stream, older } = await resume().finally(() => connection.release())
  await older.commit()
  await until('the late reader went on', () => marks(stream).includes('older'))
  assert.deepEqual(stream.seen('admin_changed'), [])
})

test('an unknown Last-Event-ID gets resync, and then later events', async () => {
  const huda = await portal.person('lost')
  const { lastId } = await huda.listen()
  const [run, tx] = lastId.split('.')
  const ids = [
    '',
    'x',
    '1.2.3',
    `00000000.${tx}.1`,
    `${run}.${tx}`,
    `${run}.${tx}.1.1`,
    `${run}.9999999999999999999.1`,
    `${run}.-1.1`,
    `${run}.1e3.1`,
    'é'.repeat(20),
  ]
  for (const id of ids) {
    const stream = await huda.listen(encodeURI(id))
    await poke(huda, `after ${id}`)
    await stream.next('poke')
    assert.deepEqual(
      stream.events.map(({ event }) => event),
      ['resync', 'poke'],
      id,
    )
    stream.close()
  }
  assert.equal((await huda.get(`/events?lastEventId=${'1'.repeat(101)}`)).status, 400)
})

test('a stream that missed more than one page gets all of it, once', async () => {
  const huda = await portal.person('away')
  const { lastId } = await huda.listen()
  await portal.sql(
    `insert into events (event, data, recipients) select 'poke', json_build_object('mark', n::text), array[${huda.id}] from generate_series(1, 2500) as n`,
  )
  const stream = await huda.listen(lastId)
  await until('all have come', () => marks(stream).length >= 2500)
  assert.deepEqual(
    marks(stream),
    Array.from({ length: 2500 }, (_, n) => String(n + 1)),
  )
})

test('an event for everyone reaches everyone; one with recipients reaches only the recipients', async () => {
  const [huda, salem] = [await portal.person('some'), await portal.person('someone')]
  const streams = [await huda.listen(), await salem.listen()]
  await portal.sql(`insert into events (event, data, recipients) values ('poke', '{"mark": "nobody"}', '{}')`)
  await poke(huda, 'her')
  await portal.sql(`insert into events (event, data, recipients) values ('poke', '{"mark": "all"}', null)`)
  for (const stream of streams) await stream.next('poke', ({ mark }) => mark === 'all')
  assert.deepEqual(streams.map(marks), [['her', 'all'], ['all']])
  const again = await salem.listen(streams[1]!.events[0]!.id)
  await poke(salem, 'his')
  await again.next('poke')
  assert.deepEqual(marks(again), ['his'])
})

test('after the listening connection is lost, events still arrive, and the connection is reopened', async () => {
  const huda = await portal.person('deaf')
  const stream = await huda.listen()
  const listeners = `from pg_stat_activity where application_name = 'bawaba events' and datname = current_database()`
  const before = await portal.sql<{ pid: number }>(`select pid ${listeners}`)
  await portal.sql(`select pg_terminate_backend(pid) ${listeners}`)
  await poke(huda, 'heard')
  await stream.next('poke')
  await until('they listen again', async () => (await portal.sql(`select ${listeners}`)).length === before.length)
})

// This test is last, because an instance that never polls does not reconnect its listener either.
test('a commit at another instance arrives by notification, without polling', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const near = await portal.another()
  t.mock.timers.reset()
  const huda = await portal.person('near')
  const far = await portal.person('far')
  const stream = await (await new Client(near.base).signIn('near')).listen()
  await portal.sql(POKE, ['unannounced', huda.id])
  await far.post('/auth/logout')
  await stream.next('poke', ({ mark }) => mark === 'unannounced')
})
