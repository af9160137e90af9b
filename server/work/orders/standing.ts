/** The roles of a person towards an order, and their rights. Every query and command about details of orders uses these rules. */
import { refuse } from '../../platform/errors/refusal.ts'
import { type Deciding, decidesNothing } from './deciders.ts'
import { type Asker, checkAssignment, isHeld, isParty, leadsIt, nextStatuses, type OrderFacts, openStatuses, receivesIt } from './rules.ts'

export interface Standing {
  isBeneficiary: boolean
  /** Whether the person placed the order or is its beneficiary. */
  isParty: boolean
  isReceiver: boolean
  isLead: boolean
  isAdmin: boolean
  isAssignee: boolean
  /** Whether the person may decide the open step. */
  mayDecide: boolean
  readsOrder: boolean
  /** Whether the person may read the messages, their files, and the text of a wait. */
  readsMessages: boolean
  /** Whether the person may read the notes to the team, and their files. */
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
    // The beneficiary may never read the notes, not even as a lead or administrator.
    readsNotes: !isBeneficiary && (isReceiver || isLead || (isAdmin && !isPlacer)),
  }
}

/** The acts on an order; `may` in its details lists those that the reader can do now. */
export const acts = ['cancel', 'message', 'note', 'wait', 'resume', 'transfer', 'assign', 'approve', 'deny', 'reopen'] as const
export type Act = (typeof acts)[number]

/** The progress of an order: its status, or a more precise word for it. */
export const progresses = ['pending', 'held', 'later', 'received', 'preparing', 'waiting', 'completed', 'cancelled'] as const

/** The states of open orders that lists tell apart. */
export const states = ['held', 'waiting', 'late', 'due_today', 'later'] as const

/** The number of days for which people can write about an order that has ended. */
export const WRITABLE_DAYS = 14
export const MOST_TEXTS = 200
export const MOST_TRANSFERS = 20
export const MOST_REOPENINGS = 3

export interface Progress {
  /** Whether the order ended so long ago that nobody can write about it any more. */
  isClosed: boolean
  isWaiting: boolean
  messageCount: number
  noteCount: number
  transferCount: number
  reopenCount: number
  /** Whether the order was first completed recently enough to be reopened. */
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

/** The standing that each act needs. */
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
/** The acts that are possible while an order waits for approvals. */
const whileHeld: readonly Act[] = ['cancel', 'message', 'note', 'approve', 'deny']

/** Whether the asker is not an API token: no token has this scope, so tokens never decide. */
const isNoToken = (asker: Asker) => asker.hasScope('orders:decide')

const possible: Record<Act, (order: Order, asker: Asker, progress: Progress) => boolean> = {
  cancel: (order, asker) => nextStatuses(order, asker).includes('cancelled'),
  message: (_order, asker, { isClosed, messageCount }) => asker.hasScope('orders:write') && !isClosed && messageCount < MOST_TEXTS,
  note: (_order, asker, { isClosed, noteCount }) => asker.hasScope('orders:receive') && !isClosed && noteCount < MOST_TEXTS,
  wait: (order) => isInWork(order),
  resume: (_order, asker, { isWaiting }) => asker.hasScope('orders:receive') && isWaiting,
  transfer: (order, asker, { transferCount }) => asker.hasScope('orders:receive') && isOpen(order) && transferCount < MOST_TRANSFERS,
  assign: (order, asker) => mayAssign(order, asker),
  approve: (_order, asker) => isNoToken(asker),
  deny: (_order, asker) => isNoToken(asker),
  reopen: (order, asker, { isInTime, reopenCount }) =>
    asker.hasScope('orders:write') && order.status === 'completed' && isInTime && reopenCount < MOST_REOPENINGS,
}

/** The acts that a reader of an order can do now. */
export function actsOf(order: Order, asker: Asker, progress: Progress, deciding: Deciding): Act[] {
  const standing = standingOf(order, asker, deciding)
  const isAllowed = (act: Act) =>
    (!isHeld(order) || whileHeld.includes(act)) && (!(act in allowed) || allowed[act as keyof typeof allowed](standing))
  return acts.filter((act) => isAllowed(act) && possible[act](order, asker, progress))
}

/**
 * Refuses `not_found` if the asker may not read the order, `awaiting_approval` if the act is not possible while the order is held, and
 * `forbidden` if the asker may read the order but not do this.
 */
export function checkStanding(order: OrderFacts, asker: Asker, act: keyof typeof allowed, deciding = decidesNothing) {
  const standing = standingOf(order, asker, deciding)
  if (!standing.readsOrder) refuse('not_found')
  if (isHeld(order) && !whileHeld.includes(act)) refuse('awaiting_approval')
  if (!allowed[act](standing)) refuse('forbidden')
  return standing
}

/** Refuses `invalid_transition` unless the order is in work. */
export const checkInWork = (order: OrderFacts) => {
  if (!isInWork(order)) refuse('invalid_transition')
}
