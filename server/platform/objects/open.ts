/** Opens the object store: the local disk, or an S3-compatible store. */
import type { Config } from '../config.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'
import type { Objects } from './store.ts'

export const openObjects = ({ s3, dataDir }: Config): Objects => (s3 ? openBucket(s3) : openFolder(dataDir))
