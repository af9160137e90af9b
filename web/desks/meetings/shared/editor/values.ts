/** The form's values of a meeting, and their conversion for the API. */
import type { Schemas } from '../../../../platform/client.ts'
import type { Attendee, Meeting } from '../day.ts'
import { concernsAll } from '../told.ts'

/** An attendee in the form; `id` is the portal's, or negative if the person was added here. */
export interface Person {
  id: number
  name: string
  title: string
  kind: Attendee['kind']
  userId: number | null
}

export interface Values {
  titleAr: string
  titleEn: string
  date: string
  startTime: string
  endTime: string
  locationAr: string
  locationEn: string
  meetingUrl: string
  notes: string
  isHighlighted: boolean
  attendees: readonly Person[]
}

export const emptyOn = (date: string): Values => ({
  ...{ titleAr: '', titleEn: '', date, startTime: '', endTime: '', locationAr: '', locationEn: '', meetingUrl: '', notes: '' },
  ...{ isHighlighted: false, attendees: [] },
})

export const valuesOf = (meeting: Meeting): Values => ({
  titleAr: meeting.titleAr ?? '',
  titleEn: meeting.titleEn ?? '',
  date: meeting.date,
  startTime: meeting.startTime ?? '',
  endTime: meeting.endTime ?? '',
  locationAr: meeting.locationAr ?? '',
  locationEn: meeting.locationEn ?? '',
  meetingUrl: meeting.meetingUrl ?? '',
  notes: meeting.notes ?? '',
  isHighlighted: meeting.isHighlighted,
  attendees: meeting.attendees.map(({ id, name, title, kind, userId }) => ({ id, name, title: title ?? '', kind, userId })),
})

/** The fields of a call; empty texts become null. */
export function fieldsOf({ attendees, ...others }: Partial<Values>): Schemas['MeetingChanges'] {
  const fields = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value === '' ? null : value]))
  return {
    ...fields,
    ...(attendees && {
      attendees: attendees.map(({ name, title, kind, userId }) => ({ name: name.trim(), title: title.trim() || null, kind, userId })),
    }),
  }
}

/** Whether people have to learn of a change: a new meeting, a new time or place, or changed attendees. */
export const concernsPeople = (before: Values | undefined, after: Values) =>
  before === undefined ||
  concernsAll(before, after) ||
  before.attendees.map(({ name }) => name).join() !== after.attendees.map(({ name }) => name).join()

export function requestTypeOf(changed: Partial<Values>): 'reschedule' | 'attendees' | 'edit' {
  const fields = Object.keys(changed)
  if (fields.every((field) => ['date', 'startTime', 'endTime'].includes(field))) return 'reschedule'
  return fields.every((field) => field === 'attendees') ? 'attendees' : 'edit'
}

/** The values as a meeting, for finding conflicts. */
export const plannedOf = (id: number | undefined, { startTime, endTime, attendees }: Values) => ({
  id,
  status: 'scheduled',
  startTime: startTime || null,
  endTime: endTime || null,
  attendees,
})
