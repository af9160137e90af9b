import type { Actor } from '../../platform/auth/actor.ts'
import type { Event, Notice, Recipients } from '../../platform/changes/change-kind.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { OrderStatus } from '../../platform/tables.ts'
import { displayName } from '../../platform/text.ts'
import { type Crew, leadsTeam, receivesFor } from '../service-teams/rules.ts'

export const statuses = ['pending', 'received', 'preparing', 'completed', 'cancelled'] as const satisfies OrderStatus[]

export interface OrderFacts {
  status: OrderStatus
  /** The requester. */
  userId: number
  /** The assignee: the receiver who claimed the order or to whom it was assigned. */
  assignedTo: number | null
  /** Whether the assignee may no longer work on the order; true only while a cancellation can be undone. */
  isAbandoned?: boolean | null
  /** The team of the order; null if everybody with `orders.receive` receives it. */
  team: (Crew & { id: number }) | null
  /** Set if the order waits for approvals or did not get them. Its receivers cannot see it then. */
  hold?: 'waiting' | 'refused' | null
  /** The beneficiary, if that is not the requester. */
  beneficiaryId?: number | null
}

/** Whether an order waits for approvals now. */
export const isHeld = ({ status, hold }: OrderFacts) => hold === 'waiting' && status === 'pending'

/** A caller, with their rights to the orders of a team. */
export interface Asker {
  id: number
  isAdmin: boolean
  receives: (team: OrderFacts['team']) => boolean
  leads: (team: OrderFacts['team']) => boolean
  hasScope: Actor['hasScope']
}
export const askerOf = (actor: Actor): Asker => ({
  id: actor.id,
  isAdmin: actor.isAdmin,
  receives: (team) => receivesFor(team, actor),
  leads: (team) => leadsTeam(team, actor),
  hasScope: (scope) => actor.hasScope(scope),
})

const isReleased = ({ hold = null }: OrderFacts) => hold === null
export const receivesIt = (order: OrderFacts, asker: Asker) => isReleased(order) && asker.receives(order.team)
export const leadsIt = (order: OrderFacts, asker: Asker) => isReleased(order) && asker.leads(order.team)

/** The roles that a person can have towards an order. */
const parts = {
  owner: (order: OrderFacts, { id }: Asker) => order.userId === id,
  /** The requester or the beneficiary. */
  party: (order: OrderFacts, { id }: Asker) => order.userId === id || order.beneficiaryId === id,
  admin: (_order: OrderFacts, { isAdmin }: Asker) => isAdmin,
  /** The assignee, as long as they still receive the order. */
  assignee: (order: OrderFacts, asker: Asker) => order.assignedTo === asker.id && receivesIt(order, asker),
  /** A receiver, while nobody has claimed the order. */
  receiver: (order: OrderFacts, asker: Asker) => order.assignedTo === null && receivesIt(order, asker),
  lead: leadsIt,
} as const
type Role = keyof typeof parts

interface Step {
  from: readonly OrderStatus[]
  to: OrderStatus
  by: readonly Role[]
  /** Set if the step undoes a cancellation within the undo window: whether the order has an assignee who may still work on it. */
  undoes?: 'assigned' | 'unassigned'
}

/** The step of `confirm-receipt`. */
const claim: Step = { from: ['pending'], to: 'received', by: ['receiver'] }

/** The steps by which the status of an order is set. The claim, the release and the assignment have steps of their own. */
export const steps: readonly Step[] = [
  { from: ['received'], to: 'preparing', by: ['assignee', 'admin'] },
  { from: ['received', 'preparing'], to: 'completed', by: ['assignee', 'admin'] },
  { from: ['pending', 'received'], to: 'cancelled', by: ['party'] },
  { from: ['received', 'preparing'], to: 'cancelled', by: ['assignee'] },
  { from: ['pending', 'received', 'preparing'], to: 'cancelled', by: ['lead'] },
  { from: ['pending', 'received', 'preparing', 'completed'], to: 'cancelled', by: ['admin'] },
  { from: ['cancelled'], to: 'pending', by: ['party', 'admin'], undoes: 'unassigned' },
  { from: ['cancelled'], to: 'received', by: ['party', 'admin'], undoes: 'assigned' },
]

const release: Step = { from: ['received', 'preparing'], to: 'pending', by: ['assignee', 'lead', 'admin'] }
/** The step of `assign`. */
const assignment: Step = { from: ['pending', 'received', 'preparing'], to: 'received', by: ['lead', 'admin'] }
/** The statuses of orders that can be handed over. */
export const openStatuses: readonly OrderStatus[] = ['pending', 'received', 'preparing']

/** The people who may delete an order, by its state. */
const deletions: readonly { from: readonly OrderStatus[]; by: Role }[] = [
  { from: statuses, by: 'admin' },
  { from: ['completed', 'cancelled'], by: 'owner' },
  { from: ['pending'], by: 'receiver' },
  { from: ['received', 'preparing'], by: 'assignee' },
]

/** Whether the asker has one of the roles that may take a step. A token has the role of a party only with the scope `orders:write`. */
const plays = (order: OrderFacts, asker: Asker, { by }: Pick<Step, 'by'>) =>
  by.some((part) => parts[part](order, asker) && (part !== 'party' || asker.hasScope('orders:write')))

function fits({ status, assignedTo, isAbandoned }: OrderFacts, { from, undoes }: Step) {
  if (!from.includes(status)) return false
  return !undoes || (undoes === 'assigned') === (assignedTo !== null && !isAbandoned)
}

/**
 * The step by which someone moves an order. Refuses `forbidden` if none of their roles towards the order allows this step in any status,
 * and `invalid_transition` if only the current status forbids it.
 */
export function findStep(order: OrderFacts, asker: Asker, to: OrderStatus): Step {
  return chooseStep(
    order,
    asker,
    steps.filter((step) => step.to === to),
  )
}

/** Refuses like `findStep` unless the asker may release the order. */
export const checkRelease = (order: OrderFacts, asker: Asker) => chooseStep(order, asker, [release])

/** Refuses like `findStep` unless the asker may assign the order. */
export const checkAssignment = (order: OrderFacts, asker: Asker) => chooseStep(order, asker, [assignment])

function chooseStep(order: OrderFacts, asker: Asker, some: readonly Step[]): Step {
  const open = some.filter((step) => plays(order, asker, step))
  if (open.length === 0) refuse('forbidden')
  return open.find((step) => fits(order, step)) ?? refuse('invalid_transition')
}

/** Whether someone is a receiver of the order, a lead of its team or an administrator. */
export const isStaff = (order: OrderFacts, asker: Asker) => asker.isAdmin || receivesIt(order, asker) || leadsIt(order, asker)

/** Whether someone is the requester or the beneficiary of an order. */
export const isParty = parts.party

/** Whether someone may read an order even if they do not decide on it. */
export const mayRead = (order: OrderFacts, asker: Asker) => isStaff(order, asker) || isParty(order, asker)

/** The statuses that someone may move an order to now; `undoUntil` is null when there is no cancellation to undo. */
export function nextStatuses(order: OrderFacts & { undoUntil: Date | null }, asker: Asker) {
  if (!movingScopes.some(asker.hasScope)) return []
  const open = [claim, ...steps].filter((step) => plays(order, asker, step) && fits(order, step) && (!step.undoes || order.undoUntil))
  return statuses.filter((status) => open.some(({ to }) => to === status))
}

/** The scopes with which a token may move orders. */
export const movingScopes = ['orders:write', 'orders:receive'] as const

/** An order with the statuses that its reader may set. */
export const shownTo = <Order extends OrderFacts & { undoUntil: Date | null }>(order: Order, actor: Actor) => ({
  ...order,
  next: nextStatuses(order, askerOf(actor.asWriter)),
})

/** Whether someone may delete an order in its present state. */
export const mayDelete = (order: OrderFacts, asker: Asker) =>
  deletions.some(({ from, by }) => from.includes(order.status) && parts[by](order, asker))

/** The most approvers who are notified of an order. */
export const MOST_ASKED = 200

interface Parties {
  userId: number
  beneficiaryId?: number | null
  /** Null if there is none, or if they are inactive. */
  beneficiary?: object | null
}
/** The people who get the notices to parties: the requester, and the beneficiary if active. */
export const partiesOf = ({ userId, beneficiaryId, beneficiary }: Parties) => (beneficiary ? [userId, beneficiaryId!] : [userId])

/** The ways in which an order can change, in the event about incoming orders. */
export const orderChangeNames = ['placed', 'claimed', 'changed', 'cancelled', 'restored', 'deleted'] as const
export type OrderChange = (typeof orderChangeNames)[number]
export interface KnownOrder extends OrderFacts {
  id: number
}

export const incomingChanged = (
  { id, status, assignedTo }: Omit<KnownOrder, 'userId' | 'team'>,
  change: OrderChange,
  receivers: Recipients,
): Event => ({
  event: 'order_incoming_changed',
  data: { orderId: id, status, assignedTo, change },
  to: receivers,
})

/** How a move appears to receivers. */
export function orderChangeOf(from: OrderStatus, to: OrderStatus): OrderChange {
  if (from === 'cancelled') return 'restored'
  if (to === 'cancelled') return 'cancelled'
  return from === 'pending' ? 'claimed' : 'changed'
}

const texts = {
  pending: 'order_returned',
  received: 'order_claimed',
  preparing: 'order_preparing',
  completed: 'order_completed',
  cancelled: 'order_cancelled',
} as const satisfies Record<OrderStatus, Notice['template']>

/** The template of the notice that tells the parties of a move. */
export const textOf = (from: OrderStatus, to: OrderStatus) => (from === 'cancelled' ? 'order_restored' : texts[to])

export const withReason = ({ ar, en }: ReturnType<typeof paramsFor>, reason: string) => ({ ar: { ...ar, reason }, en: { ...en, reason } })

/** The notice of a cancellation with its reason. The reason is not among the facts, because it is deleted with the order. */
export const reasonText = (params: ReturnType<typeof paramsFor>, reason: string) => ({
  template: 'order_cancelled_because' as const,
  params: withReason(params, reason),
})

interface Moved {
  from: OrderStatus
  to: OrderStatus
  userId: number
  /** The assignee before and after. */
  wasAssignedTo: number | null
  assignedTo: number | null
  /** The beneficiary, if that is not the requester and gets notices. */
  beneficiaryId?: number
  /** Whether the assignee may no longer work on the order. */
  isAbandoned?: boolean
}
/** The notices of a move for the assignees before and after it, except the parties of the order and the author of the move. */
export function textsForWorkers(
  { from, to, userId, wasAssignedTo, assignedTo, beneficiaryId, isAbandoned }: Moved,
  authorId: number | null,
) {
  const noticeTo = (id: number | null, template: 'order_resumed' | 'order_withdrawn' | 'order_taken' | 'order_assigned') =>
    id === null || [authorId, userId, beneficiaryId].includes(id) ? [] : [{ recipients: [id], template }]
  if (from === 'cancelled') return noticeTo(assignedTo, 'order_resumed')
  if (to === 'cancelled') return from === 'completed' || isAbandoned ? [] : noticeTo(assignedTo, 'order_withdrawn')
  return wasAssignedTo === assignedTo ? [] : [...noticeTo(wasAssignedTo, 'order_taken'), ...noticeTo(assignedTo, 'order_assigned')]
}

interface Names {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** The parameters of the texts about an order, in both languages. */
export const paramsFor = ({ nameAr, nameEn }: { nameAr: string; nameEn: string }, person: Names | null) => ({
  ar: { service: nameAr, person: person ? displayName(person, 'ar') : '' },
  en: { service: nameEn, person: person ? displayName(person, 'en') : '' },
})

/** Why a claim was too late, in both languages, with the order's current state. */
export function lostClaim({ status, assignedTo }: Pick<OrderFacts, 'status' | 'assignedTo'>, claimerId: number) {
  const [messageEn, messageAr] = status === 'cancelled' || status === 'completed' ? over[status] : assignedTo === claimerId ? own : others
  return { status, assignedTo, messageEn, messageAr }
}
const own = ['You have claimed this order already.', 'لقد استلمت هذا الطلب من قبل.'] as const
const others = ['Someone else has claimed this order.', 'استلم شخص آخر هذا الطلب.'] as const
const over = {
  cancelled: ['This order was cancelled.', 'أُلغي هذا الطلب.'],
  completed: ['This order is complete already.', 'اكتمل هذا الطلب من قبل.'],
} as const
