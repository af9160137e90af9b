/** All orders: their filters, and the actions of an administrator. */

import { day, id, oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { about, assign, type Order, prepare, release, type Status, serviceOf } from '../../../people/orders/data.ts'
import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { nameOf } from '../../../platform/language.ts'
import type { Query } from '../../../platform/list.ts'
import { t } from './texts.ts'

export const statuses = ['pending', 'received', 'preparing', 'completed', 'cancelled'] as const satisfies Status[]

/** The filters in the address. */
export const kinds = { status: oneOf(...statuses), receiver: id, service: id, from: day, to: day, q: text, open: id }
export interface Filters {
  status: Status
  receiver: number | undefined
  service: number | undefined
  from: string | undefined
  to: string | undefined
  q: string | undefined
}

export const queryOf = ({ status, receiver, service, from, to, q }: Partial<Filters>): Query<'/orders'> => ({
  ...(status && { status }),
  ...(receiver !== undefined && { assignedTo: receiver }),
  ...(service !== undefined && { serviceId: service }),
  ...(from && { from }),
  ...(to && { to }),
  ...(q && { q }),
})

/** Minutes after which an order has waited too long. */
const TOO_LONG = 60
export const waitingLong = resource('/orders', { query: { waitingMinutes: TOO_LONG, limit: 1 } })
export const hasWaitedLong = ({ status, createdAt }: Order, now: Date) =>
  status === 'pending' && now.getTime() - Date.parse(createdAt) >= TOO_LONG * 60_000

/** Active people who may receive orders, with the number of orders that each holds; people who are present come first. */
export const findReceivers = (typed: string) =>
  answer(api.GET('/orders/receivers', { params: { query: { limit: 20, ...(typed && { q: typed.slice(0, 200) }) } } }))

export type Receiver = Awaited<ReturnType<typeof findReceivers>>[number]

const UNDO_MS = 10_000

/** Assigns an order to a receiver. Undo returns it to the former receiver, or makes it wait again. */
export async function handOver(order: Order, person: Schemas['PersonSummary']) {
  const now = await assign(order, person, true)
  if (!now) return
  const { assignee } = order
  say({
    about: about(order),
    text: t.handed(serviceOf(order), nameOf(person)),
    undo: () => void (assignee ? putBack(now, order) : release(now)),
    undoUntil: Date.now() + UNDO_MS,
  })
}

/** Makes an order wait for a receiver again, and offers undo. */
export async function giveBack(order: Order) {
  const now = await release(order, true)
  if (now)
    say({
      about: about(order),
      text: t.returned(serviceOf(order)),
      ...(order.assignee && { undo: () => void putBack(now, order), undoUntil: Date.now() + UNDO_MS }),
    })
}

/** Gives an order back to its former receiver, in its former state. */
async function putBack(now: Order, before: Order) {
  const given = before.assignee && (await assign(now, before.assignee))
  if (given && before.status === 'preparing') await prepare(given)
}

/** Assigns one of several orders without a toast. The caller shows one toast about all of them. */
export const assignQuietly = (order: Order, person: Schemas['PersonSummary']) => assign(order, person, true)

/** The most orders that one call deletes. */
export const MOST = 200

/** An action to be confirmed, on some orders or on all that a query finds. */
export interface Question {
  kind: 'assign' | 'remove' | 'cancel'
  orders: readonly Order[]
  query?: Query<'/orders'>
}
