import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { openFolder } from './folder.ts'
import { openBoth } from './moving.ts'

test('an object is read from the folder while it is there, because the bucket’s copy may be incomplete', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'bawaba-moving-'))
  t.after(() => rm(root, { recursive: true }))
  const [bucket, folder] = [openFolder(join(root, 'bucket')), openFolder(join(root, 'folder'))]
  const both = openBoth(bucket, folder)
  const bytesOf = async (size: number) => Buffer.concat(await (await both.read('key', { start: 0, end: size - 1 })).toArray()).toString()

  await folder.put(Readable.from([Buffer.from('all of it')]), 9, 'key')
  await bucket.put(Readable.from([Buffer.from('all')]), 3, 'key')
  assert.deepEqual([await both.sizeOf('key'), await bytesOf(9)], [9, 'all of it'])
  await folder.remove('key')
  assert.deepEqual([await both.sizeOf('key'), await bytesOf(3)], [3, 'all'])
  await bucket.remove('key')
  assert.equal(await both.sizeOf('key'), null)
  await assert.rejects(() => both.read('key', { start: 0, end: 0 }), { code: 'not_found' })
})
