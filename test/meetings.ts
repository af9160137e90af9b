/** The people around executive meetings, and meetings and tasks made over HTTP. */
import { before } from 'node:test'
import { ascending, makers } from './makers.ts'
import { type Answer, type Client, type TestPortal, until } from './portal.ts'

export const MEETINGS = '/executive-meetings'
export const TASKS = '/executive-meetings/tasks'
export const DAY = '2030-05-01'
export const executiveNames = [
  'admin',
  'executive_ceo',
  'executive_office_manager',
  'executive_coord_lead',
  'executive_coordinator',
  'executive_viewer',
] as const
/** A role that grants every executive permission but is not an executive role. */
const AT_LARGE = 'at_large'

export interface MadeMeeting {
  id: number
  date: string
  startTime: string | null
  sortOrder: number
  titleEn: string
  attendees: { id: number; name: string; title: string | null; kind: string; userId: number | null }[]
  createdBy: number | null
  createdAt: string
  updatedAt: string
}
interface PlacedMeeting extends MadeMeeting {
  conflicts: object[]
}
/** A meeting as it is read, without the meetings that overlap it. */
export const alone = ({ conflicts: _, ...meeting }: PlacedMeeting): MadeMeeting => meeting

export interface MadeTask {
  id: number
  meetingId: number | null
  assigneeId: number | null
  status: string
  createdBy: number | null
  assignee: { id: number; username: string } | null
}
/** A task as the ledger records it. */
export const recorded = <T extends { assignee: unknown }>({ assignee: _, ...task }: T) => task

/** The `meetings_changed` events of these dates, for the people with the ids `to`. */
export const changedDays = (to: readonly number[], ...dates: (string | null)[]) =>
  dates.map((date) => ({ event: 'meetings_changed', data: { date }, to: ascending(to) }))

export function meetingPortal(portal: TestPortal) {
  const { newPerson, newRole } = makers(portal)
  const clients: Record<string, Client> = {}
  let isReady = false
  before(async () => {
    // The hooks of a file start concurrently.
    await portal.ready
    clients['admin'] = portal.admin
    for (const name of executiveNames.slice(1)) clients[name] = await newPerson({ roles: [name] })
    clients['passer-by'] = await newPerson()
    const permissions = ['read', 'mutate', 'approve', 'request', 'audit'].map((verb) => `executive_meetings.${verb}`)
    clients[AT_LARGE] = await newPerson({ roles: [(await newRole(permissions, AT_LARGE)).name] })
    isReady = true
  })
  async function made<T>(sent: Promise<Answer>) {
    const { status, body, text } = await sent
    if (status !== 201) throw new Error(`${status} ${text}`)
    return body as T
  }
  return {
    /** The person with a role. */
    who: (name: (typeof executiveNames)[number] | 'passer-by' | 'at_large') => clients[name]!,
    /** The ids of everyone with executive access. */
    executives: () => ascending(executiveNames.map((name) => clients[name]!.id)),
    whenReady: () => until('the portal is open', () => isReady),
    newMeeting: async (fields: object = {}, by: Client = portal.admin) =>
      alone(
        await made<PlacedMeeting>(
          by.post(MEETINGS, { date: DAY, startTime: '09:00', endTime: '10:00', titleAr: 'الميزانية', titleEn: 'Budget', ...fields }),
        ),
      ),
    newTask: (fields: object = {}, by: Client = portal.admin) =>
      made<MadeTask>(by.post(TASKS, { titleAr: 'المسودة', titleEn: 'Draft', ...fields })),
  }
}

/** The recipient and the English title of each notification among traces. */
export const notified = (notifications: { user: number; titleEn: string }[]) => notifications.map(({ user, titleEn }) => [user, titleEn])
/** The events among traces, except those of notifications. */
export const otherEvents = <E extends { event: string }>(events: E[]) => events.filter(({ event }) => event !== 'notification_created')
