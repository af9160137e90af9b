import { minute } from '../platform/dates.ts'
import { settings } from './site.ts'

/** Today in the office, as `YYYY-MM-DD`. Apart from the site's settings, because only rooms need it. */
export const officeToday = () => new Intl.DateTimeFormat('en-CA', { timeZone: settings.data?.timeZone ?? 'UTC' }).format(minute.value)
