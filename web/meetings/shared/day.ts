/** Meetings by day: reading them, and what they are called. */
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { inLanguage } from '../../platform/language.ts'

export type Meeting = Schemas['Meeting']

/** The meetings of a day in running order. */
export const meetingsOf = (date: string) => resource('/executive-meetings', { query: { date } })

export const titleOf = ({ titleAr, titleEn }: Pick<Meeting, 'titleAr' | 'titleEn'>) => inLanguage(titleAr, titleEn)
export const placeOf = ({ locationAr, locationEn }: Pick<Meeting, 'locationAr' | 'locationEn'>) => inLanguage(locationAr, locationEn)
