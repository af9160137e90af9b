/** The timeline of an order, with its texts and events, and the calls that add to it. */
import { resource } from '../../platform/cache.ts'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { putOrder } from '../../platform/orders-in-cache.ts'

export type Entry = Schemas['OrderTimelineEntry']
export type Wait = Schemas['OrderWait']
/** Where a text belongs: in the conversation, or among the internal notes. */
export type Place = 'message' | 'note'

const LIMIT = 200
/** The newest entries of an order's timeline, or those before the entry with the id `before`. */
export const timelineAt = (id: number, before?: number) =>
  resource('/orders/{id}/timeline', { path: { id }, query: { limit: LIMIT, ...(before && { before }) } })

/** Shows at once what a call has changed; other devices are told by an event. */
async function reread(id: number) {
  await Promise.all([timelineAt(id).refresh(), resource('/orders/{id}/details', { path: { id } }).refresh()])
}

interface Written {
  text: string
  fileIds: string[]
}
/** Sends a text. A repeated call with the same key has no further effect. Throws refusals. */
export async function write(place: Place, id: number, body: Written, key: string) {
  const given = { params: { path: { id } }, body, headers: { 'idempotency-key': key } }
  await answer(place === 'note' ? api.POST('/orders/{id}/internal-notes', given) : api.POST('/orders/{id}/messages', given))
  await reread(id)
}

export async function letWait(id: number, body: Wait) {
  await answer(api.POST('/orders/{id}/wait', { params: { path: { id } }, body }))
  await reread(id)
}
/** Reopens an order that was not solved; throws refusals. */
export async function reopen(id: number, text: string) {
  putOrder(await answer(api.POST('/orders/{id}/reopen', { params: { path: { id } }, body: { text } })))
  await reread(id)
}
export async function resume(id: number) {
  await answer(api.POST('/orders/{id}/resume', { params: { path: { id } } }))
  await reread(id)
}
