import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { openObjects, probeObjects } from './open.ts'

test('objects go to the bucket if one is configured, else to the disk', async (t) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'bawaba-open-'))
  t.after(() => rm(DATA_DIR, { recursive: true }))
  const put = async (env: Record<string, string>) => {
    const objects = await openObjects(readConfig({ DATA_DIR, ...env }))
    return objects.put((async function* () {})(), 0).finally(objects.close)
  }
  const nobodyThere = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'portal', S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'x' }
  await assert.rejects(put(nobodyThere), { code: 'unavailable' })
  assert.deepEqual(await readdir(DATA_DIR), [])
  const key = await put({})
  assert.deepEqual(await readdir(join(DATA_DIR, 'objects')), [key])
})

test('the start stores and removes an object: a permanent failure stops it, a temporary one is a warning', async (t) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'bawaba-open-'))
  t.after(() => rm(DATA_DIR, { recursive: true }))
  const warnings: string[] = []
  const probe = (env: Record<string, string>) => probeObjects(readConfig(env), (line) => warnings.push(line))
  await probe({ DATA_DIR })
  assert.deepEqual([warnings, await readdir(join(DATA_DIR, 'objects'))], [[], []])
  await writeFile(join(DATA_DIR, 'file'), '')
  await assert.rejects(probe({ DATA_DIR: join(DATA_DIR, 'file') }), /^Error: DATA_DIR: ENOTDIR/)
  await probe({ DATA_DIR, S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'portal', S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'x' })
  assert.equal(warnings.length, 1)
})
