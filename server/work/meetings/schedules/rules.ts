/** Which font settings are in force, and the texts of a day's schedule in each language. */

import type { Notice } from '../../../platform/changes/change-kind.ts'
import { directionOf, isolated } from '../../../platform/direction.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import type { Language } from '../../../platform/tables.ts'
import { describeDate } from '../../../platform/text.ts'
import type { MeetingView } from '../meetings/shapes.ts'
import { bundledAs, DEFAULT_FAMILY, FALLBACK_FAMILIES } from './fonts.ts'
import type { ArchiveRecord, DayContent, FontFields, FontSettingsView } from './shapes.ts'

export const DEFAULT_FONT: FontFields = { fontFamily: DEFAULT_FAMILY, fontSize: 13, fontWeight: 400, alignment: 'start' }

/** A person's own settings, otherwise the global ones, otherwise the default, which counts as global. */
export function fontInForce(own: FontFields | null, global: FontFields | null): FontSettingsView {
  const { fontFamily, fontSize, fontWeight, alignment } = own ?? global ?? DEFAULT_FONT
  return { scope: own ? 'user' : 'global', fontFamily, fontSize, fontWeight, alignment }
}

const texts = {
  ar: {
    title: 'جدول الاجتماعات',
    labels: { time: 'الوقت', meeting: 'الاجتماع', attendees: 'الحاضرون' },
    none: 'لا اجتماعات في هذا اليوم.',
    status: { scheduled: '', completed: 'انعقد', postponed: 'مؤجل', cancelled: 'ملغى' },
    kind: { internal: null, external: 'خارجي', virtual: 'عن بُعد' },
    counts: { one: 'اجتماع واحد', two: 'اجتماعان', few: '{n} اجتماعات', many: '{n} اجتماعًا', other: '{n} اجتماع' },
    comma: '، ',
    page: { before: 'صفحة ', between: ' من ' },
    digits: '٠١٢٣٤٥٦٧٨٩',
    locale: 'ar-SA-u-nu-arab',
    gregorian: '{date} م',
  },
  en: {
    title: 'Schedule of meetings',
    labels: { time: 'Time', meeting: 'Meeting', attendees: 'Attendees' },
    none: 'There are no meetings on this day.',
    status: { scheduled: '', completed: 'Held', postponed: 'Postponed', cancelled: 'Cancelled' },
    kind: { internal: null, external: 'external', virtual: 'by video' },
    counts: { one: '1 meeting', two: '{n} meetings', few: '{n} meetings', many: '{n} meetings', other: '{n} meetings' },
    comma: ', ',
    page: { before: 'Page ', between: ' of ' },
    digits: '0123456789',
    locale: 'en-GB',
    gregorian: '{date}',
  },
} as const

const inDigits = (text: string, digits: string) => text.replace(/\d/g, (digit) => digits[Number(digit)]!)

/** A day in words, in both calendars. */
function datesOf(date: string, language: Language) {
  const { locale, gregorian } = texts[language]
  const day = new Date(`${date}T00:00:00Z`)
  const written = (calendar: string, weekday?: 'long') =>
    new Intl.DateTimeFormat(locale, { calendar, weekday, day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(day)
  // PDF readers misplace digits after a comma in right-to-left lines.
  const bareOf = (text: string) => text.replace('، ', ' ')
  return { gregorian: bareOf(gregorian.replace('{date}', written('gregory', 'long'))), hijri: written('islamic-umalqura') }
}

function countOf(count: number, language: Language) {
  const { counts, digits } = texts[language]
  const form = new Intl.PluralRules(language).select(count) as keyof typeof counts
  return (counts[form] ?? counts.other).replace('{n}', inDigits(String(count), digits))
}

/** Removes direction controls, replaces tabs, and spells out U+FDFD, a glyph as wide as a sentence. */
const settled = (text: string) =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/\t/g, ' ')
    .replace(/\uFDFD/g, 'بسم الله الرحمن الرحيم')

/** The lines of a text, each with its own direction. */
const linesOf = (text: string, language: Language) =>
  text.split('\n').map((line) => ({ text: line, direction: directionOf(line, language) }))

function describeMeeting(meeting: MeetingView, language: Language) {
  const { status, kind, digits } = texts[language]
  const inThisLanguage = (ar: string | null, en: string | null) => (language === 'ar' ? (ar ?? en) : (en ?? ar))
  const passage = (text: string | null) => (text === null ? null : linesOf(settled(text), language))
  const time = (text: string | null) => (text === null ? null : inDigits(text, digits))
  return {
    start: time(meeting.startTime),
    end: time(meeting.endTime),
    title: passage(inThisLanguage(meeting.titleAr, meeting.titleEn)),
    place: passage(inThisLanguage(meeting.locationAr, meeting.locationEn)),
    notes: passage(meeting.notes),
    url: passage(meeting.meetingUrl),
    status: meeting.status,
    statusLabel: status[meeting.status],
    isOff: meeting.status === 'cancelled' || meeting.status === 'postponed',
    isHighlighted: meeting.isHighlighted,
    attendees: meeting.attendees.map((person) => ({
      name: isolated(settled(person.name), language),
      title: person.title === null ? null : isolated(settled(person.title), language),
      mark: kind[person.kind],
    })),
  }
}

/** A person's PDFs are made one after another, so that each person occupies at most one job. */
export const typesettingFor = (userId: number) => ({ queue: `typesetting for ${userId}`, tries: 8 })

/** The most letters that may be printed at a font size of one point. A larger font size divides this number. */
const MOST_PRINTED = 2_000_000
const PER_MEETING = 100
const PER_PERSON = 10
const PER_LINE = 20

const lettersOf = (...texts: (string | null)[]) =>
  texts.reduce((letters, text) => letters + (text === null ? 0 : text.length + PER_LINE * (text.split('\n').length - 1)), 0)

/** Refuses `too_much_to_print` for a day whose PDF would occupy the typesetter for too long. */
export function checkPrintable({ font, meetings }: Pick<DayContent, 'font' | 'meetings'>) {
  const letters = meetings.reduce(
    (sum, { titleAr, titleEn, locationAr, locationEn, meetingUrl, notes, attendees }) =>
      attendees.reduce((people, { name, title }) => people + PER_PERSON + lettersOf(name, title), sum) +
      PER_MEETING +
      lettersOf(titleAr, titleEn, locationAr, locationEn, meetingUrl, notes),
    0,
  )
  const largestFontSize = Math.floor(MOST_PRINTED / letters)
  if (font.fontSize > largestFontSize) refuse('too_much_to_print', { body: { fontSize: font.fontSize, largestFontSize } })
}

/** The notice to the person who made an archive that its PDF could not be made. */
export const archiveNotices = ({ date, createdBy }: Pick<ArchiveRecord, 'date' | 'createdBy'>): Notice[] =>
  createdBy === null
    ? []
    : [
        {
          recipients: [createdBy],
          type: 'meeting',
          template: 'schedule_not_archived',
          params: { ar: { date: describeDate(date, 'ar') }, en: { date: describeDate(date, 'en') } },
          relatedType: null,
          relatedId: null,
        },
      ]

/** Everything the template shows of a day. `madeAt` dates the document, so that equal schedules have equal bytes. */
export function describeDay({ date, language, siteNameAr, siteNameEn, font, meetings }: DayContent, madeAt: string) {
  const { title, labels, none, comma, page, digits } = texts[language]
  const made = new Date(madeAt)
  const dates = datesOf(date, language)
  return {
    language,
    site: settled(language === 'ar' ? siteNameAr : siteNameEn),
    title,
    documentTitle: `${title} – ${dates.gregorian}`,
    dates,
    count: countOf(meetings.length, language),
    labels,
    none,
    comma,
    page,
    digits: [...digits],
    made: {
      year: made.getUTCFullYear(),
      month: made.getUTCMonth() + 1,
      day: made.getUTCDate(),
      hour: made.getUTCHours(),
      minute: made.getUTCMinutes(),
      second: made.getUTCSeconds(),
    },
    font: {
      families: [...new Set([bundledAs(font.fontFamily), ...FALLBACK_FAMILIES])],
      size: font.fontSize,
      weight: font.fontWeight,
      strong: Math.min(700, font.fontWeight + 200),
      alignment: font.alignment,
    },
    meetings: meetings.map((meeting) => describeMeeting(meeting, language)),
  }
}
