/** What somebody is to an order, and what that lets them read and do. Every reading and every command beyond the contract asks here. */
import { refuse } from '../../platform/errors/refusal.ts'
import { type Deciding, decidesNothing } from './deciders.ts'
import { type Asker, checkAssignment, isHeld, isParty, leadsIt, nextStatuses, type OrderFacts, openStatuses, receivesIt } from './rules.ts'

export interface Standing {
  /** For whom the order is. */
  isBeneficiary: boolean
  /** Who placed it, or for whom it is. */
  isParty: boolean
  isReceiver: boolean
  isLead: boolean
  isAdmin: boolean
  isAssignee: boolean
  /** Whether they may decide the step that is open. */
  mayDecide: boolean
  readsOrder: boolean
  /** The conversation, its files, and for whom the order waits. */
  readsMessages: boolean
  /** The notes of the team, and their files. */
  readsNotes: boolean
}

export function standingOf(order: OrderFacts, asker: Asker, { isDecider, isApprover, isOpen: isStepOpen } = decidesNothing): Standing {
  const isPlacer = order.userId === asker.id
  const isBeneficiary = order.beneficiaryId ? order.beneficiaryId === asker.id : isPlacer
  const isOfParties = isParty(order, asker)
  const isReceiver = receivesIt(order, asker)
  const isLead = leadsIt(order, asker)
  const { isAdmin } = asker
  const isAssignee = order.assignedTo === asker.id && isReceiver
  const isInvolved = isOfParties || isReceiver || isLead || isAdmin
  return {
    ...{ isBeneficiary, isParty: isOfParties, isReceiver, isLead, isAdmin, isAssignee },
    mayDecide: !isOfParties && isStepOpen && (isApprover || isAdmin),
    readsOrder: isInvolved || isDecider,
    readsMessages: isInvolved || isApprover,
    // The beneficiary never does, whatever else they are.
    readsNotes: !isBeneficiary && (isReceiver || isLead || (isAdmin && !isPlacer)),
  }
}

/** What is done to an order in ways that the contract does not have; `may` of the details lists those that are possible now. */
export const acts = ['cancel', 'message', 'note', 'wait', 'resume', 'transfer', 'assign', 'approve', 'deny', 'reopen'] as const
export type Act = (typeof acts)[number]

/** Where an order stands, in one word. */
export const progresses = ['pending', 'held', 'later', 'received', 'preparing', 'waiting', 'completed', 'cancelled'] as const

/** The states of open orders that lists tell apart. */
export const states = ['held', 'waiting', 'late', 'due_today', 'later'] as const

/** How long people write about an order that has ended. */
export const WRITABLE_DAYS = 14
export const MOST_TEXTS = 200
export const MOST_TRANSFERS = 20
export const MOST_REOPENINGS = 3

export interface Progress {
  /** Whether it has ended so long ago that nobody writes about it any more. */
  isClosed: boolean
  isWaiting: boolean
  messageCount: number
  noteCount: number
  transferCount: number
  reopenCount: number
  /** Whether it was first completed so lately that it can be reopened. */
  isInTime: boolean
}
type Order = OrderFacts & { undoUntil: Date | null }

const isInWork = ({ status }: OrderFacts) => status === 'received' || status === 'preparing'
const isOpen = ({ status }: OrderFacts) => openStatuses.includes(status)

function mayAssign(order: OrderFacts, asker: Asker) {
  try {
    checkAssignment(order, asker)
    return true
  } catch {
    return false
  }
}

/** Who may do it at all. */
const allowed: Record<Exclude<Act, 'cancel' | 'assign'>, (standing: Standing) => boolean> = {
  message: ({ readsMessages }) => readsMessages,
  note: ({ readsNotes }) => readsNotes,
  wait: ({ isAssignee }) => isAssignee,
  resume: ({ isAssignee, isLead, isAdmin }) => isAssignee || isLead || isAdmin,
  transfer: ({ isReceiver, isLead, isAdmin }) => isReceiver || isLead || isAdmin,
  approve: ({ mayDecide }) => mayDecide,
  deny: ({ mayDecide }) => mayDecide,
  reopen: ({ isParty }) => isParty,
}
/** What may be done to an order that waits for its approvals. */
const whileHeld: readonly Act[] = ['cancel', 'message', 'note', 'approve', 'deny']

/** Decisions are never made by a token: none has this scope. */
const isNoToken = (asker: Asker) => asker.hasScope('orders:decide')

const possible: Record<Act, (order: Order, asker: Asker, progress: Progress) => boolean> = {
  cancel: (order, asker) => nextStatuses(order, asker).includes('cancelled'),
  message: (_order, asker, { isClosed, messageCount }) => asker.hasScope('orders:write') && !isClosed && messageCount < MOST_TEXTS,
  note: (_order, asker, { isClosed, noteCount }) => asker.hasScope('orders:receive') && !isClosed && noteCount < MOST_TEXTS,
  wait: (order) => isInWork(order),
  resume: (_order, _asker, { isWaiting }) => isWaiting,
  transfer: (order, asker, { transferCount }) => asker.hasScope('orders:receive') && isOpen(order) && transferCount < MOST_TRANSFERS,
  assign: (order, asker) => mayAssign(order, asker),
  approve: (_order, asker) => isNoToken(asker),
  deny: (_order, asker) => isNoToken(asker),
  reopen: (order, asker, { isInTime, reopenCount }) =>
    asker.hasScope('orders:write') && order.status === 'completed' && isInTime && reopenCount < MOST_REOPENINGS,
}

/** What somebody who reads an order may do now. */
export function actsOf(order: Order, asker: Asker, progress: Progress, deciding: Deciding): Act[] {
  const standing = standingOf(order, asker, deciding)
  const isAllowed = (act: Act) =>
    (!isHeld(order) || whileHeld.includes(act)) && (!(act in allowed) || allowed[act as keyof typeof allowed](standing))
  return acts.filter((act) => isAllowed(act) && possible[act](order, asker, progress))
}

/**
 * Refuses `not_found` to those who may not read the order, `awaiting_approval` while it is held, but for what is done then, and `forbidden` to
 * those who may read it, but not do this.
 */
export function checkStanding(order: OrderFacts, asker: Asker, act: keyof typeof allowed, deciding = decidesNothing) {
  const standing = standingOf(order, asker, deciding)
  if (!standing.readsOrder) refuse('not_found')
  if (isHeld(order) && !whileHeld.includes(act)) refuse('awaiting_approval')
  if (!allowed[act](standing)) refuse('forbidden')
  return standing
}

/** Refuses `invalid_transition` unless somebody works on the order. */
export const checkInWork = (order: OrderFacts) => {
  if (!isInWork(order)) refuse('invalid_transition')
}
