/**
 * Every feature with rows that refer to a person, a role, a permission, a group or a meeting, listed by hand. The order is that of locks
 * (docs/lock-order.md), and of the changes that follow a deletion.
 */
import { accountDepartures } from './accounts/departures.ts'
import { appDepartures } from './apps/departures.ts'
import { auditDepartures } from './audit/departures.ts'
import { eventDepartures } from './events/departures.ts'
import { meetingDepartures } from './executive-meetings/meetings/departures.ts'
import { requestDepartures } from './executive-meetings/requests/departures.ts'
import { scheduleDepartures } from './executive-meetings/schedules/departures.ts'
import { taskDepartures } from './executive-meetings/tasks/departures.ts'
import { groupDepartures } from './groups/departures.ts'
import { noteDepartures } from './notes/departures.ts'
import { notificationDepartures } from './notifications/departures.ts'
import { claimDepartures, orderDepartures } from './orders/departures.ts'
import { presenceDepartures } from './presence/departures.ts'
import { pushDepartures } from './push/departures.ts'
import { roleDepartures } from './roles/departures.ts'
import { statsDepartures } from './stats/departures.ts'
import { storageDepartures } from './storage/departures.ts'
import { userDepartures } from './users/departures.ts'

export const departures = [
  ...orderDepartures,
  ...accountDepartures,
  ...noteDepartures,
  ...claimDepartures,
  ...meetingDepartures,
  ...requestDepartures,
  ...taskDepartures,
  ...scheduleDepartures,
  ...userDepartures,
  ...groupDepartures,
  ...roleDepartures,
  ...appDepartures,
  ...statsDepartures,
  ...notificationDepartures,
  ...pushDepartures,
  ...presenceDepartures,
  ...storageDepartures,
  ...auditDepartures,
  ...eventDepartures,
]

declare module './platform/registry.ts' {
  interface Registry {
    departures: typeof departures
  }
}
