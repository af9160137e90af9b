/**
 * Every feature with rows that refer to a person, a role, a permission, a group or a meeting, listed by hand. The order is that of locks
 * (docs/lock-order.md), and of the changes that follow a deletion.
 */
import { accessRequestDeletionHooks } from '../access/requests/deletion-hooks.ts'
import { accessReviewDeletionHooks } from '../access/reviews/deletion-hooks.ts'
import { accountDeletionHooks } from '../identity/accounts/deletion-hooks.ts'
import { factorDeletionHooks } from '../identity/factors/deletion-hooks.ts'
import { providerDeletionHooks } from '../identity/providers/deletion-hooks.ts'
import { scimDeletionHooks } from '../identity/scim/deletion-hooks.ts'
import { signInDeletionHooks } from '../identity/settings/deletion-hooks.ts'
import { tokenDeletionHooks } from '../identity/tokens/deletion-hooks.ts'
import { groupDeletionHooks } from '../people/groups/deletion-hooks.ts'
import { importDeletionHooks } from '../people/imports/deletion-hooks.ts'
import { managerDeletionHooks } from '../people/managers/deletion-hooks.ts'
import { roleDeletionHooks } from '../people/roles/deletion-hooks.ts'
import { serviceAccountDeletionHooks } from '../people/service-accounts/deletion-hooks.ts'
import { userDeletionHooks } from '../people/users/deletion-hooks.ts'
import { auditDeletionHooks } from '../record/audit/deletion-hooks.ts'
import { webhookDeletionHooks } from '../record/webhooks/deletion-hooks.ts'
import { eventDeletionHooks } from '../site/events/deletion-hooks.ts'
import { appDeletionHooks } from '../work/apps/deletion-hooks.ts'
import { meetingDeletionHooks } from '../work/meetings/meetings/deletion-hooks.ts'
import { requestDeletionHooks } from '../work/meetings/requests/deletion-hooks.ts'
import { scheduleDeletionHooks } from '../work/meetings/schedules/deletion-hooks.ts'
import { taskDeletionHooks } from '../work/meetings/tasks/deletion-hooks.ts'
import { noteDeletionHooks } from '../work/notes/deletion-hooks.ts'
import { notificationDeletionHooks } from '../work/notifications/deletion-hooks.ts'
import { claimDeletionHooks, orderDeletionHooks } from '../work/orders/deletion-hooks.ts'
import { presenceDeletionHooks } from '../work/presence/deletion-hooks.ts'
import { pushDeletionHooks } from '../work/push/deletion-hooks.ts'
import { serviceTeamDeletionHooks } from '../work/service-teams/deletion-hooks.ts'
import { serviceDeletionHooks } from '../work/services/deletion-hooks.ts'
import { statsDeletionHooks } from '../work/stats/deletion-hooks.ts'
import { storageDeletionHooks } from '../work/storage/deletion-hooks.ts'

export const deletionHooks = [
  ...orderDeletionHooks,
  ...accountDeletionHooks,
  ...providerDeletionHooks,
  ...scimDeletionHooks,
  ...tokenDeletionHooks,
  ...webhookDeletionHooks,
  ...importDeletionHooks,
  ...serviceAccountDeletionHooks,
  ...noteDeletionHooks,
  ...claimDeletionHooks,
  ...accessRequestDeletionHooks,
  ...meetingDeletionHooks,
  ...requestDeletionHooks,
  ...taskDeletionHooks,
  ...scheduleDeletionHooks,
  ...userDeletionHooks,
  ...managerDeletionHooks,
  ...factorDeletionHooks,
  ...serviceTeamDeletionHooks,
  ...serviceDeletionHooks,
  ...groupDeletionHooks,
  ...roleDeletionHooks,
  ...appDeletionHooks,
  ...signInDeletionHooks,
  ...statsDeletionHooks,
  ...notificationDeletionHooks,
  ...pushDeletionHooks,
  ...presenceDeletionHooks,
  ...storageDeletionHooks,
  ...accessReviewDeletionHooks,
  ...auditDeletionHooks,
  ...eventDeletionHooks,
]

declare module '../platform/registry.ts' {
  interface Registry {
    deletionHooks: typeof deletionHooks
  }
}
