/** On a full disk, writes are refused, and everything continues once there is space. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { sendSignal } from '../server/platform/postgres/processes.ts'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { serversOf } from './clusters.ts'
import { PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'
import { scratch } from './scratch.ts'

const { makeUsedFolder, startPortal } = portals()

const SIZE = '512m'
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** How much of a log is shown, in characters. */
const LOGGED = 4000
const TEXT = 'long '.repeat(2000)

/** A small disk with a copy of a used folder; null if this account may not mount one. */
async function mountSmallDisk(t: TestContext) {
  const disk = mkdtempSync(join(scratch, 'bawaba-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=711`, 'tmpfs', disk])
  t.after(async () => {
    for (const pid of serversOf(disk)) sendSignal(pid, 'SIGKILL')
    await until('the database is gone', () => serversOf(disk).length === 0)
    if (status === 0) execFileSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  })
  if (status !== 0) return null
  execFileSync('cp', ['-a', `${await makeUsedFolder()}/.`, disk])
  return disk
}

/** Fills all free space, to the last byte. */
function fill(disk: string) {
  const file = openSync(join(disk, 'ballast'), 'a')
  for (const chunk of [CHUNK, CHUNK.subarray(0, 512)])
    for (;;) {
      try {
        writeSync(file, chunk)
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
        break
      }
    }
  closeSync(file)
}

interface Counts {
  refused: number
  read: number
  unread: number
}

/** Writes and reads while the disk fills up and stays full until `whileFull` ends. Asserts that the portal recovers and loses nothing. */
async function survive(t: TestContext, whileFull: (disk: string, counts: Counts) => Promise<void>) {
  const disk = await mountSmallDisk(t)
  if (!disk) return t.skip('this account, or this machine, may not mount a disk')
  const portal = await startPortal({ DATA_DIR: disk, LOG_LEVEL: 'warn' })
  const admin = await portal.stranger().signIn('admin')
  const acknowledged = new Set<number>()
  const counts = { refused: 0, read: 0, unread: 0 }
  let isOver = false
  const keepWriting = async () => {
    while (!isOver) {
      const { status, body, headers } = await admin.post('/notes', { title: 'A note', content: TEXT })
      if (status === 201) acknowledged.add(body.id)
      else assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '1'])
      counts.refused += Number(status !== 201)
    }
  }
  const keepReading = async () => {
    while (!isOver) {
      const { status, body } = await admin.get('/auth/me')
      if (status !== 200) assert.deepEqual([status, body.code], [503, 'unavailable'])
      counts[status === 200 ? 'read' : 'unread']++
    }
  }
  const bytes = Buffer.alloc(3_000_000, 'x')
  const wanted = { name: 'a.txt', size: bytes.length, contentType: 'text/plain' }
  const { uploadURL, objectPath } = (await admin.post('/storage/uploads/request-url', wanted)).body
  const { pathname, search } = new URL(uploadURL)
  const upload = async () =>
    (await fetch(portal.base + pathname + search, { method: 'PUT', body: bytes, headers: { 'content-type': 'text/plain' } })).status

  const working = Promise.all([keepWriting(), keepWriting(), keepReading()])
  await until('some are written', () => acknowledged.size > 20)
  fill(disk)
  assert.equal(await upload(), 503)
  await until('writing is refused', () => {
    fill(disk)
    return counts.refused > 20
  })
  await whileFull(disk, counts)
  const before = acknowledged.size
  t.diagnostic(`until there was room: ${before} written, ${counts.refused} refused; ${counts.read} read, ${counts.unread} refused`)
  rmSync(join(disk, 'ballast'))
  await until('writing goes on by itself', () => acknowledged.size > before + 20).catch((failure) => {
    t.diagnostic(`${counts.refused} refused, ${counts.read} read, ${counts.unread} not; the database and the portal say:`)
    t.diagnostic(readFileSync(join(disk, 'postgres.log'), 'utf8').slice(-LOGGED))
    t.diagnostic(JSON.stringify(portal.logged()).slice(-LOGGED))
    throw failure
  })
  isOver = true
  await working
  assert.equal(await upload(), 204)
  assert.equal((await admin.get(`/storage${objectPath}`)).text.length, bytes.length)

  const present = new Set<number>((await admin.get('/notes')).body.map(({ id }: { id: number }) => id))
  const lost = [...acknowledged].filter((id) => !present.has(id))
  t.diagnostic(`${acknowledged.size} acknowledged, ${lost.length} lost`)
  assert.deepEqual(lost, [])
  assert.equal((await portal.stop()).code, 0)
  await (await startPortal({ DATA_DIR: disk })).stranger().signIn('admin', PASSWORD)
}

test('on a full disk no acknowledged write is lost: writes are refused, reads work, and everything continues once there is space', (t) =>
  survive(t, async (_disk, counts) => {
    const { read } = counts
    await until('reading goes on', () => counts.read > read + 20)
  }))

test('on a disk too full for its log the database stops: all requests are refused, and everything continues once there is space', (t) =>
  survive(t, async (disk, counts) => {
    const { owner, release } = await borrowPostgres(disk)
    const client = new pg.Client(owner)
    let isLost = false
    client.on('error', () => {
      isLost = true
    })
    await client.connect()
    while (!isLost) await client.query(`select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`).catch(() => {})
    await release()
    await until('it cannot be started', () => {
      fill(disk)
      return counts.unread > 20
    })
  }))
