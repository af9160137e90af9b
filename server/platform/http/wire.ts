/** Replies that an endpoint serialises itself. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { writerOf } from '../json.ts'

/** A text in memory of its own: one in the pool would hold 8 KiB of it for as long as it is cached. */
export function ownBytes(text: string) {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

declare const reply: unique symbol
/** The bytes of a serialised `Reply`. */
export type Wire<Reply> = Buffer & { readonly [reply]: Reply }

/** Serialises `value` by its schema, as the server would. Undeclared fields are dropped. */
export const wire = <S extends TSchema>(schema: S, value: Static<S>) => ownBytes(writerOf(schema)(value)) as Wire<Static<S>>

/** JSON built by an SQL statement and sent as it is. The statement alone is responsible for its shape. */
export const wireText = <Reply>(json: string) => Buffer.from(json) as Wire<Reply>

declare const items: unique symbol
/** A list, or a record with lists, that is serialised while it is read. `Items` is the declared reply. */
export class LongList<Items> {
  declare readonly [items]: Items
  readonly chunks: AsyncIterable<string>
  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks
  }
}

/**
 * A list of items that come as JSON, in batches, never whole in memory. The first batch is read before the reply begins, so that an
 * early failure is refused.
 */
export async function writtenList<Item>(batches: AsyncGenerator<string[]>) {
  const first = await batches.next()
  async function* all() {
    for (let batch = first; !batch.done; batch = await batches.next()) yield batch.value
  }
  return new LongList<Item[]>(joined(all()))
}

/** The JSON of a list of items that come as JSON, in batches. */
export async function* joined(batches: AsyncIterable<string[]>) {
  let lead = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield lead + batch.join()
    lead = ','
  }
  yield lead === '[' ? '[]' : ']'
}

/** Sends pieces as fast as they are taken. Each is made in the context of the request, although the socket asks for it. */
export function streamOf(chunks: AsyncIterable<string>) {
  const inContext = AsyncLocalStorage.snapshot()
  const pieces = chunks[Symbol.asyncIterator]()
  const ours: AsyncIterator<string> = {
    next: () => inContext(() => pieces.next()),
    return: () => inContext(async () => (pieces.return ? pieces.return() : { done: true as const, value: undefined })),
  }
  return Readable.from({ [Symbol.asyncIterator]: () => ours }, { objectMode: false })
}

/** The same of items that are still to be serialised. */
export function longList<S extends TSchema>(item: S, batches: AsyncGenerator<Static<S>[]>) {
  async function* written() {
    const writeItem = writerOf(item)
    for await (const batch of batches) yield batch.map(writeItem)
  }
  return writtenList<Static<S>>(written())
}
