/** Every kind of change, listed by hand. */
import { accountChanges } from './accounts/changes.ts'
import { appChanges } from './apps/changes.ts'
import { meetingChanges } from './executive-meetings/meetings/changes.ts'
import { meetingRequestChanges } from './executive-meetings/requests/changes.ts'
import { scheduleChanges } from './executive-meetings/schedules/changes.ts'
import { meetingTaskChanges } from './executive-meetings/tasks/changes.ts'
import { groupChanges } from './groups/changes.ts'
import { noteChanges } from './notes/changes.ts'
import { notificationChanges } from './notifications/changes.ts'
import { orderChanges } from './orders/changes.ts'
import { presenceChanges } from './presence/changes.ts'
import { pushChanges } from './push/changes.ts'
import { roleChanges } from './roles/changes.ts'
import { serviceChanges } from './services/changes.ts'
import { settingsChanges } from './settings/changes.ts'
import { storageChanges } from './storage/changes.ts'
import { systemChanges } from './system/changes.ts'
import { userChanges } from './users/changes.ts'

export const changeKinds = {
  ...accountChanges,
  ...userChanges,
  ...groupChanges,
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
  ...storageChanges,
  ...systemChanges,
}

declare module './platform/registry.ts' {
  interface Registry {
    changeKinds: typeof changeKinds
    historyKinds: 'role.permissions' | 'user.roles' | 'user.groups' | 'group.users' | 'group.roles' | 'group.apps' | 'app.permissions'
    targetTypes:
      | 'user'
      | 'role'
      | 'permission'
      | 'group'
      | 'app'
      | 'settings'
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
  }
}
