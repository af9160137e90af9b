/** The places of the executive's meetings: one for each tab. */
import type { Path } from './routes.ts'
import { officeDay } from './shared/office.ts'
import { standing } from './shared/standing.ts'
import type { t } from './texts.ts'
import { mineOpen, waiting } from './waiting.ts'

export interface Place {
  path: Path
  name: keyof typeof t.names
  /** The first part of the place's addresses below `/meetings`. Addresses that begin with no place's `start` belong to the day. */
  start?: string
  /** The number of items that wait in the place. A component that reads the number loads it. */
  count?: () => number | undefined
  isMine?: () => boolean | undefined
}

const day: Place = { path: '', name: 'today' }
const places: Place[] = [
  day,
  { path: 'week/:date', name: 'week', start: 'week' },
  { path: 'requests', name: 'requests', start: 'requests', count: waiting },
  { path: 'tasks', name: 'tasks', start: 'tasks', count: mineOpen },
  { path: 'archives', name: 'printed', start: 'archives' },
  { path: 'log', name: 'log', start: 'log', isMine: () => standing.data?.canViewAudit },
]

/** The places that the person may open. */
export const myPlaces = () => places.filter(({ isMine }) => isMine?.() ?? true)

/** Whether an address below `/meetings` belongs to a place. */
export function isIn(place: Place, rest: string) {
  const [start] = rest.split('/')
  return (places.find((one) => one.start === start) ?? day) === place
}

/** The address of a place in the portal. The week keeps the date of the current address. */
export function addressOf({ path }: Place, rest: string) {
  const [date = officeDay()] = /\d{4}-\d\d-\d\d/.exec(rest) ?? []
  return ['/meetings', path.replace(':date', date)].filter(Boolean).join('/')
}
