import { type Static, Type } from 'typebox'
import {
  CalendarDate,
  Count,
  Id,
  Ids,
  Line,
  Name,
  Named,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Shape,
  Text,
  Timestamp,
} from '../../platform/http/shape.ts'
import { AuditActor, actorOrNull } from '../../record/audit/shapes.ts'
import { outcomes, skipReasons, states, statuses, verdicts } from './rules.ts'

const ReviewStatus = Named('AccessReviewStatus', OneOf(statuses))
const ItemState = Named('AccessReviewItemState', OneOf(states))
const Verdict = OneOf(verdicts)
const SkipReason = Named(
  'AccessReviewSkipReason',
  OneOf(skipReasons, {
    description:
      'Why it was not taken away, the first that applies: the grant is gone; it was given again or its end changed after the review began; its members are managed elsewhere; nobody could judge it when closing began; it gives the role `admin`, and nobody who was asked to confirm decided to take that; no administrator would be left.',
  }),
)
const DueDate = Type.String({ ...CalendarDate, description: 'The last day, YYYY-MM-DD in the office’s time zone' })
const Title = Type.Optional(Nullable(Name({ max: 200 })))
const Reviewers = Type.Array(Id, {
  maxItems: 50,
  description:
    'Who judges all items, besides the administrators. If it is empty, the approvers of each group judge its items, and the administrators those of roles.',
})

const Uncovered = Named('UncoveredGroup', Shape({ roleId: Id, groupId: Id, name: Type.String(), memberCount: Count }), {
  roleId: 4,
  groupId: 9,
  name: 'Finance',
  memberCount: 14,
})
const exampleTitles = { titleAr: 'مراجعة الربع الأول', titleEn: 'First quarter' }

export const AccessReview = Named(
  'AccessReview',
  Shape({
    id: Id,
    titleAr: Nullable(Type.String()),
    titleEn: Nullable(Type.String()),
    groupIds: Type.Array(Id),
    roleIds: Type.Array(Id),
    reviewerUserIds: Reviewers,
    dueDate: DueDate,
    ifSilent: OneOf(verdicts, { description: 'What closing does with items without a verdict.' }),
    status: ReviewStatus,
    counts: {
      ...Named(
        'AccessReviewCounts',
        Shape({
          total: Count,
          keep: Count,
          remove: Count,
          undecided: Count,
          skipped: Count,
          done: Type.Optional({ ...Count, description: 'Only while the review is `closing`: how many items have their outcome.' }),
        }),
        { total: 40, keep: 30, undecided: 10 },
      ),
      isUntagged: true,
      description: 'The items that the reader may judge.',
    },
    uncovered: Type.Array(Uncovered, {
      isUntagged: true,
      description: 'Groups that give a reviewed role and are not reviewed: their members hold it all the same.',
    }),
    createdBy: AuditActor,
    createdAt: Timestamp,
    closedBy: { ...actorOrNull, description: 'Who closed or cancelled it; null when its time was over.' },
    closedAt: Nullable(Timestamp),
  }),
  {
    ...exampleTitles,
    groupIds: [7],
    roleIds: [4],
    reviewerUserIds: [],
    dueDate: '2026-03-31',
    ifSilent: 'keep',
    status: 'open',
    closedBy: null,
  },
)
export const AccessReviews = Named('AccessReviewsPage', PageOf('items', AccessReview))

export const NewReview = Named(
  'NewAccessReview',
  Shape({
    titleAr: Title,
    titleEn: Title,
    groupIds: Type.Optional(Ids),
    roleIds: Type.Optional(Ids),
    reviewerUserIds: Type.Optional(Reviewers),
    dueDate: DueDate,
    ifSilent: OneOf(verdicts),
  }),
  { ...exampleTitles, groupIds: [7], roleIds: [4], dueDate: '2026-03-31', ifSilent: 'keep' },
)
export const ReviewChanges = Named(
  'AccessReviewChanges',
  Shape({ titleAr: Title, titleEn: Title, dueDate: Type.Optional(DueDate), reviewerUserIds: Type.Optional(Reviewers) }),
  { dueDate: '2026-04-15' },
)
export const ReviewFilter = Shape({
  ...pageQuery(50),
  view: Type.Optional(
    OneOf(['mine', 'all'], { default: 'mine', description: '`mine`: those that the caller reviews; `all`: for administrators.' }),
  ),
  status: Type.Optional(ReviewStatus),
})

const Granted = Named(
  'ReviewedGrant',
  Shape({
    id: Id,
    name: Type.String(),
    descriptionAr: Nullable(Type.String()),
    descriptionEn: Nullable(Type.String()),
  }),
  { id: 7, name: 'Finance' },
)
export const ReviewItem = Named(
  'AccessReviewItem',
  Shape({
    id: Id,
    person: AuditActor,
    isServiceAccount: Type.Optional(Type.Literal(true, { description: 'The `person` is a service account; absent for people.' })),
    sourceId: Type.Optional({ ...Id, description: 'The source that the service account belongs to; absent for others.' }),
    kind: OneOf(['group', 'role']),
    group: Nullable(Granted),
    role: Nullable(Granted),
    since: Nullable(Timestamp),
    grantedBy: actorOrNull,
    expiresAt: Nullable(Timestamp),
    lastUsedAt: Nullable(
      Type.Unsafe<Date>({ ...Timestamp, description: 'When the person last opened an app that only this grant showed them.' }),
    ),
    lastSignInAt: Nullable(Timestamp),
    suggestion: Nullable(
      OneOf(verdicts, {
        description:
          '`keep`: such an app was opened within 90 days. `remove`: there is such an app, the grant is older than 90 days, and none of them was opened in these.',
      }),
    ),
    verdict: Nullable(Verdict),
    note: Nullable(Type.String()),
    reviewer: actorOrNull,
    at: Nullable(Timestamp),
    outcome: Nullable(OneOf(outcomes)),
    skipReason: Nullable(SkipReason),
  }),
  { kind: 'group', role: null, suggestion: 'keep', verdict: 'keep', outcome: null, skipReason: null },
)
export type ReviewItem = Static<typeof ReviewItem>
export const ReviewItems = Named('AccessReviewItemsPage', PageOf('items', ReviewItem))
export const ItemFilter = Shape({
  ...pageQuery(50),
  state: Type.Optional(ItemState),
  groupId: Type.Optional(Id),
  roleId: Type.Optional(Id),
  userId: Type.Optional(Id),
  q: Type.Optional(Line({ max: 200, description: 'Part of the person’s username or of a display name' })),
})

const Note = Type.Optional(Nullable(Text({ max: 1000 })))
export const Verdicts = Named(
  'AccessReviewVerdicts',
  Shape({
    items: Type.Array(
      Named(
        'AccessReviewVerdict',
        Shape({ id: Id, verdict: Nullable(OneOf(verdicts, { description: 'null takes it back.' })), note: Note }),
        {
          verdict: 'keep',
        },
      ),
      { minItems: 1, maxItems: 200 },
    ),
  }),
  { items: [{ id: 7, verdict: 'keep' }] },
)
export type Verdicts = Static<typeof Verdicts>
export const Judged = Named(
  'AccessReviewVerdictsDone',
  Shape({
    doneIds: Type.Array(Id),
    failedIds: Type.Array(Id, { description: 'Items that do not exist, that are about the caller, or that the caller may not judge.' }),
  }),
  { doneIds: [7], failedIds: [] },
)

export const Closing = Named(
  'AccessReviewClosing',
  Shape({ dryRun: Type.Optional(Type.Boolean({ description: 'Returns what closing would do, and changes nothing.' })) }),
  { dryRun: true },
)
export const ClosingPreview = Named(
  'AccessReviewClosingPreview',
  Shape({
    keepCount: Count,
    removeCount: Count,
    skipped: Type.Array(Named('SkippedAccessReviewItem', Shape({ itemId: Id, reason: SkipReason }), { itemId: 7, reason: 'gone' })),
    ordersReturned: Type.Integer({
      minimum: 0,
      description: 'How many orders would go back to the queue, because their receivers lose the right to them.',
    }),
  }),
  { keepCount: 30, removeCount: 9, ordersReturned: 1 },
)
/** The review or, with `dryRun`, the effects that closing would have. */
export const Closed = Named('AccessReviewOrPreview', Type.Unsafe<Record<string, unknown>>({ anyOf: [AccessReview, ClosingPreview] }))

export const accessReviewEvents = {
  /** Sent to the reviewers and the administrators. */
  access_review_changed: Shape({ reviewId: Id, status: ReviewStatus }),
}
