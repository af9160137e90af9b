/** The orders whose open approval step has the person as an approver, the oldest first. */
import { isApproved } from '../../parts/show/approval/own.ts'
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { named, nameOf } from '../../platform/language.ts'
import { toApprove } from '../../platform/session.ts'

type Row = Schemas['OrderDetailsPage']['items'][number]

/** The page size. It must equal that of `toApprove`, which is the first page. */
const PART = 20

export const waitingOf = (offset: number) =>
  offset === 0 ? toApprove : resource('/orders/details', { query: { view: 'approve', limit: PART, offset } })

export const orderOf = (id: number) => resource('/orders/{id}', { path: { id } })
/** Names the service and the requester, because a person may approve many orders of one service. */
export const titleOf = ({ service, requester }: Schemas['ServiceOrder']) =>
  [named(service), ...(requester ? [nameOf(requester)] : [])].join(' · ')

/** Puts the orders that the person has yet to approve before those that wait for other approvers. */
export const inTurn = (rows: readonly Row[]) => [...rows.filter((row) => !isApproved(row)), ...rows.filter(isApproved)]
