import { Actor } from '../../../server/platform/auth/actor.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import { listTeamsOf } from '../../../server/work/service-teams/queries.ts'
import { serviceTeamReminders } from '../../../server/work/service-teams/reminders.ts'
import type { Samples } from '../recorder.ts'

const access = { roles: [], permissions: new Set(['orders.receive']), groups: [], groupIds: new Set([5]) }
const receiver = new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })

export default {
  listTeamsOf: (db) => listTeamsOf(db([{ id: 4 }]), receiver),
  serviceTeamReminders: (db) => noteDue(db(), serviceTeamReminders),
} satisfies Samples
