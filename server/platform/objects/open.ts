/** Opens the object store: the local disk, or an S3-compatible store. */
import { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { Refusal } from '../refusal.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'
import type { Objects } from './store.ts'

/**
 * Stores an object and removes it, so that a missing bucket, a wrong key or a folder that cannot be written shows at the start and not
 * at the first upload. Fails with one line; a store that is away for now is told to `warn`.
 */
export async function probeObjects(config: Config, warn: (line: string) => void) {
  const objects = openObjects(config)
  try {
    await objects.remove(await objects.put(Readable.from([Buffer.from('probe')]), 5))
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof Refusal)) throw new Error(`${config.s3 ? 'S3_BUCKET' : 'DATA_DIR'}: ${message}`)
    warn(`objects cannot be stored now: ${message}`)
  } finally {
    await objects.close()
  }
}

export const openObjects = ({ s3, dataDir }: Config): Objects => (s3 ? openBucket(s3) : openFolder(dataDir))
