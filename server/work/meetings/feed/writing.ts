/** A person's meetings as a calendar file (RFC 5545). */
import type { ICalEventData } from 'ical-generator'
import { momentOfClock } from '../../../platform/days.ts'
import { lazily } from '../../../platform/lazily.ts'
import type { Language } from '../../../platform/tables.ts'

export interface FeedMeeting {
  id: number
  date: string
  startTime: string | null
  endTime: string | null
  titleAr: string | null
  titleEn: string | null
  locationAr: string | null
  locationEn: string | null
  meetingUrl: string | null
  status: 'scheduled' | 'completed' | 'postponed' | 'cancelled'
  updatedAt: Date
}

export interface Feed {
  /** The part of the events’ ids that is unique to this portal. */
  feedId: string
  siteNameAr: string
  siteNameEn: string
  timeZone: string
  language: Language
  /** The address of the pages, for people who may open meetings there; otherwise null. */
  pages: string | null
  meetings: readonly FeedMeeting[]
}

/** How many days before and after today a feed covers. */
export const DAYS_BACK = 31
export const DAYS_AHEAD = 366

/** How often calendar programs are asked to read the feed again. */
const AGAIN_SECONDS = 15 * 60
/** How long a meeting without an end lasts. */
const DURATION = 'PT30M'
const MINUTE_MS = 60_000
/** `SEQUENCE` has only 32 bits, so it counts the seconds from this moment. */
const SEQUENCE_FROM = Date.parse('2020-01-01T00:00:00Z') / 1000

const states = { scheduled: 'CONFIRMED', completed: 'CONFIRMED', postponed: 'TENTATIVE', cancelled: 'CANCELLED' } as const

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * The beginning and the end of a meeting. If a change of the clocks puts the end no later than the beginning, the meeting lasts as long as
 * its times say.
 */
function timesOf({ date, startTime, endTime }: FeedMeeting, timeZone: string) {
  if (!startTime) return { start: new Date(`${date}T00:00:00Z`), allDay: true }
  const start = momentOfClock(date, startTime, timeZone)
  if (!endTime) return { start }
  const end = momentOfClock(date, endTime, timeZone)
  const lasts = (minutesOf(endTime) - minutesOf(startTime)) * MINUTE_MS
  return { start, end: end > start ? end : new Date(start.getTime() + lasts) }
}

/** A meeting as its attendees know it: without notes and without the names of other attendees. */
function eventOf(meeting: FeedMeeting, { feedId, timeZone, language, pages }: Feed): ICalEventData {
  const { id, titleAr, titleEn, locationAr, locationEn, meetingUrl, status, updatedAt } = meeting
  const inArabic = language === 'ar'
  const isOn = status === 'scheduled' || status === 'completed'
  return {
    ...timesOf(meeting, timeZone),
    id: `meeting-${id}@${feedId}`,
    sequence: Math.max(0, Math.floor(updatedAt.getTime() / 1000) - SEQUENCE_FROM),
    // Without this stamp, each event has the time at which the feed is read, and no ETag ever matches.
    stamp: updatedAt,
    lastModified: updatedAt,
    summary: (inArabic ? titleAr || titleEn : titleEn || titleAr) ?? '',
    location: inArabic ? locationAr || locationEn : locationEn || locationAr,
    description: isOn && meetingUrl ? meetingUrl : null,
    url: pages && `${pages}/meetings/${id}`,
    status: states[status] as NonNullable<ICalEventData['status']>,
  }
}

/** Loaded at the first reading: many portals have no feeds. */
const generator = lazily(() => import('ical-generator'))

/** The start of an event without an end, on a line of its own; no text of an event can begin a line. */
const OPEN_START = /^(DTSTART:\d{8}T\d{6}Z\r\n)(?!DTEND)/gm

export async function writeFeed(feed: Feed) {
  const { default: ical, escape: escaped } = await generator.get()
  const name = feed.language === 'ar' ? `اجتماعاتي – ${feed.siteNameAr}` : `My meetings – ${feed.siteNameEn}`
  const events = feed.meetings.map((meeting) => eventOf(meeting, feed))
  const prodId = { company: 'Bawaba', product: 'Meetings', language: 'EN' }
  // The generator escapes the texts of events but not this name, and does not end the last line.
  const text = ical({ name: escaped(name, false), prodId, ttl: AGAIN_SECONDS, events }).toString()
  return `${text.replace(OPEN_START, `$1DURATION:${DURATION}\r\n`)}\r\n`
}
