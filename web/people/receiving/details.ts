/**
 * The details of the orders on the board: their team, their targets, whether they have answers, and whether they wait. The board needs all
 * details to sort its columns, and thousands of orders may wait. So all are read once, and later only those of orders that an event names.
 */
import { effect, signal } from '@preact/signals'
import { invalidateWhere, resource } from '../../platform/cache.ts'
import { answer, api, isReached } from '../../platform/client.ts'
import { onEvent } from '../../platform/live.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ListedDetails } from '../orders/data.ts'
import { isForLater } from './turns.ts'

/** The most orders that one call returns. */
const MOST = 200
const GATHER_MS = 50
const EVERY_MS = 2000
const MINUTE_MS = 60_000

const query = { view: 'incoming', limit: MOST } as const
/** The details of the orders that are due first. */
export const first = resource('/orders/details', { query })
const incoming = resource('/orders/incoming')
/** The details that were read by id: of the orders that the first page lacks, and of those that have changed since. */
const byId = signal<ReadonlyMap<number, ListedDetails>>(new Map())

/** The details of the orders on the board, by order id. */
export const detailsOnBoard = (): ReadonlyMap<number, ListedDetails> =>
  new Map([...(first.data?.items ?? []).map(({ details }) => [details.orderId, details] as const), ...byId.value])

const unread = new Set<number>()
let isReading = false
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads the details of the orders in `unread`: one batch every two seconds. More than `MOST` ids take several calls without a pause. */
async function readOn() {
  if (isReading) return
  isReading = true
  await pause(GATHER_MS)
  while (unread.size > 0 && isReached.peek()) {
    const ids = [...unread].slice(0, MOST)
    for (const id of ids) unread.delete(id)
    try {
      const { items } = await answer(api.GET('/orders/details', { params: { query: { ...query, ids: ids.join() } } }))
      const now = new Map(byId.peek())
      // Orders that have left the board are missing from the answer, so their details are removed.
      for (const id of ids) now.delete(id)
      for (const { details } of items) now.set(details.orderId, details)
      byId.value = now
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.status >= 500) for (const id of ids) unread.add(id)
    }
    if (unread.size === 0 || ids.length < MOST) await pause(EVERY_MS)
  }
  isReading = false
}

let isOpen = false
function read(...ids: number[]) {
  // While the board is closed, only the palette uses the first page, so it is enough to mark that page as outdated.
  if (!isOpen) return invalidateWhere('/orders/details', ({ view }) => view === query.view)
  for (const id of ids) unread.add(id)
  if (unread.size > 0) readOn()
}
onEvent('order_updated', ({ order }) => read(order.id))
onEvent('order_incoming_changed', ({ orderId }) => read(orderId))
onEvent('order_details_changed', ({ orderId }) => read(orderId))

/** Reads again the details of the orders that are for later: such an order becomes current as time passes, without an event. */
function readLater() {
  const known = detailsOnBoard()
  read(...(incoming.peek() ?? []).flatMap((order) => (isForLater({ order, details: known.get(order.id) }) ? order.id : [])))
}

/** Keeps the details up to date while the board is open. Returns a function that stops it. */
export function followDetails() {
  isOpen = true
  // Events that came while the board was closed are missing.
  if (!first.isFetching) first.refresh()
  let readAt = 0
  const timer = setInterval(readLater, MINUTE_MS)
  const stop = effect(() => {
    if (!isReached.value || first.isFetching || !first.data) return
    const known = new Set(first.data.items.map(({ order }) => order.id))
    const isAnew = first.updatedAt !== readAt
    readAt = first.updatedAt
    const ids = (incoming.data ?? []).map(({ id }) => id)
    read(...ids.filter((id) => (byId.peek().has(id) ? isAnew : !known.has(id))))
  })
  return () => {
    isOpen = false
    // Details that were read by id are no longer kept up to date.
    byId.value = new Map()
    clearInterval(timer)
    unread.clear()
    stop()
  }
}
