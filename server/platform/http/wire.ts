/** Replies written out by their schemas before the server sends them. */
import type { Static, TSchema } from 'typebox'
import { writerOf } from '../json.ts'

declare const reply: unique symbol
/** A reply already serialised by its own schema. */
export type Wire<Reply> = Buffer & { readonly [reply]: Reply }

/** The same bytes the server makes of `value` by its schema, once for many replies: undeclared fields are cut. */
export const wire = <S extends TSchema>(schema: S, value: Static<S>) => Buffer.from(writerOf(schema)(value)) as Wire<Static<S>>

/** JSON that a statement wrote, which goes out as it is: the statement alone answers for its shape. */
export const wireText = <Reply>(json: string) => Buffer.from(json) as Wire<Reply>

declare const items: unique symbol
/** A list that is written out while it is read; `Items` is what its reply is declared as. */
export class LongList<Items> {
  declare readonly [items]: Items
  readonly chunks: AsyncIterable<string>
  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks
  }
}

/** A list that nobody holds whole, in batches. The first is read before the reply begins, so that what fails at once is refused. */
export async function longList<S extends TSchema>(item: S, batches: AsyncGenerator<Static<S>[]>) {
  const first = await batches.next()
  async function* write() {
    const writeItem = writerOf(item)
    let lead = '['
    for (let batch = first; !batch.done; batch = await batches.next()) {
      if (batch.value.length === 0) continue
      yield lead + batch.value.map(writeItem).join()
      lead = ','
    }
    yield lead === '[' ? '[]' : ']'
  }
  return new LongList<Static<S>[]>(write())
}
