import { isDeepStrictEqual } from 'node:util'
import type { Static, TSchema } from 'typebox'
import { lockExistingPeople } from '../../people/users/queries.ts'
import { requireInAdministration } from '../../platform/auth/confirmation.ts'
import type { Session } from '../../platform/auth/sessions.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { csvChunks } from '../../platform/csv.ts'
import { ascending, changedSet, lockExisting, movesBetween } from '../../platform/database/sets.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, download, query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { wire } from '../../platform/http/wire.ts'
import { beginClosing, previewClosing } from './closing.ts'
import { judgeItems, lockItems, pageItems, pageReportRows, REPORT_COLUMNS } from './items.ts'
import { openReview } from './opening.ts'
import {
  cancelReview,
  confirmTakings,
  dueDates,
  findReview,
  findTakings,
  lockForVerdicts,
  lockReview,
  pageReviews,
  type ReviewRecord,
  readReview,
  readScopes,
  setReview,
} from './queries.ts'
import {
  checkChange,
  checkDifferent,
  checkDueDate,
  checkOpen,
  checkReview,
  MOST_DAYS,
  MOST_ITEMS,
  titlesOf,
  verdictShare,
} from './rules.ts'
import {
  AccessReview,
  AccessReviews,
  Closed,
  Closing,
  ClosingPreview,
  ItemFilter,
  Judged,
  NewReview,
  ReviewChanges,
  ReviewFilter,
  ReviewItems,
  Verdicts,
} from './shapes.ts'

const setOf = (ids: readonly number[]) => ascending(new Set(ids))
const wayOf = ({ kind }: Session) => (kind === 'token' ? 'token' : 'session')
const textOrNull = (text: string | null | undefined) => text || null

export const createAccessReview = command('POST /access-reviews', {
  summary: 'Begin a review of memberships and of roles held directly',
  description: `Its items are the grants that hold now, also those of inactive people and of service accounts; at most ${MOST_ITEMS}. Its reviewers are notified. Nothing is taken away before it is closed, by an administrator or at the end of \`dueDate\`.`,
  allow: 'admin',
  scope: 'admin:write',
  record: AccessReview,
  body: NewReview,
  reply: AccessReview,
  status: 201,
  refuses: ['unknown_ids', 'too_many_items'],
  run: async ({ tx, actor, session, body: { groupIds = [], roleIds = [], reviewerUserIds = [], titleAr, titleEn, dueDate, ifSilent } }) => {
    const titles = { titleAr: textOrNull(titleAr), titleEn: textOrNull(titleEn) }
    const sets = { groupIds: setOf(groupIds), roleIds: setOf(roleIds), reviewerUserIds: setOf(reviewerUserIds) }
    checkReview({ ...titles, ...sets })
    checkDueDate(dueDate, await dueDates(tx, MOST_DAYS))
    await lockExisting(tx, 'groups', sets.groupIds)
    await lockExisting(tx, 'roles', sets.roleIds)
    await lockExistingPeople(tx, sets.reviewerUserIds)
    const { id, ...made } = await openReview(tx, { ...titles, ...sets, dueDate, ifSilent, decidedWith: wayOf(session) }, actor)
    const facts = { ...titlesOf(titles), ...sets, dueDate, ifSilent, ...made }
    return changed(await readReview(tx, id, actor), { kind: 'access_review.opened', targetId: id, facts })
  },
})

export const listAccessReviews = query('GET /access-reviews', {
  summary: 'The reviews that the caller reviews, or all, newest first',
  description: 'Only administrators may list all. `counts` are of the items that the caller may judge.',
  allow: 'signed-in',
  query: ReviewFilter,
  reply: AccessReviews,
  refuses: ['forbidden'],
  run: ({ db, actor, query }) => (query.view === 'all' && !actor.isAdmin ? refuse('forbidden') : pageReviews(db, query, actor)),
})

export const showAccessReview = query('GET /access-reviews/:id', {
  summary: 'One review',
  description: 'For its reviewers and for administrators. `counts` are of the items that the caller may judge.',
  allow: 'signed-in',
  record: AccessReview,
  params: IdParams,
  reply: AccessReview,
  refuses: ['not_found'],
  run: ({ db, actor, params }) => readReview(db, params.id, actor),
})

type Changes = Static<typeof ReviewChanges>
/** The fields of a review after a change. */
const changedBy = (review: ReviewRecord, { titleAr, titleEn, dueDate, reviewerUserIds }: Changes) => ({
  titleAr: titleAr === undefined ? review.titleAr : textOrNull(titleAr),
  titleEn: titleEn === undefined ? review.titleEn : textOrNull(titleEn),
  dueDate: dueDate ?? review.dueDate,
  reviewerUserIds: reviewerUserIds ? setOf(reviewerUserIds) : review.reviewerUserIds,
})

export const changeAccessReview = command('PATCH /access-reviews/:id', {
  summary: 'Change the titles, the due date or the reviewers of an open review',
  description: 'Omitted fields do not change. Verdicts stay, also those of former reviewers. New reviewers are notified.',
  allow: 'admin',
  scope: 'admin:write',
  record: AccessReview,
  params: IdParams,
  body: ReviewChanges,
  reply: AccessReview,
  refuses: ['not_found', 'unknown_ids', 'invalid_transition'],
  run: async ({ tx, ifMatch, actor, params: { id }, body }) => {
    const before = await lockReview(tx, id)
    await ifMatch(() => readReview(tx, id, actor))
    checkOpen(before)
    const after = changedBy(before, body)
    checkChange(after)
    if (after.dueDate !== before.dueDate) checkDueDate(after.dueDate, await dueDates(tx, MOST_DAYS))
    const moves = movesBetween(before.reviewerUserIds, after.reviewerUserIds)
    await lockExistingPeople(tx, moves.added)
    const { reviewerUserIds: _, ...fields } = after
    const differences = { ...changedFields(before, fields), ...changedSet('reviewerUserIds', moves) }
    if (Object.keys(differences).length === 0) return unchanged(await readReview(tx, id, actor))
    await setReview(tx, id, after)
    if (after.dueDate !== before.dueDate) await confirmTakings(tx, id)
    return changed(await readReview(tx, id, actor), {
      kind: 'access_review.updated',
      targetId: id,
      facts: { ...titlesOf(after), changed: differences, dueDate: after.dueDate, newReviewerIds: moves.added },
    })
  },
})

export const listAccessReviewItems = query('GET /access-reviews/:id/items', {
  summary: 'The items of a review, by the name of the person',
  description:
    'Reviewers get the items that they may judge, administrators all. `q` ignores case, diacritics and letter variants. Once a review is closed, what it says of use is as of then.',
  allow: 'signed-in',
  params: IdParams,
  query: ItemFilter,
  reply: ReviewItems,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await findReview(db, id)
    return pageItems(db, id, query, actor)
  },
})

export const judgeAccessReviewItems = command('POST /access-reviews/:id/verdicts', {
  summary: 'Give verdicts on items of an open review',
  description:
    'A later verdict replaces an earlier one, also another person’s; null takes it back. Nobody judges their own grants. An item that fails does not keep the others from being done.',
  allow: 'signed-in',
  params: IdParams,
  body: Verdicts,
  reply: Judged,
  refuses: ['not_found', 'invalid_transition', 'rate_limited'],
  limits: ({ actor }) => (actor.isAdmin ? [] : [verdictShare(actor.id)]),
  run: async ({ tx, actor, session, params: { id }, body: { items } }) => {
    checkDifferent(items)
    const review = await lockForVerdicts(tx, id)
    const scopes = await readScopes(tx, id, actor)
    checkOpen(review)
    const ids = items.map((item) => item.id)
    await lockItems(tx, id, ids)
    const before = await findTakings(tx, id, ids)
    const judged = await judgeItems(tx, id, items, { by: actor, decidedWith: wayOf(session), scopes })
    const done = new Set(judged.map((item) => item.id))
    const reply = { doneIds: ids.filter((one) => done.has(one)), failedIds: ids.filter((one) => !done.has(one)) }
    const moved = judged.filter(({ isChanged }) => isChanged)
    if (moved.length === 0) return unchanged(reply)
    await confirmTakings(
      tx,
      id,
      moved.map((item) => item.id),
    )
    if (!isDeepStrictEqual(before, await findTakings(tx, id, ids))) await requireInAdministration(tx, session)
    const judgedAs = (verdict: string | null) => moved.filter((item) => item.verdict === verdict).map((item) => item.id)
    const facts = { ...titlesOf(review), keep: judgedAs('keep'), remove: judgedAs('remove'), cleared: judgedAs(null) }
    return changed(reply, { kind: 'access_review.judged', targetId: id, facts })
  },
})

export const closeAccessReview = command('POST /access-reviews/:id/close', {
  summary: 'Close an open review and take away what it decided, or preview that',
  description:
    'From now on verdicts are refused. The job that takes the grants away works in portions; the review is `closing` until it is done. Items are skipped whose grant is gone or was changed since, which nobody could judge, or without which no administrator would be left.',
  allow: 'admin',
  scope: 'admin:write',
  params: IdParams,
  body: Closing,
  reply: Closed,
  refuses: ['not_found', 'invalid_transition'],
  answer: async ({ db, params: { id }, body: { dryRun } }) => {
    if (!dryRun) return undefined
    checkOpen(await findReview(db, id))
    return wire(ClosingPreview as TSchema as typeof Closed, { ...(await previewClosing(db, id)) })
  },
  run: async ({ tx, actor, params: { id } }) => {
    const review = await lockReview(tx, id)
    checkOpen(review)
    await confirmTakings(tx, id)
    await beginClosing(tx, id, { id: actor.id, username: actor.username })
    const reply = wire(AccessReview as TSchema as typeof Closed, { ...(await readReview(tx, id, actor)) })
    return changed(reply, { kind: 'access_review.closing', targetId: id, facts: titlesOf(review) })
  },
})

export const cancelAccessReview = command('POST /access-reviews/:id/cancel', {
  summary: 'Cancel an open review',
  description: 'Nothing is taken away. Its verdicts can still be read.',
  allow: 'admin',
  scope: 'admin:write',
  record: AccessReview,
  params: IdParams,
  reply: AccessReview,
  refuses: ['not_found', 'invalid_transition'],
  run: async ({ tx, actor, params: { id } }) => {
    const review = await lockReview(tx, id)
    checkOpen(review)
    await cancelReview(tx, id, actor)
    return changed(await readReview(tx, id, actor), { kind: 'access_review.cancelled', targetId: id, facts: titlesOf(review) })
  },
})

export const exportAccessReview = download('GET /access-reviews/:id/report.csv', {
  summary: 'The items of a review as a CSV file',
  description: 'People are named by their usernames, and sorted by them. Cells that a spreadsheet could execute begin with a single quote.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  contentType: 'text/csv; charset=utf-8',
  example: `${REPORT_COLUMNS.join()}\n`,
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await findReview(db, id)
    return {
      filename: `access-review-${id}.csv`,
      contentType: 'text/csv; charset=utf-8',
      chunks: csvChunks(REPORT_COLUMNS, pageReportRows(db, id)),
    }
  },
})
