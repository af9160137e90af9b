import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCertificate } from '../../../test/certificate.ts'
import { Client, openInstance, testPortal, until } from '../../../test/portal.ts'
import { scratch } from '../../../test/scratch.ts'
import { leadTo, listen, listenSecurely } from '../../../test/tcp-way.ts'
import { withClient } from './client.ts'
import { addressesOf, connectionOf } from './several-hosts.ts'

const portal = testPortal()

/** A proxy to the database that can be opened and closed. */
async function openHost() {
  const state = { isOpen: false, port: 0, taken: 0 }
  const lead = leadTo(portal.connection)
  state.port = await listen((near) => {
    if (!state.isOpen) return near.destroy()
    state.taken++
    lead(near)
    const cut = setInterval(() => state.isOpen || near.destroy(), 20)
    near.on('close', () => clearInterval(cut))
  })
  return state
}

test('a portal with several hosts finds the primary, again after each change', async (t) => {
  const [one, two] = [await openHost(), await openHost()]
  const { user, password, database } = portal.connection
  const address = `postgres://${user}:${password}@127.0.0.1:${one.port},127.0.0.1:${two.port}/${database}?target_session_attrs=read-write`
  await assert.rejects(
    withClient(connectionOf(address), async () => {}),
    /Connection terminated|ECONNRESET/,
  )
  two.isOpen = true
  const instance = await openInstance(connectionOf(address))
  t.after(instance.close)
  const client = Object.assign(new Client(instance.base), { cookie: portal.admin.cookie })
  assert.equal((await client.post('/notes', { title: 'There' })).status, 201)
  assert.equal(one.taken, 0)
  one.isOpen = true
  two.isOpen = false
  await until('the other is found', async () => (await client.post('/notes', { title: 'Elsewhere' })).status === 201)
  assert.ok(one.taken > 0)
})

/** A TLS proxy to the database that presents these certificates in turn. */
async function openSecured(...certificates: ReturnType<typeof makeCertificate>[]) {
  const state = { port: 0, taken: 0 }
  state.port = await listenSecurely(() => certificates[state.taken++ % certificates.length]!, leadTo(portal.connection))
  return state
}

test('each host must present a certificate for its own name, to the search for the primary and to the connection itself', async (t) => {
  const [own, others] = [makeCertificate('localhost'), makeCertificate('elsewhere')]
  const folder = mkdtempSync(join(scratch, 'bawaba-test-'))
  const authorities = join(folder, 'ca.pem')
  writeFileSync(authorities, own.cert + others.cert)
  const [closed, honest, turning] = [await openHost(), await openSecured(own), await openSecured(own, others)]
  t.after(() => rmSync(folder, { recursive: true }))
  const { user, password, database } = portal.connection
  const ask = (hosts: string) =>
    withClient(
      connectionOf(`postgres://${user}:${password}@${hosts}/${database}?sslmode=verify-full&sslrootcert=${authorities}`),
      async (client) => (await client.query('select current_database() as name')).rows[0].name,
    )
  assert.equal(await ask(`localhost:${closed.port},localhost:${honest.port}`), database)
  await assert.rejects(ask(`127.0.0.1:${honest.port},localhost:${closed.port}`), /127\.0\.0\.1 is not in the cert/)
  const before = honest.taken
  assert.equal(await ask(`127.0.0.1:${honest.port},localhost:${honest.port}`), database)
  assert.equal(honest.taken - before, 3)
  await assert.rejects(ask(`localhost:${closed.port},localhost:${turning.port}`), /localhost. is not in the cert/)
  assert.equal(turning.taken, 2)
})

test('an address with several hosts gives one address per host, if it asks for the primary', () => {
  assert.deepEqual(addressesOf('postgres://a:b@one,two:6432/c?x=y'), ['postgres://a:b@one/c?x=y', 'postgres://a:b@two:6432/c?x=y'])
  assert.deepEqual(addressesOf('postgres://a:b@one/c?x=1,2'), ['postgres://a:b@one/c?x=1,2'])
  assert.equal(addressesOf('postgres://a:b@one,two/c?target_session_attrs=any'), undefined)
})
