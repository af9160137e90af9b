/** The pages of the executive's meetings, each in its own chunk. */
import { paramsOf, patternOf } from '../../addresses.ts'
import { meetings } from '../../desk-addresses.ts'
import { type Load, preloadChunk } from '../../frame/chunk.tsx'
import { isDay } from '../../parts/forms/calendar/days.ts'

export type Path = (typeof meetings)[number]

const day: Load = () => import('./day/page.tsx')
const meeting: Load = () => import('./meeting/page.tsx')
const requests: Load = () => import('./requests/page.tsx')
const tasks: Load = () => import('./tasks/page.tsx')
const pages: Record<Path, Load> = {
  '': day,
  ':date': day,
  '(?<hijri>\\d\\d?-\\d\\d?-1[345]\\d\\d)': day,
  ':date/wall': () => import('./wall/page.tsx'),
  ':id': meeting,
  'week/:date': () => import('./week/page.tsx'),
  new: meeting,
  requests,
  'requests/:id': requests,
  tasks,
  'tasks/:id': tasks,
  archives: () => import('./archives/page.tsx'),
  'archives/fonts': () => import('./fonts/page.tsx'),
  log: () => import('./log/page.tsx'),
}
const routes = meetings.map((path) => ({ pattern: patternOf(path), load: pages[path] }))

/** The page of an address below `/meetings`; undefined if there is none. */
export function findPage(address: string) {
  for (const { pattern, load } of routes) {
    const params = paramsOf(pattern, address)
    // For a date that does not exist, only the page of a day matches, because no other page has a message for it.
    if (params && (!params['date'] || load === day || isDay(params['date']))) return { load, params }
  }
  return undefined
}

export const preloadPage = (path: Path) => preloadChunk(pages[path])
