/** The daily actions of the people of the demo: they sign in, open apps and read notifications. */
import { semaphore } from '../server/platform/concurrency.ts'
import { FIRST_DAY } from './organisation/calendar.ts'
import { departed, LEAVING_DAY, people } from './organisation/organisation.ts'
import type { Act } from './story.ts'

/** Apps that everyone with an account sees, the most used first. */
const daily = ['news', 'directory', 'attendance', 'cafeteria', 'calendar', 'leave', 'helpdesk', 'documents', 'meeting-rooms', 'policies']
const MOST_OPENED = 2

const days = Array.from({ length: 1 - FIRST_DAY }, (_, place) => FIRST_DAY + place)
/** A pseudorandom integer from 0 to `below` - 1, always the same for the same seed. */
export const chance = (seed: number, below: number) => ((seed * 2_654_435_761) >>> 7) % below

const AT_ONCE = 4
/** Runs `work` for each member of `all`, `AT_ONCE` at a time. */
function together<T>(all: T[], work: (one: T) => Promise<unknown>) {
  const inTurn = semaphore(AT_ONCE)
  return Promise.all(all.map((one) => inTurn(() => work(one))))
}

/** Whether somebody has an account for all of a day. */
const isThere = ({ username, joined }: (typeof people)[number], day: number) =>
  (joined === FIRST_DAY || day > joined) && (day < LEAVING_DAY || !departed.includes(username))

/** Everyone signs in on the day they join. */
export const arrivalActs = (): Act[] =>
  Map.groupBy(people, ({ joined }) => joined)
    .entries()
    .map(([day, some]): Act => {
      const arrive: Act['play'] = (as) => together(some, ({ username }) => as(username))
      return { when: [day, '09:10'], until: day === FIRST_DAY ? '10:05' : '09:12', play: arrive }
    })
    .toArray()

/** Each day, most people open one or two apps. */
function opensOf(day: number) {
  const there = people
    .map((person, place) => ({ ...person, isIn: chance(day * 50 + place + 1000, 5) > 1, turn: chance(place * 97 + day + 30, 1000) }))
    .filter((person) => isThere(person, day) && person.isIn)
    .toSorted((one, other) => one.turn - other.turn)
  return there.flatMap(({ username, turn }) =>
    Array.from({ length: 1 + chance(turn * 7 + day + 20, MOST_OPENED) }, (_, nth) => {
      // Squaring makes the first apps more likely.
      const slug = daily[Math.floor((chance(turn * 31 + nth * 17 + day + 99, 100) ** 2 / 10_000) * daily.length)]!
      return { username, slug }
    }),
  )
}

export const openingActs = (appIds: Map<string, number>): Act[] =>
  days.map((day) => {
    const open: Act['play'] = (as) =>
      together(opensOf(day), async ({ username, slug }) => (await as(username))('POST', `/apps/${appIds.get(slug)}/open`))
    return { when: [day, day === FIRST_DAY ? '10:15' : '08:02'], until: '15:30', play: open }
  })

const LAST_READING = -1
/** People with a role read their notifications every third day, and everybody reads them yesterday; today's are unread. */
export const readingActs = (): Act[] =>
  days
    .filter((day) => day < 0 && day % 3 === LAST_READING)
    .map((day) => {
      const readers = people.filter((person) => isThere(person, day) && (day === LAST_READING || person.roles.length > 0))
      const read: Act['play'] = (as) => together(readers, async ({ username }) => (await as(username))('POST', '/notifications/read-all'))
      return { when: [day, '15:45'], until: '15:59', play: read }
    })
