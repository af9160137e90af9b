/** The contract of an object store. */
import type { Readable } from 'node:stream'

/** The first and the last byte, both included. */
export interface Span {
  start: number
  end: number
}

/** An object appears whole or not at all, and an acknowledged one is durable. */
export interface Objects {
  /** Stores exactly `size` bytes under a new key, which it returns; when `bytes` fail, nothing is stored. */
  put(bytes: AsyncIterable<Buffer>, size: number): Promise<string>
  /** Refuses `not_found`. */
  read(key: string, span: Span): Promise<Readable>
  /** Deletes an object; a missing one is no error. */
  remove(key: string): Promise<void>
  /** The keys last written before a time, in batches; the rests of broken uploads are among them. */
  listBefore(time: Date): AsyncIterable<string[]>
  close(): Promise<void>
}
