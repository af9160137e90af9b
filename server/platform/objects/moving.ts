/** A bucket that replaces a folder: objects still in the folder are read from there until all have been moved. */
import { createHash } from 'node:crypto'
import { Refusal } from '../errors/refusal.ts'
import type { Objects, Span } from './store.ts'

/** As `read`, but null for a missing object. */
const readIfThere = (objects: Objects, key: string, span: Span) =>
  objects.read(key, span).catch((error) => {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  })

/**
 * The bucket, with the objects still in the folder. New objects go into the bucket alone. An object leaves the folder only once the bucket
 * has returned all of it, so any object that the folder lacks is in the bucket.
 */
export const openBoth = (bucket: Objects, folder: Objects): Objects => ({
  ...bucket,
  read: async (key, span) => (await readIfThere(folder, key, span)) ?? bucket.read(key, span),
  async *listBefore(time) {
    yield* bucket.listBefore(time)
    yield* folder.listBefore(time)
  },
  sizeOf: async (key) => (await folder.sizeOf(key)) ?? bucket.sizeOf(key),
  async remove(key) {
    await folder.remove(key)
    await bucket.remove(key)
  },
})

/** The hash of an object's bytes, or null if no object of this size exists. */
async function hashOf(objects: Objects, key: string, size: number) {
  if ((await objects.sizeOf(key)) !== size) return null
  const sum = createHash('sha256')
  for await (const chunk of await objects.read(key, { start: 0, end: size - 1 })) sum.update(chunk)
  return sum.digest('hex')
}

/** An object: its key, and the expected SHA-256 of its bytes in hexadecimal digits. */
interface ExpectedObject {
  key: string
  hash: string
}

/**
 * Moves the `known` objects from the folder to the bucket: stores each there, reads it back, and removes it here. May be repeated, also
 * after an interruption: an object that the bucket already has is only compared. An object with an unexpected hash stays where it is.
 * Returns how many were moved, and the keys of damaged and missing objects.
 */
export async function moveObjects(known: AsyncIterable<ExpectedObject>, folder: Objects, bucket: Objects) {
  let moved = 0
  const damaged: string[] = []
  const missing: string[] = []
  for await (const { key, hash } of known) {
    const size = await folder.sizeOf(key)
    if (size === null) {
      if ((await bucket.sizeOf(key)) === null) missing.push(key)
      continue
    }
    if ((await hashOf(folder, key, size)) !== hash) {
      damaged.push(key)
      continue
    }
    if ((await hashOf(bucket, key, size)) !== hash) {
      await bucket.put(await folder.read(key, { start: 0, end: size - 1 }), size, key)
      if ((await hashOf(bucket, key, size)) !== hash) throw new Error(`the bucket does not return the bytes that were stored as ${key}`)
    }
    await folder.remove(key)
    moved++
  }
  return { moved, damaged, missing }
}
