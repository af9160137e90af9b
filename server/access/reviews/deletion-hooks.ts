import { deletionHook } from '../../platform/changes/deletion-hooks.ts'

const stays = 'a review says for good who held what, who gave it and who decided on it'

export const accessReviewDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: [
      'access_reviews.reviewer_user_ids',
      'access_reviews.created_by',
      'access_reviews.closed_by',
      'access_review_items.user_id',
      'access_review_items.granted_by',
      'access_review_items.reviewer_id',
    ],
    stays,
  }),
  deletionHook({ of: 'groups', columns: ['access_reviews.group_ids', 'access_review_items.group_id'], stays }),
  deletionHook({ of: 'roles', columns: ['access_reviews.role_ids', 'access_review_items.role_id'], stays }),
]
