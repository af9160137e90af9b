import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFolder } from './folder.ts'

const made: string[] = []
after(async () => {
  for (const folder of made) await rm(folder, { recursive: true })
})
async function opened() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bawaba-folder-'))
  made.push(dataDir)
  return { objects: openFolder(dataDir), folder: join(dataDir, 'objects') }
}
async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
const listed = async (objects: ReturnType<typeof openFolder>, time: Date) => Array.fromAsync(objects.listBefore(time))

test('an object is read as it was stored, whole or in part, and only the portal can read its file', async () => {
  const { objects, folder } = await opened()
  const key = await objects.put(bytes('hel', 'lo'), 5)
  const read = async (start: number, end: number) => (await (await objects.read(key, { start, end })).toArray()).join('')
  assert.deepEqual([await read(0, 4), await read(1, 3)], ['hello', 'ell'])
  assert.deepEqual(await readdir(folder), [key])
  assert.deepEqual([(await stat(folder)).mode & 0o777, (await stat(join(folder, key))).mode & 0o777], [0o700, 0o600])
})

test('an object whose bytes break off leaves nothing behind', async () => {
  const { objects, folder } = await opened()
  const broken = (async function* () {
    yield Buffer.from('half')
    throw new Error('broken off')
  })()
  await assert.rejects(objects.put(broken, 10), /broken off/)
  assert.deepEqual(await readdir(folder), [])
})

test('reading a missing object is refused, and removing it does nothing', async () => {
  const { objects } = await opened()
  await assert.rejects(objects.read('none', { start: 0, end: 1 }), { code: 'not_found' })
  await objects.remove('none')
  const key = await objects.put(bytes('x'), 1)
  await objects.remove(key)
  await assert.rejects(objects.read(key, { start: 0, end: 1 }), { code: 'not_found' })
  await assert.rejects(objects.read('none\0', { start: 0, end: 1 }), { code: 'ERR_INVALID_ARG_VALUE' })
})

test('files last written before a time are listed, leftovers of broken uploads included; an empty store lists nothing', async () => {
  const { objects, folder } = await opened()
  assert.deepEqual(await listed(objects, new Date()), [])
  const [old, young] = [await objects.put(bytes('a'), 1), await objects.put(bytes('b'), 1)]
  await writeFile(join(folder, 'x.part'), 'half')
  const [then, limit] = [new Date(1_000_000), new Date(2_000_000)]
  for (const key of [old, 'x.part']) await utimes(join(folder, key), then, then)
  await utimes(join(folder, young), limit, limit)
  assert.deepEqual((await listed(objects, limit)).flat().toSorted(), [old, 'x.part'].toSorted())
})

test('a file that is removed during the listing is skipped', async () => {
  const { objects, folder } = await opened()
  const key = await objects.put(bytes('a'), 1)
  await symlink(join(folder, 'nowhere'), join(folder, 'gone'))
  assert.deepEqual(await listed(objects, new Date(Date.now() + 10_000)), [[key]])
})

test('objects are listed five hundred at a time', async () => {
  const { objects, folder } = await opened()
  await objects.put(bytes('a'), 1)
  for (let number = 1; number < 1001; number++) await writeFile(join(folder, String(number)), '')
  const batches = await listed(objects, new Date(Date.now() + 10_000))
  assert.deepEqual(
    batches.map(({ length }) => length),
    [500, 500, 1],
  )
})

test('with a full disk, an object is refused as `unavailable`, and nothing of it stays', async () => {
  const { objects, folder } = await opened()
  const failing = (code: string) =>
    objects.put(
      (async function* () {
        yield Buffer.from('half')
        throw Object.assign(new Error('no space left on device'), { code })
      })(),
      8,
    )
  await assert.rejects(failing('ENOSPC'), { code: 'unavailable', message: 'the folder of objects: no space left on device' })
  await assert.rejects(failing('ECONNRESET'), { code: 'ECONNRESET' })
  assert.deepEqual(await readdir(folder), [])
})
