import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { makeCertificate } from '../../../test/certificate.ts'
import { house, openInstance, until, Visitor } from '../../../test/house.ts'
import { scratch } from '../../../test/scratch.ts'
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

/** A host with the database behind TLS, which shows its connections these certificates by turns. */
async function openSecured(...certificates: ReturnType<typeof makeCertificate>[]) {
  const { host, port } = portal.connection
  const state = { port: 0, taken: 0 }
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S')
        const near = new TLSSocket(socket, { isServer: true, ...certificates[state.taken++ % certificates.length] })
        const far = connect(`${host}/.s.PGSQL.${port}`)
        near.pipe(far).pipe(near)
        for (const end of [near, far]) end.on('error', () => {})
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.port = (server.address() as { port: number }).port
  return { state, close: () => server.close() }
}

test('each of several hosts must show a certificate of its name, to those who look for the primary and to those who go there', async (t) => {
  const [own, others] = [makeCertificate('localhost'), makeCertificate('elsewhere')]
  const folder = mkdtempSync(join(scratch, 'bawaba-test-'))
  const authorities = join(folder, 'ca.pem')
  writeFileSync(authorities, own.cert + others.cert)
  const [closed, honest, turning] = [await openHost(), await openSecured(own), await openSecured(own, others)]
  t.after(() => {
    for (const { close } of [closed, honest, turning]) close()
    rmSync(folder, { recursive: true })
  })
  const { user, password, database } = portal.connection
  const ask = (hosts: string) =>
    withClient(
      connectionOf(`postgres://${user}:${password}@${hosts}/${database}?sslmode=verify-full&sslrootcert=${authorities}`),
      async (client) => (await client.query('select current_database() as name')).rows[0].name,
    )
  assert.equal(await ask(`localhost:${closed.state.port},localhost:${honest.state.port}`), database)
  await assert.rejects(ask(`127.0.0.1:${honest.state.port},localhost:${closed.state.port}`), /127\.0\.0\.1 is not in the cert/)
  const before = honest.state.taken
  assert.equal(await ask(`127.0.0.1:${honest.state.port},localhost:${honest.state.port}`), database)
  assert.equal(honest.state.taken - before, 3)
  await assert.rejects(ask(`localhost:${closed.state.port},localhost:${turning.state.port}`), /localhost. is not in the cert/)
  assert.equal(turning.state.taken, 2)
})

test('an address is that of each of its hosts, and of a primary alone', () => {
  assert.deepEqual(addressesOf('postgres://a:b@one,two:6432/c?x=y'), ['postgres://a:b@one/c?x=y', 'postgres://a:b@two:6432/c?x=y'])
  assert.deepEqual(addressesOf('postgres://a:b@one/c?x=1,2'), ['postgres://a:b@one/c?x=1,2'])
  assert.equal(addressesOf('postgres://a:b@one,two/c?target_session_attrs=any'), undefined)
})
