/** Writes JSON by a schema: undeclared fields are left out, and a value that lacks a field or cannot be converted to its type fails. */
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'

const writers = new WeakMap<TSchema, (value: unknown) => string>()

/** The serialiser of a schema, compiled at its first use and cached. */
export function writerOf(schema: TSchema) {
  let write = writers.get(schema)
  if (!write) {
    write = fastJsonStringify(schema as object)
    writers.set(schema, write)
  }
  return write
}
