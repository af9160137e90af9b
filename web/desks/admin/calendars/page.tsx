import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { CalendarList } from './list.tsx'

const OneCalendar = lazily(() => import('./one.tsx').then((loaded) => loaded.OneCalendar))

/** The working calendars, or one of them. */
export default function Calendars({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneCalendar key={id} id={id} /> : <CalendarList />
}
