/** The contract of an object store. */
import type { Readable } from 'node:stream'

/** The first and the last byte, both included. */
export interface Span {
  start: number
  end: number
}

/** An object appears whole or not at all, and an acknowledged one is durable. */
export interface Objects {
  /** Stores exactly `size` bytes under the given key or a new one, and returns the key. If `bytes` fail, nothing is stored. */
  put(bytes: AsyncIterable<Buffer>, size: number, key?: string): Promise<string>
  /** The size of an object in bytes; null if it does not exist. */
  sizeOf(key: string): Promise<number | null>
  /** Reads a span of an object. Refuses `not_found`. */
  read(key: string, span: Span): Promise<Readable>
  /** The free space in bytes; null if it is unknown. */
  room(): Promise<number | null>
  /** Deletes an object; a missing one is no error. */
  remove(key: string): Promise<void>
  /** The keys last written before a time, in batches, with leftovers of broken uploads. */
  listBefore(time: Date): AsyncIterable<string[]>
  close(): Promise<void>
}
