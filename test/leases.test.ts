/** A person’s open streams and uploads are counted over all instances. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './makers.ts'
import { Client, testPortal, until } from './portal.ts'
import { uploads } from './uploads.ts'

const portal = testPortal()
const make = makers(portal)
const { placeFor, put } = uploads(portal)

/** A client of a person at another instance. */
const at = (base: string, { cookie }: Client) => Object.assign(new Client(base), { cookie })
const open = (who: Client, streams: number) => Promise.all(Array.from({ length: streams }, () => who.listen()))
const statusesOf = (streams: { status: number }[]) => streams.map(({ status }) => status).sort()
const isRefused = async (who: Client) => (await who.get('/events')).status === 429

test('64 attempts at two instances open 20 streams of a person, and one more after one ends', async () => {
  const { base } = await portal.another()
  const here = await make.newPerson()
  const there = at(base, here)
  const streams = (await Promise.all([open(here, 32), open(there, 32)])).flat()
  assert.deepEqual(statusesOf(streams), [...Array(20).fill(200), ...Array(44).fill(429)])
  assert.deepEqual([await isRefused(here), await isRefused(there)], [true, true])
  const [one, ...others] = streams.filter(({ status }) => status === 200)
  one!.close()
  await until('there is room at both', async () => {
    const [more] = await open(there, 1)
    others.push(more!)
    return more!.status === 200
  })
  assert.ok(await isRefused(here))
  for (const stream of others) stream.close()
})

test('an upload at one instance blocks a second upload of the object at another instance until the first ends', async () => {
  const { base } = await portal.another()
  const place = await placeFor(2)
  const elsewhere = { ...place, address: place.address.replace(portal.base, base) }
  const half = Promise.withResolvers<void>()
  async function* slowly() {
    yield Buffer.from('a')
    await half.promise
    yield Buffer.from('b')
  }
  const first = put(place, slowly(), { 'content-length': '2' })
  await until('it is under way', async () => (await portal.sql(`select from leases where key like 'transfer %'`)).length)
  const second = await until('the second is refused', async () => {
    const answer = await put(elsewhere, Buffer.from('xyz'), { 'content-length': '3' })
    return answer.status === 409 ? answer : null
  })
  assert.equal(second.body.code, 'upload_under_way')
  half.resolve()
  assert.equal((await first).status, 204)
  await until('it may be tried again', async () => (await put(elsewhere, Buffer.from('ab'))).body.code === 'invalid_token')
})

test('streams of an instance that loses its database connection stay open and still count', async () => {
  const person = await make.newPerson()
  const streams = await open(person, 20)
  await portal.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bawaba leases' and datname = current_database()`,
  )
  await until('they are counted again', async () => {
    const [{ held }] = (await portal.sql<{ held: number }>(
      `select coalesce(sum(held), 0)::int as held from leases where key = 'streams of ${person.id}' and not is_gone(holder)`,
    )) as [{ held: number }]
    return held === 20
  })
  assert.ok(await isRefused(person))
  assert.ok(streams.every(({ isOpen }) => isOpen))
  for (const stream of streams) stream.close()
})
