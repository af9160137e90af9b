/** Stored objects move from the disk into a bucket while people read and add them. */
import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { addressOf } from '../server/platform/database/db.ts'
import { objectStore } from './object-stores.ts'
import { openInstance, testPortal } from './portal.ts'
import { portals } from './process.ts'
import { portalRole } from './setup.ts'
import { text, uploads } from './uploads.ts'

const { runScript } = portals()

describe('moving objects', () => {
  const both = objectStore('bucket')
  const disk: Record<string, string> & AsyncDisposable = { [Symbol.asyncDispose]: () => both[Symbol.asyncDispose]() }
  before(() => {
    disk['DATA_DIR'] = both['DATA_DIR']!
  })
  const portal = testPortal(disk)
  const { stored, read } = uploads(portal)
  const onDisk = () => readdirSync(join(disk['DATA_DIR']!, 'objects'))
  const move = () => runScript('admin', ['move-objects'], { ...both, DATABASE_URL: addressOf({ ...portal.connection, ...portalRole() }) })

  test('a portal that switches to a bucket serves objects from the disk until they are moved; damaged ones stay on the disk', async () => {
    const sizes = [1, 1000, 70_000, 3_000_000, 10, 20]
    const places = await Promise.all(sizes.map((size, at) => stored(text(size, `${at}`))))
    const [damaged, lost] = places.splice(4)
    const keyOf = async ({ uuid }: { uuid: string }) =>
      (await portal.sql<{ key: string }>('select key from objects where uuid = $1', [uuid]))[0]!.key
    const damagedKey = await keyOf(damaged!)
    appendFileSync(join(disk['DATA_DIR']!, 'objects', damagedKey), 'x')
    rmSync(join(disk['DATA_DIR']!, 'objects', await keyOf(lost!)))
    assert.equal(onDisk().length, 5)

    const withBucket = await openInstance(portal.connection, both)
    after(withBucket.close)
    const readThere = async (path: string) => {
      const answer = await fetch(`${withBucket.base}/api${path}`, { headers: { cookie: portal.admin.cookie } })
      return [answer.status, Buffer.from(await answer.arrayBuffer()).length]
    }
    const isServed = async () =>
      assert.deepEqual(
        await Promise.all(places.map(({ path }) => readThere(path))),
        sizes.slice(0, 4).map((size) => [200, size]),
      )
    await isServed()
    const later = await stored(text(30), { base: withBucket.base })
    assert.equal(onDisk().length, 5)
    assert.deepEqual(await readThere(later.path), [200, 30])
    assert.equal((await read(later.path)).status, 404)

    let isOver = false
    const reading = (async () => {
      while (!isOver) await isServed()
    })()
    const { code, out, err } = await move()
    isOver = true
    await reading
    assert.deepEqual([code, out, onDisk()], [1, 'Moved 4 objects into the bucket.\n', [damagedKey]])
    assert.deepEqual(
      err.trim().split('\n').toSorted(),
      [
        `${damagedKey} has other bytes than were uploaded, and stays in DATA_DIR`,
        `${await keyOf(lost!)} is neither in DATA_DIR nor in the bucket`,
      ].toSorted(),
    )
    await isServed()
    assert.equal((await move()).out, 'Moved 0 objects into the bucket.\n')
    await isServed()
  })

  test('objects that the bucket already has are not sent again, and without a bucket nothing is moved', async () => {
    const place = await stored(text(40, 'again'))
    const [{ key }] = (await portal.sql<{ key: string }>('select key from objects where uuid = $1', [place.uuid])) as [{ key: string }]
    const withBucket = await openInstance(portal.connection, both)
    after(withBucket.close)
    await withBucket.objects.put(await portal.instance.objects.read(key, { start: 0, end: 39 }), 40, key)
    assert.match((await move()).out, /^Moved 1 objects/)
    const bytes = await withBucket.objects.read(key, { start: 0, end: 39 })
    assert.equal((await bytes.toArray()).join(''), String(text(40, 'again')))
    const { code, err } = await runScript('admin', ['move-objects'], {
      ...disk,
      DATABASE_URL: addressOf({ ...portal.connection, ...portalRole() }),
    })
    assert.deepEqual([code, err], [1, 'S3_BUCKET: unset, and there is no other place for objects than DATA_DIR\n'])
  })
})
