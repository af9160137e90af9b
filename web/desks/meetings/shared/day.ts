/** The meetings of a day: loading them and naming them. */
import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { inLanguage } from '../../../platform/language.ts'

export type Meeting = Schemas['Meeting']
export type Attendee = Schemas['Attendee']

/** The meetings of a day in running order. */
export const meetingsOf = (date: string) => resource('/executive-meetings', { query: { date } })

/** The meetings of a span of at most 92 days. */
export const meetingsFrom = (from: string, to: string) => resource('/executive-meetings', { query: { from, to } })
export const meetingOf = (id: number) => resource('/executive-meetings/{id}', { path: { id } })
/** The days of a span that have meetings; at most a year. */
export const daysWithMeetings = (from: string, to: string) => resource('/executive-meetings/dates', { query: { from, to } })

export const titleOf = ({ titleAr, titleEn }: Pick<Meeting, 'titleAr' | 'titleEn'>) => inLanguage(titleAr, titleEn)
export const placeOf = ({ locationAr, locationEn }: Pick<Meeting, 'locationAr' | 'locationEn'>) => inLanguage(locationAr, locationEn)
