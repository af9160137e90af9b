/** Meetings by day: reading them, and what they are called. */
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { inLanguage } from '../../platform/language.ts'

export type Meeting = Schemas['Meeting']
export type Attendee = Schemas['Attendee']

/** The meetings of a day in running order. */
export const meetingsOf = (date: string) => resource('/executive-meetings', { query: { date } })

/** Those of several days, at most 92. */
export const meetingsFrom = (from: string, to: string) => resource('/executive-meetings', { query: { from, to } })
export const meetingOf = (id: number) => resource('/executive-meetings/{id}', { path: { id } })
/** The days that have meetings, at most a year of them. */
export const daysWithMeetings = (from: string, to: string) => resource('/executive-meetings/dates', { query: { from, to } })

export const titleOf = ({ titleAr, titleEn }: Pick<Meeting, 'titleAr' | 'titleEn'>) => inLanguage(titleAr, titleEn)
export const placeOf = ({ locationAr, locationEn }: Pick<Meeting, 'locationAr' | 'locationEn'>) => inLanguage(locationAr, locationEn)
