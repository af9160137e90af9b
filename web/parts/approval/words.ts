/** Where the approvals of an order stand, in a few words. */
import type { Schemas } from '../../platform/client.ts'
import { formatNumber, isolated, listed, nameOf } from '../../platform/language.ts'
import { t } from './words-texts.ts'

type Approval = Schemas['OrderApproval']
const NAMED = 3

/** With whom an order waits: the first of them by name, and how many more there are. */
export function waitingInWords({ waitsFor }: Approval) {
  if (waitsFor.length === 0) return t.waitsForAdmins
  const names = waitsFor.slice(0, NAMED).map((one) => isolated(nameOf(one)))
  const rest = waitsFor.length - names.length
  return t.waitsFor(listed(rest > 0 ? [...names, t.more(formatNumber(rest))] : names))
}

/** The state that an order has because of its approvals; undefined where its status says it all. */
export function heldState({ status }: { status: string }, approval: Approval | null | undefined) {
  if (!approval || approval.state === 'approved') return undefined
  if (approval.state === 'waiting' && status === 'cancelled') return undefined
  return { text: t.states[approval.state], kind: approval.state === 'waiting' ? 'warn' : undefined } as const
}
