/** Every kind of change, listed by hand. */

import { grantChanges } from '../access/grants/changes.ts'
import { accessRequestChanges } from '../access/requests/changes.ts'
import { accessReviewChanges } from '../access/reviews/changes.ts'
import { appChanges } from '../apps/changes.ts'
import { meetingChanges } from '../executive-meetings/meetings/changes.ts'
import { meetingRequestChanges } from '../executive-meetings/requests/changes.ts'
import { scheduleChanges } from '../executive-meetings/schedules/changes.ts'
import { meetingTaskChanges } from '../executive-meetings/tasks/changes.ts'
import { accountChanges } from '../identity/accounts/changes.ts'
import { factorChanges } from '../identity/factors/changes.ts'
import { providerChanges } from '../identity/providers/changes.ts'
import { signInChanges } from '../identity/settings/changes.ts'
import { tokenChanges } from '../identity/tokens/changes.ts'
import { noteChanges } from '../notes/changes.ts'
import { notificationChanges } from '../notifications/changes.ts'
import { orderChanges } from '../orders/changes.ts'
import { groupChanges } from '../people/groups/changes.ts'
import { roleChanges } from '../people/roles/changes.ts'
import { serviceAccountChanges } from '../people/service-accounts/changes.ts'
import { userChanges } from '../people/users/changes.ts'
import { presenceChanges } from '../presence/changes.ts'
import { pushChanges } from '../push/changes.ts'
import { serviceChanges } from '../services/changes.ts'
import { settingsChanges } from '../settings/changes.ts'
import { storageChanges } from '../storage/changes.ts'
import { systemChanges } from '../system/changes.ts'

export const changeKinds = {
  ...accountChanges,
  ...factorChanges,
  ...userChanges,
  ...tokenChanges,
  ...serviceAccountChanges,
  ...groupChanges,
  ...grantChanges,
  ...accessRequestChanges,
  ...roleChanges,
  ...appChanges,
  ...serviceChanges,
  ...orderChanges,
  ...noteChanges,
  ...notificationChanges,
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
  }
}
