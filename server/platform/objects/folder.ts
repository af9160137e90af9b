/** Objects on the local disk: one file each, in one folder. */
import { mkdir, open, opendir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal, refuse } from '../errors/refusal.ts'
import { syncFolder } from '../process/sync-folder.ts'
import type { Objects } from './store.ts'

const BATCH = 500
const RETRY_SECONDS = 30
/** The errors of a full, read-only or broken disk, and of a process without free descriptors. */
const OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

export function openFolder(dataDir: string): Objects {
  const folder = join(dataDir, 'objects')
  const pathOf = (key: string) => join(folder, key)
  const remove = (key: string) => rm(pathOf(key), { force: true })

  async function* listBefore(time: Date) {
    let keys: string[] = []
    const entries = await opendir(folder).catch((error) => (isMissing(error) ? [] : Promise.reject(error)))
    for await (const { name } of entries) {
      const written = await stat(pathOf(name)).catch((error) => (isMissing(error) ? null : Promise.reject(error)))
      if (written && written.mtime < time) keys.push(name)
      if (keys.length < BATCH) continue
      yield keys
      keys = []
    }
    if (keys.length) yield keys
  }

  async function put(bytes: AsyncIterable<Buffer>, key: string) {
    const part = `${key}.part`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // The file is created before anything can fail: a file that is created after `remove` would stay.
    const handle = await open(pathOf(part), 'wx', 0o600)
    try {
      await pipeline(bytes, handle.createWriteStream({ flush: true }))
      await rename(pathOf(part), pathOf(key))
    } catch (error) {
      await remove(part)
      throw error
    }
    await syncFolder(folder)
    return key
  }
  /** Refuses `unavailable` for errors of the disk. */
  const blamingDisk = (error: NodeJS.ErrnoException) => {
    if (!OF_THE_DISK.has(error.code!)) throw error
    throw Object.assign(new Refusal('unavailable', { retryAfter: RETRY_SECONDS }), { message: `the folder of objects: ${error.message}` })
  }

  return {
    put: (bytes, _size, key = crypto.randomUUID()) => put(bytes, key).catch(blamingDisk),
    sizeOf: (key) =>
      stat(pathOf(key)).then(
        ({ size }) => size,
        (error) => (isMissing(error) ? null : Promise.reject(error)),
      ),
    async read(key, span) {
      const handle = await open(pathOf(key)).catch((error) => (isMissing(error) ? refuse('not_found') : Promise.reject(error)))
      return handle.createReadStream(span)
    },
    async room() {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
    remove,
    listBefore,
    close: async () => {},
  }
}
