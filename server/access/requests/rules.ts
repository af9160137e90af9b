import type { Event } from '../../platform/changes/change-kind.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import type { AccessRequestStatus, LapseReason } from '../../platform/tables.ts'
import { displayName, titlesOf } from '../../platform/text.ts'

export const statuses = ['pending', 'approved', 'denied', 'withdrawn', 'lapsed'] as const satisfies AccessRequestStatus[]
export const lapseReasons = [
  'undecided',
  'requester_gone',
  'group_gone',
  'not_requestable',
  'already_member',
] as const satisfies LapseReason[]

/** The most pending requests of one person. */
export const MOST_PENDING = 20
/** The most requests of one person for one group within 24 hours. */
export const MOST_OF_GROUP = 5
/** The most approvers that are notified of a request. */
export const MOST_NOTIFIED = 200

interface Standing {
  requesterId: number
  status: AccessRequestStatus
  /** Whether the reader may decide on the request while it is pending. */
  isDecider: boolean
}
/** Refuses `forbidden` to the requester and to readers who cannot decide. */
export function checkDecider({ isDecider }: Standing) {
  if (!isDecider) refuse('forbidden')
}

/** Refuses `forbidden` to everyone but the requester. */
export function checkRequester({ requesterId }: Standing, actorId: number) {
  if (requesterId !== actorId) refuse('forbidden')
}

export function checkPending({ status }: Standing) {
  if (status !== 'pending') refuse('invalid_transition')
}

type Days = number | null | undefined
/** The smallest of these numbers of days; null if none is given. */
export function leastDays(...all: readonly Days[]) {
  const given = all.filter((days) => days !== null && days !== undefined)
  return given.length ? Math.min(...given) : null
}

/** Refuses more days than the limits allow. */
export function checkDays(days: Days, ...limits: readonly Days[]) {
  const limit = leastDays(...limits)
  if (days && limit !== null && days > limit) refuseField('days', 'maximum', { limit })
}

interface Names {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
interface Group {
  groupName: string
  groupDescriptionAr: string | null
  groupDescriptionEn: string | null
}
export const groupTitles = ({ groupName: name, groupDescriptionAr: descriptionAr, groupDescriptionEn: descriptionEn }: Group) =>
  titlesOf({ name, descriptionAr, descriptionEn })

/** The parameters of the texts about a request: the names of the group and of a person, the requester or a decider. */
export function paramsFor(group: Group, person: Names) {
  const { ar, en } = groupTitles(group)
  return { ar: { group: ar, person: displayName(person, 'ar') }, en: { group: en, person: displayName(person, 'en') } }
}

/** The notices of a lapse to the requester, by its reason. */
export const lapseNotices = {
  undecided: 'access_request_undecided',
  requester_gone: 'access_request_inactive',
  group_gone: 'access_request_closed',
  not_requestable: 'access_request_closed',
  already_member: 'access_request_needless',
} as const satisfies Record<LapseReason, string>

export const requestChanged = (requestId: number, status: AccessRequestStatus, to: Event['to']): Event => ({
  event: 'access_request_changed',
  data: { requestId, status },
  to,
})
