/** Reviews of access: their resources and calls. */
import type { Kind } from '../../parts/lists/filters/reading.ts'
import { invalidate, resource, setCached } from '../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../platform/client.ts'
import { inLanguage } from '../../platform/language.ts'
import { path } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'

export type Review = Schemas['AccessReview']
export type Item = Schemas['AccessReviewItem']
export type Counts = Review['counts']
export type Verdict = 'keep' | 'remove'
export type State = 'undecided' | Verdict | 'skipped'
export type ClosingPreview = Schemas['AccessReviewClosingPreview']

/** Whether an item is about the person, who may not judge it. */
export const isOwn = ({ person }: Item) => person.id === me.value?.id

export const statuses = ['open', 'closing', 'closed', 'cancelled'] as const

export const reviewOf = (id: number) => resource('/access-reviews/{id}', { path: { id } })
/** The open reviews in which the person judges. */
export const mine = resource('/access-reviews', { query: { view: 'mine', status: 'open' } })

export const titleOf = ({ titleAr, titleEn }: Pick<Review, 'titleAr' | 'titleEn'>) => inLanguage(titleAr, titleEn)

/** Whether the page is open inside the administration, where administrators find the reviews as well. */
export const isInside = () => path.value.startsWith('/admin')
export const base = () => (isInside() ? '/admin/reviews' : '/reviews')

/** Limits a list to the grants of one group or one role. */
export interface Of {
  groupId?: number
  roleId?: number
}
const OF = /^(group|role)-([1-9]\d{0,8})$/
/** An `Of` in the address: `group-7`, `role-4`. */
export const ofKind: Kind<string> = (written) => (OF.test(written) ? written : undefined)
export function readOf(written: string | undefined): Of | undefined {
  const [, kind, id] = OF.exec(written ?? '') ?? []
  return kind === 'group' ? { groupId: Number(id) } : kind === 'role' ? { roleId: Number(id) } : undefined
}
export const writtenOf = ({ groupId, roleId }: Of) => (groupId ? `group-${groupId}` : `role-${roleId}`)
export interface ItemFilter extends Of {
  state?: State
  q?: string
}
/** The most items that one call may read or decide. */
export const MOST = 200
export const pageOfItems = (id: number, query: ItemFilter & { userId?: number; limit: number; offset: number }) =>
  answer(api.GET('/access-reviews/{id}/items', { params: { path: { id }, query } }))

/** The first item about a group or role. Each item carries the name of its group or role. */
export const firstOf = (id: number, of: Of) => resource('/access-reviews/{id}/items', { path: { id }, query: { ...of, limit: 1 } })

/** Whether an item still has the verdict that the person gave. An item without a verdict names nobody. */
export const isStill = (now: Pick<Item, 'verdict' | 'reviewer'>, given: Verdict | null) =>
  now.verdict === given && (given === null || now.reviewer?.id === me.peek()?.id)

/** Reads an item again; undefined if the review does not show it any more. */
export const readItem = async (review: number, { id, person }: Item) =>
  (await pageOfItems(review, { userId: person.id, limit: MOST, offset: 0 })).items.find((one) => one.id === id)

export interface NewVerdict {
  id: number
  verdict: Verdict | null
  note?: string | null
}
export const sendVerdicts = (id: number, items: NewVerdict[]) =>
  answer(api.POST('/access-reviews/{id}/verdicts', { params: { path: { id } }, body: { items }, keepalive: true }))

const changed = () => invalidate('/access-reviews', '/admin/audit-logs')

/** The values of the form of a review. */
export interface Values {
  titleAr: string
  titleEn: string
  groupIds: number[]
  roleIds: number[]
  reviewerUserIds: number[]
  dueDate: string
  ifSilent: Verdict
}
export const valuesOf = ({ titleAr, titleEn, groupIds, roleIds, reviewerUserIds, dueDate, ifSilent }: Review): Values => ({
  titleAr: titleAr ?? '',
  titleEn: titleEn ?? '',
  groupIds,
  roleIds,
  reviewerUserIds,
  dueDate,
  ifSilent,
})
const textOrNull = (typed: string) => typed.trim() || null

export async function beginReview({ titleAr, titleEn, ...rest }: Values) {
  const body = { ...rest, titleAr: textOrNull(titleAr), titleEn: textOrNull(titleEn) }
  const review = await answer(api.POST('/access-reviews', { body }))
  changed()
  return review
}

/** Saves the changed titles, due date or reviewers at the given version. */
export async function saveReview(id: number, changes: Partial<Values>, version: string | undefined) {
  const { titleAr, titleEn, dueDate, reviewerUserIds } = changes
  const place = { path: { id } }
  const body = {
    ...(titleAr !== undefined && { titleAr: textOrNull(titleAr) }),
    ...(titleEn !== undefined && { titleEn: textOrNull(titleEn) }),
    ...(dueDate !== undefined && { dueDate }),
    ...(reviewerUserIds && { reviewerUserIds }),
  }
  const { data, response } = await api.PATCH('/access-reviews/{id}', { params: place, body, headers: ifMatch(version) })
  setCached('/access-reviews/{id}', data!, place, response)
  changed()
  return { from: valuesOf(data!), version: versionOf(response) }
}

/** Asks the portal what closing would do, without closing. */
export const previewClosing = async (id: number) =>
  (await answer(api.POST('/access-reviews/{id}/close', { params: { path: { id } }, body: { dryRun: true } }))) as unknown as ClosingPreview

export async function closeReview(id: number) {
  await answer(api.POST('/access-reviews/{id}/close', { params: { path: { id } }, body: {} }))
  await reviewOf(id).refresh()
  changed()
}

export async function cancelReview(id: number) {
  await answer(api.POST('/access-reviews/{id}/cancel', { params: { path: { id } } }))
  await reviewOf(id).refresh()
  changed()
}

export const findGroups = async (q: string) =>
  (await answer(api.GET('/groups', { params: { query: { ...(q && { q: q.slice(0, 200) }), limit: 20 } } }))).filter(
    ({ isSystem }) => !isSystem,
  )
export const findPeople = (q: string) => answer(api.GET('/users', { params: { query: { q: q.slice(0, 200), limit: 20 } } }))
export const roles = resource('/roles')
export const groupOf = (id: number) => resource('/groups/{id}', { path: { id } }).data
export const peopleOf = (ids: readonly number[]) =>
  ids.length > 0 ? (resource('/users', { query: { ids: [...ids].toSorted((one, other) => one - other).join() } }).data ?? []) : []
