/** The orders whose open step waits for the person, the oldest first. */
import { isApproved } from '../parts/approval/own.ts'
import { resource } from '../platform/cache.ts'
import type { Schemas } from '../platform/client.ts'
import { toApprove } from '../platform/session.ts'

type Row = Schemas['OrderDetailsPage']['items'][number]

/** How many orders a page of the list has, as the frame asks for it. */
const PART = 20

/** A page of the list. */
export const waitingOf = (offset: number) =>
  offset === 0 ? toApprove : resource('/orders/details', { query: { view: 'approve', limit: PART, offset } })

/** Those that wait for the person, and then those that they have approved and that wait for others. */
export const inTurn = (rows: readonly Row[]) => [...rows.filter((row) => !isApproved(row)), ...rows.filter(isApproved)]
