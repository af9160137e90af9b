import { Type } from 'typebox'
import { administrators } from '../../platform/auth/held.ts'
import { type Event, kind, type Notice, type PeopleQuery, type TemplateFor } from '../../platform/changes/change-kind.ts'
import { describeDate } from '../../platform/text.ts'
import { readersOf, undecidedReviewers } from './people.ts'
import { type ReviewStatus, titlesIn } from './rules.ts'

const ids = Type.Array(Type.Integer())
const titles = { titleAr: Type.Optional(Type.String()), titleEn: Type.Optional(Type.String()) }
interface Titles {
  titleAr?: string
  titleEn?: string
}
const Opened = Type.Object({
  ...titles,
  groupIds: ids,
  roleIds: ids,
  reviewerUserIds: ids,
  dueDate: Type.String(),
  ifSilent: Type.String(),
  itemCount: Type.Integer(),
  /** Whether the review has items that only administrators may judge because nobody else can. */
  hasUnjudged: Type.Boolean(),
})
const Updated = Type.Object({
  ...titles,
  changed: Type.Record(Type.String(), Type.Unknown()),
  dueDate: Type.String(),
  /** The reviewers who are notified because they were named just now. */
  newReviewerIds: ids,
})
const Told = Type.Object({
  ...titles,
  dueDate: Type.String(),
  template: Type.Union([Type.Literal('access_review_half'), Type.Literal('access_review_ends'), Type.Literal('access_review_unjudged')]),
})
const Judged = Type.Object({ ...titles, keep: ids, remove: ids, cleared: ids })

const changedTo = (reviewId: number, status: ReviewStatus): Event[] => [
  { event: 'access_review_changed', data: { reviewId, status }, to: readersOf(reviewId) },
]

interface Reviewed extends Titles {
  dueDate: string
}
const notice = (
  reviewId: number,
  { titleAr = null, titleEn = null, dueDate }: { titleAr?: string | null; titleEn?: string | null; dueDate: string },
  template: TemplateFor<{ review: string; until: string }> & `access_review_${string}`,
  recipients: PeopleQuery,
): Notice => {
  const { ar, en } = titlesIn({ titleAr, titleEn })
  return {
    recipients,
    type: 'system',
    template,
    params: { ar: { review: ar, until: describeDate(dueDate, 'ar') }, en: { review: en, until: describeDate(dueDate, 'en') } },
    relatedType: 'access_review',
    relatedId: reviewId,
  }
}
const unjudged = (reviewId: number, review: Reviewed) => notice(reviewId, review, 'access_review_unjudged', administrators)
const settled = ({ targetId }: { targetId: number }) => [{ relatedType: 'access_review', relatedId: targetId } as const]

export const accessReviewChanges = {
  'access_review.opened': kind({
    targetType: 'access_review',
    facts: Opened,
    audits: ({ facts: { hasUnjudged: _, ...metadata } }) => ({ action: 'access_review.create', metadata }),
    notifies: (_tx, { targetId, facts }) => [
      notice(targetId, facts, 'access_review_started', undecidedReviewers(targetId)),
      ...(facts.hasUnjudged ? [unjudged(targetId, facts)] : []),
    ],
    emits: (_tx, { targetId }) => changedTo(targetId, 'open'),
  }),
  'access_review.updated': kind({
    targetType: 'access_review',
    facts: Updated,
    audits: ({ facts: { titleAr, titleEn, changed } }) => ({
      action: 'access_review.update',
      metadata: { ...(titleAr && { titleAr }), ...(titleEn && { titleEn }), changed },
    }),
    notifies: (_tx, { targetId, facts }) => [
      notice(targetId, facts, 'access_review_started', undecidedReviewers(targetId, facts.newReviewerIds)),
    ],
    emits: (_tx, { targetId }) => changedTo(targetId, 'open'),
  }),
  'access_review.judged': kind({
    targetType: 'access_review',
    facts: Judged,
    audits: () => ({ action: 'access_review.verdict' }),
    emits: (_tx, { targetId }) => changedTo(targetId, 'open'),
  }),
  /** Half of the time has passed, a day is left, or items have no reviewer any longer. */
  'access_review.reminded': kind({
    targetType: 'access_review',
    facts: Told,
    audits: 'nothing',
    notifies: (_tx, { targetId, facts }) => [
      facts.template === 'access_review_unjudged'
        ? unjudged(targetId, facts)
        : notice(targetId, facts, facts.template, undecidedReviewers(targetId)),
    ],
    emits: 'nothing',
  }),
  'access_review.closing': kind({
    targetType: 'access_review',
    facts: Type.Object(titles),
    audits: () => ({ action: 'access_review.close' }),
    emits: (_tx, { targetId }) => changedTo(targetId, 'closing'),
    settles: settled,
  }),
  /** A portion of the review's items has its outcome. The changes of grants are recorded separately. */
  'access_review.applied': kind({
    targetType: 'access_review',
    facts: Type.Object({ kept: Type.Integer(), removed: Type.Integer(), skipped: Type.Integer() }),
    audits: 'nothing',
    emits: 'nothing',
  }),
  'access_review.finished': kind({
    targetType: 'access_review',
    facts: Type.Object(titles),
    audits: 'nothing',
    emits: (_tx, { targetId }) => changedTo(targetId, 'closed'),
  }),
  'access_review.cancelled': kind({
    targetType: 'access_review',
    facts: Type.Object(titles),
    audits: () => ({ action: 'access_review.cancel' }),
    emits: (_tx, { targetId }) => changedTo(targetId, 'cancelled'),
    settles: settled,
  }),
}
