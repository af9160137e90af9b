/** One empty object store of each kind: a folder, and a bucket of a real S3-compatible server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before } from 'node:test'
import S3rver from 's3rver'

export type StoreName = 'folder' | 'bucket'
export const storeNames: StoreName[] = ['folder', 'bucket']

/**
 * The configuration of a store. A hook fills it in, so call this before `testPortal`. The portal that gets the configuration removes the
 * store when it closes.
 */
export function objectStore(name: StoreName) {
  const env: Record<string, string> & AsyncDisposable = {
    async [Symbol.asyncDispose]() {
      await server?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  let folder: string
  let server: S3rver | undefined
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bawaba-objects-'))
    env['DATA_DIR'] = folder
    if (name === 'folder') return
    server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets: [{ name: 'portal' }] })
    const { port } = await server.run()
    env['S3_ENDPOINT'] = `http://127.0.0.1:${port}`
    env['S3_BUCKET'] = 'portal'
    env['S3_ACCESS_KEY_ID'] = env['S3_SECRET_ACCESS_KEY'] = 'S3RVER'
  })
  return env
}
