/** JSON by a schema: undeclared fields are cut, and what does not fit fails. */
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'

const writers = new WeakMap<TSchema, (value: unknown) => string>()

/** The serialiser of a schema, made once, when its first value comes. */
export function writerOf(schema: TSchema) {
  let write = writers.get(schema)
  if (!write) {
    write = fastJsonStringify(schema as object)
    writers.set(schema, write)
  }
  return write
}
