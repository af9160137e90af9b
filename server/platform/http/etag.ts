/**
 * `ETag` and `If-Match`: a caller who edits a record that somebody else has changed since is refused, instead of undoing that change.
 */
import { hash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { refuse } from '../errors/refusal.ts'
import { writerOf } from '../json.ts'
import { namesTag } from '../tags.ts'
import type { Endpoint } from './endpoint.ts'

/** A record as JSON; fields that the shape does not declare are cut. Some replies are serialised already. */
const write = (shape: TSchema, record: unknown) => writerOf(shape)(Buffer.isBuffer(record) ? JSON.parse(record.toString()) : record)

const tagged = new WeakMap<TSchema, TSchema>()

/** The shape without the fields marked `isUntagged`: nobody edits them, and they change by themselves. */
function taggedPartOf(shape: TSchema) {
  const { properties = {} } = shape as { properties?: Record<string, { isUntagged?: true }> }
  const untagged = Object.keys(properties).filter((name) => properties[name]!.isUntagged)
  if (untagged.length === 0) return shape
  const part = tagged.get(shape) ?? Type.Omit(shape, untagged)
  tagged.set(shape, part)
  return part
}

/** The tag of a state of a record, in the quotes of the header. */
export const etagOf = (shape: TSchema, record: unknown) => `"${hash('sha256', write(taggedPartOf(shape), record), 'base64url')}"`

/** Whether the endpoint changes or removes the record of its address. */
export const editsRecord = ({ record, refuses, at }: Endpoint) =>
  record !== undefined && (refuses?.includes('changed_meanwhile') || /^(PATCH|PUT|DELETE) /.test(at))

/**
 * The function that a command calls once it has locked a record. It refuses `changed_meanwhile`, with the present record, when the header
 * names another state. Without the header, it does not call `read`.
 */
export const matcher = (shape: TSchema | undefined, header: string | undefined) =>
  async function ifMatch(read: () => unknown) {
    if (!shape || header === undefined) return
    const current = await read()
    if (!namesTag(header, etagOf(shape, current))) refuse('changed_meanwhile', { body: { current: JSON.parse(write(shape, current)) } })
  }
