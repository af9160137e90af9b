/** Opens the object store: the local disk, or an S3-compatible store. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { Refusal } from '../errors/refusal.ts'
import { counters } from '../metrics/counters.ts'
import { openFolder } from './folder.ts'
import { moveObjects, openBoth } from './moving.ts'
import type { Objects } from './store.ts'

/**
 * Stores an object and removes it, so that a missing bucket, a wrong key or a folder without write permission shows at the start and not at
 * the first upload. Throws an error of one line; a temporary failure only goes to `warn`.
 */
export async function probeObjects(config: Config, warn: (line: string) => void) {
  const objects = await openObjects(config)
  try {
    await objects.remove(await objects.put(Readable.from([Buffer.from('probe')]), 5))
    if (config.s3 && (await readdir(join(config.dataDir, 'objects')).catch(() => [])).length)
      warn('objects are still in DATA_DIR: `npm run admin -- move-objects` moves them into the bucket')
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof Refusal)) throw new Error(`${config.s3 ? 'S3_BUCKET' : 'DATA_DIR'}: ${message}`)
    warn(`objects cannot be stored now: ${message}`)
  } finally {
    await objects.close()
  }
}

/** Wraps an object store so that its failures are counted. */
function counted(objects: Objects): Objects {
  const counting =
    <Asked extends unknown[], Answer>(operation: string, ask: (...asked: Asked) => Promise<Answer>) =>
    (...asked: Asked) =>
      ask(...asked).catch((error) => {
        if (!(error instanceof Refusal) || error.code === 'unavailable') counters.objectStoreErrors.inc({ operation })
        throw error
      })
  const { put, read, remove, sizeOf } = objects
  return {
    ...objects,
    put: counting('put', put),
    read: counting('read', read),
    remove: counting('remove', remove),
    sizeOf: counting('size', sizeOf),
  }
}

/** Loaded only if there is a bucket. */
const openBucket = async (s3: NonNullable<Config['s3']>) => (await import('./bucket.ts')).openBucket(s3)

/** The objects in the folder; if there is a bucket, those in the bucket and those still in the folder. */
export async function openObjects({ s3, dataDir }: Config): Promise<Objects> {
  const folder = openFolder(dataDir)
  if (!s3) return counted(folder)
  const bucket = await openBucket(s3)
  return existsSync(join(dataDir, 'objects')) ? counted(openBoth(bucket, folder)) : counted(bucket)
}

/** Moves the `known` objects from the folder into the configured bucket. */
export async function moveToBucket({ s3, dataDir }: Config, known: Parameters<typeof moveObjects>[0]) {
  if (!s3) throw new Error('S3_BUCKET: unset, and there is no other place for objects than DATA_DIR')
  const bucket = await openBucket(s3)
  return moveObjects(known, openFolder(dataDir), bucket).finally(bucket.close)
}
