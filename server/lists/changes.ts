/** Every kind of change, listed by hand. */

import { grantChanges } from '../access/grants/changes.ts'
import { accessRequestChanges } from '../access/requests/changes.ts'
import { accessReviewChanges } from '../access/reviews/changes.ts'
import { accountChanges } from '../identity/accounts/changes.ts'
import { factorChanges } from '../identity/factors/changes.ts'
import { providerChanges } from '../identity/providers/changes.ts'
import { scimChanges } from '../identity/scim/changes.ts'
import { signInChanges } from '../identity/settings/changes.ts'
import { tokenChanges } from '../identity/tokens/changes.ts'
import { groupChanges } from '../people/groups/changes.ts'
import { importChanges } from '../people/imports/changes.ts'
import { managerChanges } from '../people/managers/changes.ts'
import { roleChanges } from '../people/roles/changes.ts'
import { serviceAccountChanges } from '../people/service-accounts/changes.ts'
import { userChanges } from '../people/users/changes.ts'
import { auditStreamChanges } from '../record/audit-stream/changes.ts'
import { webhookChanges } from '../record/webhooks/changes.ts'
import { settingsChanges } from '../site/settings/changes.ts'
import { systemChanges } from '../site/system/changes.ts'
import { appChanges } from '../work/apps/changes.ts'
import { calendarChanges } from '../work/calendars/changes.ts'
import { feedChanges } from '../work/meetings/feed/changes.ts'
import { meetingChanges } from '../work/meetings/meetings/changes.ts'
import { meetingRequestChanges } from '../work/meetings/requests/changes.ts'
import { scheduleChanges } from '../work/meetings/schedules/changes.ts'
import { meetingTaskChanges } from '../work/meetings/tasks/changes.ts'
import { noteChanges } from '../work/notes/changes.ts'
import { notificationChanges } from '../work/notifications/changes.ts'
import { approvalChanges } from '../work/orders/approval-changes.ts'
import { orderChanges } from '../work/orders/changes.ts'
import { conversationChanges } from '../work/orders/conversation-changes.ts'
import { presenceChanges } from '../work/presence/changes.ts'
import { pushChanges } from '../work/push/changes.ts'
import { reportChanges } from '../work/service-reports/changes.ts'
import { serviceTeamChanges } from '../work/service-teams/changes.ts'
import { serviceChanges } from '../work/services/changes.ts'
import { storageChanges } from '../work/storage/changes.ts'

export const changeKinds = {
  ...accountChanges,
  ...factorChanges,
  ...userChanges,
  ...managerChanges,
  ...tokenChanges,
  ...serviceAccountChanges,
  ...groupChanges,
  ...grantChanges,
  ...accessRequestChanges,
  ...roleChanges,
  ...appChanges,
  ...calendarChanges,
  ...serviceTeamChanges,
  ...serviceChanges,
  ...orderChanges,
  ...conversationChanges,
  ...approvalChanges,
  ...reportChanges,
  ...noteChanges,
  ...notificationChanges,
  ...feedChanges,
  ...meetingChanges,
  ...meetingRequestChanges,
  ...meetingTaskChanges,
  ...scheduleChanges,
  ...pushChanges,
  ...presenceChanges,
  ...settingsChanges,
  ...signInChanges,
  ...storageChanges,
  ...systemChanges,
  ...accessReviewChanges,
  ...providerChanges,
  ...scimChanges,
  ...webhookChanges,
  ...auditStreamChanges,
  ...importChanges,
}

declare module '../platform/registry.ts' {
  interface Registry {
    changeKinds: typeof changeKinds
    historyKinds: 'role.permissions' | 'user.roles' | 'user.groups' | 'group.users' | 'group.roles' | 'group.apps' | 'app.permissions'
    targetTypes:
      | 'user'
      | 'role'
      | 'permission'
      | 'group'
      | 'access_request'
      | 'app'
      | 'service_team'
      | 'working_calendar'
      | 'settings'
      | 'sign_in_settings'
      | 'service'
      | 'service_category'
      | 'order'
      | 'object'
      | 'note'
      | 'note_folder'
      | 'note_label'
      | 'meeting'
      | 'meeting_request'
      | 'meeting_task'
      | 'font_settings'
      | 'pdf_archive'
      | 'job'
      | 'access_review'
      | 'provider'
      | 'source'
      | 'webhook'
      | 'audit_stream'
      | 'import'
  }
}
