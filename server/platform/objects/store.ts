/** What a store of objects promises, wherever it keeps their bytes. */
import type { Readable } from 'node:stream'

/** The first and the last byte wanted. */
export interface Span {
  start: number
  end: number
}

/** An object appears whole or not at all, and what was acknowledged stays. */
export interface Objects {
  /** Keeps exactly `size` bytes under a new key, which it answers; where `bytes` fail, nothing is kept. */
  put(bytes: AsyncIterable<Buffer>, size: number): Promise<string>
  /** Refuses `not_found`. */
  read(key: string, span: Span): Promise<Readable>
  /** Removes what may be gone already. */
  remove(key: string): Promise<void>
  /** Keys last written before a time, in batches; what a broken upload has left is among them. */
  listBefore(time: Date): AsyncIterable<string[]>
  close(): Promise<void>
}
