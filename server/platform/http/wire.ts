/** Replies that an endpoint serialises itself. */
import type { Static, TSchema } from 'typebox'
import type { Refusal } from '../errors/refusal.ts'
import { writerOf } from '../json.ts'

/** The bytes of a text in memory of their own. Cached bytes in Node's pool would keep a whole block of 8 KiB in memory. */
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

/** A list of items that come as JSON, in batches, never whole in memory. */
export const writtenList = <Item>(batches: AsyncIterable<string[]>) => new LongList<Item[]>(joined(batches))

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

/** As `writtenList`, for items that are not serialised yet. */
export function longList<S extends TSchema>(item: S, batches: AsyncIterable<Static<S>[]>) {
  async function* written() {
    const writeItem = writerOf(item)
    for await (const batch of batches) yield batch.map(writeItem)
  }
  return writtenList<Static<S>>(written())
}

/** An answer that is not JSON. */
export class Bytes {
  readonly type: string
  readonly filename: string
  readonly bytes: Buffer
  constructor(type: string, filename: string, bytes: Buffer) {
    this.type = type
    this.filename = filename
    this.bytes = bytes
  }
}

/** A reply with headers of its own. With a `refusal`, the caller gets the refusal, but the changes are committed. */
export class WithHeaders<Reply> {
  readonly headers: Record<string, string>
  readonly body: Reply | LongList<Reply>
  readonly refusal: Refusal | undefined
  constructor(body: Reply | LongList<Reply>, headers: Record<string, string>, refusal?: Refusal) {
    this.body = body
    this.headers = headers
    this.refusal = refusal
  }
}
