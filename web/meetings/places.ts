/** The places of the executive's meetings, as the tabs under the bar show them. */
import type { Path } from './routes.ts'
import { officeDay } from './shared/office.ts'
import { standing } from './shared/standing.ts'
import type { t } from './texts.ts'
import { mineOpen, waiting } from './waiting.ts'

export interface Place {
  path: Path
  name: keyof typeof t.names
  /** How its addresses begin, below `/meetings`; what no other place has is the day's. */
  start?: string
  /** How much of it waits, if anything; reading it in a component asks for it. */
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

/** Those that the person may open. */
export const myPlaces = () => places.filter(({ isMine }) => isMine?.() ?? true)

/** Whether an address below `/meetings` lies in a place. */
export function isIn(place: Place, rest: string) {
  const [start] = rest.split('/')
  return (places.find((one) => one.start === start) ?? day) === place
}

/** The address of a place in the portal: that of the week has the day that is looked at. */
export function addressOf({ path }: Place, rest: string) {
  const [date = officeDay()] = /\d{4}-\d\d-\d\d/.exec(rest) ?? []
  return ['/meetings', path.replace(':date', date)].filter(Boolean).join('/')
}
