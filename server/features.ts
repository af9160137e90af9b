/** Every endpoint of the portal, listed by hand. */
import * as access from './access/routes.ts'
import * as accounts from './accounts/routes.ts'
import * as apps from './apps/routes.ts'
import * as audit from './audit/routes.ts'
import * as events from './events/routes.ts'
import * as meetings from './executive-meetings/meetings/routes.ts'
import * as meetingRequests from './executive-meetings/requests/routes.ts'
import * as schedules from './executive-meetings/schedules/routes.ts'
import * as meetingTasks from './executive-meetings/tasks/routes.ts'
import * as groups from './groups/routes.ts'
import * as noteFiling from './notes/filing-routes.ts'
import * as notes from './notes/routes.ts'
import * as noteSharing from './notes/sharing-routes.ts'
import * as notifications from './notifications/routes.ts'
import * as orders from './orders/routes.ts'
import type { Endpoint } from './platform/http/endpoint.ts'
import * as push from './push/routes.ts'
import * as roles from './roles/routes.ts'
import * as services from './services/routes.ts'
import * as settings from './settings/routes.ts'
import * as stats from './stats/routes.ts'
import * as storage from './storage/routes.ts'
import * as system from './system/routes.ts'
import * as users from './users/routes.ts'

export const endpoints = [
  accounts,
  users,
  groups,
  roles,
  apps,
  access,
  services,
  orders,
  notifications,
  push,
  notes,
  noteFiling,
  noteSharing,
  meetings,
  meetingRequests,
  meetingTasks,
  schedules,
  audit,
  storage,
  events,
  settings,
  stats,
  system,
].flatMap((feature) => Object.values(feature)) as unknown as Endpoint[]
