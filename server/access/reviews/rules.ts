import type { Limit } from '../../platform/auth/limits.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { refuse, refuseField, refuseFields } from '../../platform/errors/refusal.ts'
import { titleFaults } from '../../work/meetings/meetings/rules.ts'

export const statuses = ['open', 'closing', 'closed', 'cancelled'] as const
export type ReviewStatus = (typeof statuses)[number]
export const verdicts = ['keep', 'remove'] as const
export type Verdict = (typeof verdicts)[number]
export const states = ['keep', 'remove', 'undecided', 'skipped'] as const
export const outcomes = ['kept', 'removed', 'skipped'] as const
/** The reasons why an item was not taken away; the first one that applies is stored. */
export const skipReasons = ['gone', 'changed', 'managed_elsewhere', 'no_reviewer', 'not_confirmed', 'last_admin'] as const
export type SkipReason = (typeof skipReasons)[number]

/** The farthest due date, in days from today. */
export const MOST_DAYS = 366
export const MOST_ITEMS = 100_000

/**
 * Limits the verdicts of reviewers, because each leaves a permanent row in the ledger. Nobody who decides one item at a time reaches the
 * limit. Administrators, who may use scripts, have none.
 */
export const verdictShare = (userId: number): Limit => ({
  rule: { name: 'verdicts', tries: 3000, withinMs: 3_600_000 },
  key: String(userId),
})

interface Titles {
  titleAr: string | null
  titleEn: string | null
}
interface NewReview extends Titles {
  groupIds: readonly number[]
  roleIds: readonly number[]
}

/** Refuses a review without a title, or without groups and roles, each by its field. */
export function checkReview({ groupIds, roleIds, ...titles }: NewReview) {
  const details = titleFaults(titles)
  if (groupIds.length + roleIds.length === 0) details.push(fieldError('groupIds', 'required', { unless: ['roleIds'] }))
  if (details.length) refuseFields(details)
}

/** Refuses a change after which a review would have no title. */
export function checkChange(titles: Titles) {
  const details = titleFaults(titles)
  if (details.length) refuseFields(details)
}

/** Refuses a day before today or more than 366 days later. */
export function checkDueDate(dueDate: string, { today, last }: { today: string; last: string }) {
  if (dueDate < today || dueDate > last) refuseField('dueDate', 'fromToday', { limit: MOST_DAYS })
}

/** Refuses anything but an open review. */
export function checkOpen({ status }: { status: ReviewStatus }) {
  if (status !== 'open') refuse('invalid_transition')
}

/** Refuses an item that occurs twice. */
export function checkDifferent(items: readonly { id: number }[]) {
  const seen = new Set<number>()
  for (const [place, { id }] of items.entries()) {
    if (seen.has(id)) refuseField(`items.${place}.id`, 'uniqueItems')
    seen.add(id)
  }
}

/** A title in both languages: a missing one is replaced by the other. */
export const titlesIn = ({ titleAr, titleEn }: Titles) => ({ ar: titleAr || titleEn || '', en: titleEn || titleAr || '' })

/** The effect of closing on an item. */
export type Fate = 'keep' | 'remove' | SkipReason

/** An item whose grant closing may remove. */
export interface Leaving {
  id: number
  userId: number
  kind: 'group' | 'role'
  /** The id of the group or role. */
  targetId: number
}
/** A grant without an end that makes an active person an administrator. */
export type AdminGrant = Omit<Leaving, 'id'>

const keyOf = ({ userId, kind, targetId }: AdminGrant) => `${userId} ${kind} ${targetId}`

/** The ids of the items that must stay: removing one after the items before it would leave no administrator. */
export function lastAdminItems(items: readonly Leaving[], grants: readonly AdminGrant[]) {
  const held = new Map<string, AdminGrant>(grants.map((grant) => [keyOf(grant), grant]))
  const counts = new Map<number, number>()
  for (const { userId } of grants) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  const needed = new Set<number>()
  for (const item of items) {
    if (!held.has(keyOf(item))) continue
    const count = counts.get(item.userId)!
    if (count === 1 && counts.size === 1) {
      needed.add(item.id)
      continue
    }
    held.delete(keyOf(item))
    if (count === 1) counts.delete(item.userId)
    else counts.set(item.userId, count - 1)
  }
  return needed
}

/** The titles in the facts of a change, by which a search of the log finds it. */
export const titlesOf = ({ titleAr, titleEn }: Titles) => ({ ...(titleAr && { titleAr }), ...(titleEn && { titleEn }) })
