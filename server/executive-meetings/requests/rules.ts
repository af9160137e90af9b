import type { Actor } from '../../platform/auth/actor.ts'
import type { Notice } from '../../platform/changes/change-kind.ts'
import { refuse, refuseField } from '../../platform/refusal.ts'
import { displayName } from '../../platform/text.ts'
import type { RequestStatus, RequestType } from '../../tables.ts'
import { APPROVE } from '../rules.ts'

export const types = ['create', 'reschedule', 'edit', 'cancel', 'attendees', 'note'] as const satisfies RequestType[]
export const statuses = ['pending', 'approved', 'rejected', 'needs_edit', 'withdrawn'] as const satisfies RequestStatus[]

/** What a reviewer may say of a request, and what its requester may do with it. */
export const decisions = ['approved', 'rejected', 'needs_edit'] as const satisfies RequestStatus[]
export const actions = ['withdraw', 'resubmit'] as const
export const asks = [...decisions, ...actions] as const
export type Ask = (typeof asks)[number]

export interface RequestFacts {
  status: RequestStatus
  /** Who asks; null once they are gone. */
  requesterId: number | null
}
type Asker = Pick<Actor, 'id' | 'isAdmin' | 'mayEnter'>

const isRequester = ({ requesterId }: RequestFacts, { id }: Asker) => requesterId === id

/** What someone is to a request. */
const parts = {
  requester: isRequester,
  /** Nobody but an administrator decides on what they asked for themselves. */
  reviewer: (request: RequestFacts, asker: Asker) => asker.mayEnter(APPROVE) && (asker.isAdmin || !isRequester(request, asker)),
} as const

interface Step {
  from: readonly RequestStatus[]
  asked: Ask
  to: RequestStatus
  by: keyof typeof parts
  /** What it is called in the audit log. */
  action: string
}

/** The whole life of a request after it is made. */
export const steps: readonly Step[] = [
  { from: ['pending'], asked: 'approved', to: 'approved', by: 'reviewer', action: 'approve' },
  { from: ['pending'], asked: 'rejected', to: 'rejected', by: 'reviewer', action: 'reject' },
  { from: ['pending'], asked: 'needs_edit', to: 'needs_edit', by: 'reviewer', action: 'needs_edit' },
  { from: ['needs_edit'], asked: 'resubmit', to: 'pending', by: 'requester', action: 'resubmit' },
  { from: ['pending', 'needs_edit'], asked: 'withdraw', to: 'withdrawn', by: 'requester', action: 'withdraw' },
]

const plays = (request: RequestFacts, asker: Asker, { by }: Step) => parts[by](request, asker)

/** The step that someone asks for. Refuses `forbidden` where it is not theirs in any state, and `invalid_transition` where it is not in this one. */
export function findStep(request: RequestFacts, asker: Asker, asked: Ask): Step {
  const step = stepOf(asked)
  if (!plays(request, asker, step)) refuse('forbidden')
  if (!step.from.includes(request.status)) refuse('invalid_transition')
  return step
}

export const stepOf = (asked: Ask) => steps.find((step) => step.asked === asked)!

/** What someone may do with a request now. */
export const nextAsks = (request: RequestFacts, asker: Asker) =>
  asks.filter((asked) => plays(request, asker, stepOf(asked)) && stepOf(asked).from.includes(request.status))

/** The one thing that a body asks for. Refuses a body that asks for nothing, or for two. */
export function askOf({ status, action, details }: { status?: Ask; action?: Ask; details?: object }): Ask {
  if (status !== undefined && action !== undefined) refuseField('action', 'cannot be combined with `status`')
  const asked = status ?? action ?? refuseField('status', 'is required unless `action` is given')
  if (asked === 'resubmit' && details === undefined) refuseField('details', 'is required')
  return asked
}

/** What its requester is told of a decision. */
export const noticeFor = {
  approved: 'meeting_request_approved',
  rejected: 'meeting_request_rejected',
  needs_edit: 'meeting_request_returned',
} as const satisfies Partial<Record<Ask, Notice['template']>>

interface Titled {
  titleAr?: string | null
  titleEn?: string | null
}
interface Named {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** What the texts about a request name, in both languages. */
export function paramsFor({ titleAr, titleEn }: Titled, person: Named | null, reviewNotes: string | null) {
  const notes = reviewNotes ? ` ${reviewNotes}` : ''
  return {
    ar: { meeting: titleAr || titleEn || '', person: person ? displayName(person, 'ar') : '', notes },
    en: { meeting: titleEn || titleAr || '', person: person ? displayName(person, 'en') : '', notes },
  }
}
