import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { house, openInstance, until, Visitor } from '../../../test/house.ts'
import { withClient } from './client.ts'
import { addressesOf, connectionOf } from './several-hosts.ts'

const portal = house()

/** A host that leads to the database while it is open. */
async function openHost() {
  const { host, port } = portal.connection
  const state = { isOpen: false, port: 0, taken: 0 }
  const server = createServer((near) => {
    if (!state.isOpen) return near.destroy()
    state.taken++
    const far = connect(`${host}/.s.PGSQL.${port}`)
    near.pipe(far).pipe(near)
    const cut = setInterval(() => state.isOpen || near.destroy(), 20)
    for (const socket of [near, far]) socket.on('error', () => {}).on('close', () => clearInterval(cut))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.port = (server.address() as { port: number }).port
  return { state, close: () => server.close() }
}

test('a portal that is given several hosts finds the one that is the primary, again and again', async (t) => {
  const [one, two] = [await openHost(), await openHost()]
  t.after(() => [one, two].forEach(({ close }) => void close()))
  const { user, password, database } = portal.connection
  const address = `postgres://${user}:${password}@127.0.0.1:${one.state.port},127.0.0.1:${two.state.port}/${database}?target_session_attrs=read-write`
  await assert.rejects(
    withClient(connectionOf(address), async () => {}),
    /Connection terminated|ECONNRESET/,
  )
  two.state.isOpen = true
  const instance = await openInstance(connectionOf(address))
  t.after(instance.close)
  const visitor = Object.assign(new Visitor(instance.base), { cookie: portal.admin.cookie })
  assert.equal((await visitor.post('/notes', { title: 'There' })).status, 201)
  assert.equal(one.state.taken, 0)
  one.state.isOpen = true
  two.state.isOpen = false
  await until('the other is found', async () => (await visitor.post('/notes', { title: 'Elsewhere' })).status === 201)
  assert.ok(one.state.taken > 0)
})

test('an address is that of each of its hosts, and of a primary alone', () => {
  assert.deepEqual(addressesOf('postgres://a:b@one,two:6432/c?x=y'), ['postgres://a:b@one/c?x=y', 'postgres://a:b@two:6432/c?x=y'])
  assert.deepEqual(addressesOf('postgres://a:b@one/c?x=1,2'), ['postgres://a:b@one/c?x=1,2'])
  assert.equal(addressesOf('postgres://a:b@one,two/c?target_session_attrs=any'), undefined)
})
