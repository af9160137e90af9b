import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { ADMIN_PASSWORD, until } from '../../../test/portal.ts'
import { portals } from '../../../test/process.ts'

const { makeFolder, makeMigratedDatabase, startPortal } = portals()

test('killing the server during an upload leaves no object, and the object of an acknowledged upload stays', async () => {
  const folder = makeFolder()
  const { url } = await makeMigratedDatabase()
  const settings = { DATABASE_URL: url, DATA_DIR: folder, ADMIN_PASSWORD, LOG_LEVEL: 'silent' }
  const first = await startPortal(settings)
  const admin = await first.stranger().signIn('admin', ADMIN_PASSWORD)
  const place = async () => {
    const { body } = await admin.post('/storage/uploads/request-url', { name: 'a', size: 1_000_000, contentType: 'a/b' })
    const { pathname, search } = new URL(body.uploadURL)
    return { path: `/storage${body.objectPath}`, address: pathname + search }
  }
  const [whole, half] = [await place(), await place()]
  const headers = { 'content-type': 'a/b' }
  const answer = await fetch(first.base + whole.address, { method: 'PUT', headers, body: new Uint8Array(1_000_000) })
  assert.equal(answer.status, 204)

  const socket = connect(first.port, '127.0.0.1').on('error', () => {})
  socket.write(`PUT ${half.address} HTTP/1.1\r\nHost: portal\r\nContent-Type: a/b\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(500_000)}`)
  const parts = () => readdirSync(join(folder, 'objects')).filter((name) => name.endsWith('.part'))
  await until('the bytes are on their way', () => parts().length === 1)
  await first.stop('SIGKILL')
  socket.destroy()

  const second = await startPortal(settings)
  const back = await second.stranger().signIn('admin', ADMIN_PASSWORD)
  assert.deepEqual([(await back.get(whole.path)).status, (await back.get(half.path)).status], [200, 404])
  const again = await fetch(second.base + half.address, { method: 'PUT', headers, body: new Uint8Array(1_000_000) })
  assert.deepEqual([again.status, (await back.get(half.path)).status], [204, 200])
})
