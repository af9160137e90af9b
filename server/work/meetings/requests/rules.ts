import type { Actor } from '../../../platform/auth/actor.ts'
import type { Notice } from '../../../platform/changes/change-kind.ts'
import { refuse, refuseField } from '../../../platform/errors/refusal.ts'
import type { RequestStatus, RequestType } from '../../../platform/tables.ts'
import { displayName } from '../../../platform/text.ts'
import { APPROVE } from '../rules.ts'

export const types = ['create', 'reschedule', 'edit', 'cancel', 'attendees', 'note'] as const satisfies RequestType[]
export const statuses = ['pending', 'approved', 'rejected', 'needs_edit', 'withdrawn'] as const satisfies RequestStatus[]

/** The decisions of a reviewer, and the actions of a requester. */
export const decisions = ['approved', 'rejected', 'needs_edit'] as const satisfies RequestStatus[]
export const actions = ['withdraw', 'resubmit'] as const
export const asks = [...decisions, ...actions] as const
export type Ask = (typeof asks)[number]

export interface RequestFacts {
  status: RequestStatus
  /** The requester; null after their deletion. */
  requesterId: number | null
}
type Asker = Pick<Actor, 'id' | 'isAdmin' | 'mayEnter' | 'hasScope'>

const isRequester = ({ requesterId }: RequestFacts, { id }: Asker) => requesterId === id

/** The roles that a person can have in a request. */
const parts = {
  /** A token can act for the requester only with this scope. */
  requester: (request: RequestFacts, asker: Asker) => isRequester(request, asker) && asker.hasScope('meetings:request'),
  /** Only administrators may decide on their own requests. */
  reviewer: (request: RequestFacts, asker: Asker) => asker.mayEnter(APPROVE) && (asker.isAdmin || !isRequester(request, asker)),
} as const

interface Step {
  from: readonly RequestStatus[]
  asked: Ask
  to: RequestStatus
  by: keyof typeof parts
  /** The step's action in the audit log. */
  action: string
}

/** Every step of a request after its creation. */
export const steps: readonly Step[] = [
  { from: ['pending'], asked: 'approved', to: 'approved', by: 'reviewer', action: 'approve' },
  { from: ['pending'], asked: 'rejected', to: 'rejected', by: 'reviewer', action: 'reject' },
  { from: ['pending'], asked: 'needs_edit', to: 'needs_edit', by: 'reviewer', action: 'needs_edit' },
  { from: ['needs_edit'], asked: 'resubmit', to: 'pending', by: 'requester', action: 'resubmit' },
  { from: ['pending', 'needs_edit'], asked: 'withdraw', to: 'withdrawn', by: 'requester', action: 'withdraw' },
]

const plays = (request: RequestFacts, asker: Asker, { by }: Step) => parts[by](request, asker)

/** The requested step. Refuses `forbidden` if no state allows the asker this step, and `invalid_transition` if another state would. */
export function findStep(request: RequestFacts, asker: Asker, asked: Ask): Step {
  const step = stepOf(asked)
  if (!plays(request, asker, step)) refuse('forbidden')
  if (!step.from.includes(request.status)) refuse('invalid_transition')
  return step
}

export const stepOf = (asked: Ask) => steps.find((step) => step.asked === asked)!

/** The steps that a person may take with a request now. */
export const nextAsks = (request: RequestFacts, asker: Asker) =>
  asks.filter((asked) => plays(request, asker, stepOf(asked)) && stepOf(asked).from.includes(request.status))

/** The one step that a body asks for. Refuses a body that asks for no step or for two. */
export function askOf({ status, action, details }: { status?: Ask; action?: Ask; details?: object }): Ask {
  if (status !== undefined && action !== undefined) refuseField('action', 'exclusive', { fields: ['status'] })
  const asked = status ?? action ?? refuseField('status', 'required', { unless: ['action'] })
  if (asked === 'resubmit' && details === undefined) refuseField('details', 'required')
  return asked
}

/** The notice of a decision to the requester. */
export const noticeFor = {
  approved: 'meeting_request_approved',
  rejected: 'meeting_request_rejected',
  needs_edit: 'meeting_request_returned',
} as const satisfies Partial<Record<Ask, Notice['template']>>

interface Titled {
  titleAr?: string | null
  titleEn?: string | null
}
interface Names {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** The parameters of the texts about a request, in both languages, with the actor's reason or notes. */
export function paramsFor({ titleAr, titleEn }: Titled, person: Names | null, words: string | null) {
  const notes = words ? ` ${words}` : ''
  return {
    ar: { meeting: titleAr || titleEn || '', person: person ? displayName(person, 'ar') : '', notes },
    en: { meeting: titleEn || titleAr || '', person: person ? displayName(person, 'en') : '', notes },
  }
}
