/** Bodies that are files: endpoints get their bytes, and read them themselves. */
import { Type } from 'typebox'
import type { Bounds } from './body-bounds.ts'
import type { Endpoint } from './endpoint.ts'

/** The bytes of a file; undefined for an empty one. */
export const FileBody = Type.Unsafe<Buffer | undefined>({})

/** The bounds of a file: as many bytes as the endpoint takes, as a single value. */
export const bytesBoundsOf = ({ bodyLimit = 1024 * 1024 }: Pick<Endpoint, 'bodyLimit'>): Bounds => ({ bytes: bodyLimit, values: 1 })

/**
 * The parsed values of a file count as no memory: endpoints read the file piece by piece, so its values are never all in memory at once.
 */
export const BYTES_SCALE = { add() {}, weight: () => 0 }
