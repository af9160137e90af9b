import { beginClosing, closeSome, keepSome, previewClosing } from '../../../server/access/reviews/closing.ts'
import { judgeItems, pageItems, pageReportRows } from '../../../server/access/reviews/items.ts'
import { openReview } from '../../../server/access/reviews/opening.ts'
import { hasUnjudged } from '../../../server/access/reviews/people.ts'
import { pageReviews, readReview } from '../../../server/access/reviews/queries.ts'
import { accessReviewReminders } from '../../../server/access/reviews/reminders.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import type { Samples } from '../recorder.ts'

const page = { limit: 50, offset: 0 }
const admin = { id: 1, username: 'admin', isAdmin: true, language: 'en' } as const
const reviewer = { ...admin, isAdmin: false, language: 'ar' } as const
const filter = { state: 'undecided', groupId: 1, roleId: 2, userId: 3, q: 'Sara' } as const
const review = {
  titleAr: null,
  titleEn: 'Quarter',
  groupIds: [1],
  roleIds: [2],
  reviewerUserIds: [],
  dueDate: '2026-03-31',
  ifSilent: 'keep',
  decidedWith: 'session',
} as const
const closing = [{ titleAr: null, titleEn: 'Quarter', closedBy: 1, closedByUsername: 'admin' }]
const due = { id: 1, userId: 2, targetId: 3, fate: 'remove', givesAdmin: false }
const fates = [{ keepCount: 0, removeCount: 1, skipped: [], administering: [{ id: 1, userId: 2, kind: 'role', targetId: 3 }] }]

export default {
  openReview: (db) => openReview(db([{ count: 1 }], [{ id: 1 }], [], [{ has: true }]), review, admin),
  readReview: {
    'for an administrator': (db) => readReview(db([{ id: 1 }]), 1, admin),
    'for a reviewer': (db) => readReview(db([{ id: 1 }]), 1, reviewer),
  },
  pageReviews: (db) => pageReviews(db([{ count: 1 }]), { ...page, view: 'all', status: 'open' }, admin),
  pageItems: {
    'for an administrator': (db) => pageItems(db([{ count: 1 }]), 1, page, admin),
    'for a reviewer, with all filters': (db) =>
      pageItems(db([{ scope: 7 }], [{ folded: 'sara' }], [{ count: 1 }]), 1, { ...page, ...filter }, reviewer),
  },
  judgeItems: {
    'by an administrator': (db) => judgeItems(db(), 1, [{ id: 1, verdict: 'keep' }], { by: admin, decidedWith: 'session', scopes: null }),
    'by a reviewer': (db) => judgeItems(db(), 1, [{ id: 1, verdict: 'keep' }], { by: reviewer, decidedWith: 'session', scopes: [7] }),
  },
  pageReportRows: (db) => pageReportRows(db(), 1),
  noteDue: {
    'by time': (db) => noteDue(db(), accessReviewReminders[0]!),
    'of items without a reviewer': (db) => noteDue(db(), accessReviewReminders[1]!),
  },
  hasUnjudged: (db) => hasUnjudged(db([{ has: true }]), 1),
  previewClosing: {
    'of roles': (db) => previewClosing(db(fates, [{ userId: 2, kind: 'role', targetId: 3 }], [], [], [{ count: 0 }]), 1),
    'of memberships': (db) =>
      previewClosing(db(fates, [{ userId: 2, kind: 'role', targetId: 3 }], [{ ...due, kind: 'group' }], [], [{ count: 0 }]), 1),
  },
  beginClosing: (db) => beginClosing(db([{ titleAr: null, titleEn: 'Quarter' }]), 1, null),
  keepSome: (db) => keepSome(db(closing), 1),
  closeSome: (db) =>
    closeSome(
      db(closing, [
        { ...due, kind: 'group' },
        { ...due, kind: 'role', givesAdmin: true },
      ]),
      1,
    ),
} satisfies Samples
