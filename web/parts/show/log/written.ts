/** The values of entries as text, for sentences and for the table of changes. */
import { exactly, hijriDay, longDay } from '../../../platform/dates.ts'
import { formatNumber, inLanguage, isolated, withDigits } from '../../../platform/language.ts'
import { type Entry, nameThen, typeOfSet } from './entries.ts'
import { t } from './texts.ts'

/** Fields that contain the id of a record. */
export const typeOfId: Record<string, string> = {
  ...{ assigneeId: 'user', reviewerId: 'user', requesterId: 'user', userId: 'user', managerId: 'user', contactUserId: 'user' },
  ...{ beneficiaryId: 'user', ownerId: 'user', starterId: 'user', serviceId: 'service' },
  ...{ teamId: 'service_team', fromTeamId: 'service_team', toTeamId: 'service_team', calendarId: 'working_calendar' },
  ...{ categoryId: 'service_category', meetingId: 'meeting', roleId: 'role', groupId: 'group', appId: 'app' },
}

export const nameOfType = (type: string) => t.types[type] ?? t.named[type] ?? type

/** The word for a text that programs read, or a day or time in the person's digits; undefined for any other text. */
export function wordOf(field: string, text: string) {
  const word = field === 'status' ? t.statuses[text] : t.words[`${field}.${text}`]
  if (word) return word
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${longDay(text, 'UTC')} (${hijriDay(text, 'UTC')})`
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return exactly(text)
  return /^\d\d:\d\d(:\d\d)?$/.test(text) ? withDigits(text.slice(0, 5)) : undefined
}

/** Says that a field was changed after an entry, and to which value, if that has words. */
export const changedSince = (label: string, now: string | undefined) => t.since(isolated(label), now)

/** Formats a value for a sentence; undefined for objects, which have no short form. `entry` has the names of records. */
export function written(path: string, value: unknown, entry?: Entry): string | undefined {
  const field = path.replace(/^details\./, '')
  if (value === null || value === undefined || value === '') return t.nothing
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'string') return wordOf(field, value) ?? isolated(value)
  if (typeof value === 'number') {
    const type = typeOfId[field] ?? typeOfSet(field)
    if (!type) return formatNumber(value)
    const then = entry && nameThen(entry, { type, id: value })
    return then ? isolated(inLanguage(then.ar, then.en)) : t.numbered(nameOfType(type), value)
  }
  const { name } = value as { name?: unknown }
  if (!Array.isArray(value)) return typeof name === 'string' ? isolated(name) : undefined
  const all = value.map((one) => written(field, one, entry))
  return all.includes(undefined) ? undefined : all.join(t.comma) || t.nothing
}
