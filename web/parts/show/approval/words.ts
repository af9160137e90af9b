/** The state of an order's approvals in a few words. */
import type { Schemas } from '../../../platform/client.ts'
import { formatNumber, isolated, listed, nameOf } from '../../../platform/language.ts'
import { t } from './words-texts.ts'

type Approval = Schemas['OrderApproval']
const NAMED = 3

/** Names the first people for whom an order waits, and says how many more there are. */
export function waitingInWords({ waitsFor }: Approval) {
  if (waitsFor.length === 0) return t.waitsForAdmins
  const names = waitsFor.slice(0, NAMED).map((one) => isolated(nameOf(one)))
  const rest = waitsFor.length - names.length
  return t.waitsFor(listed(rest > 0 ? [...names, t.more(formatNumber(rest))] : names))
}

/** The state of an order's approvals; undefined if its status alone is enough. */
export function heldState({ status }: { status: string }, approval: Approval | null | undefined) {
  if (!approval || approval.state === 'approved') return undefined
  if (approval.state === 'waiting' && status === 'cancelled') return undefined
  return { text: t.states[approval.state], kind: approval.state === 'waiting' ? 'warn' : undefined } as const
}
