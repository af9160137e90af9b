/** Replies serialised once and sent many times. */
import fastJsonStringify from 'fast-json-stringify'
import type { Static, TSchema } from 'typebox'
import type { Wire } from './endpoint.ts'

const writers = new WeakMap<TSchema, (value: unknown) => string>()

/** The same bytes the server makes of `value` by its schema: undeclared fields are cut. */
export function wire<S extends TSchema>(schema: S, value: Static<S>) {
  let write = writers.get(schema)
  if (!write) {
    write = fastJsonStringify(schema as object)
    writers.set(schema, write)
  }
  return Buffer.from(write(value)) as Wire<Static<S>>
}
