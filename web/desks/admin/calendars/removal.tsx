import { KeptRemoval } from '../shared/kept-removal.tsx'
import { type Calendar, removeCalendar } from './data.ts'
import { t } from './texts.ts'

/** Deletes the calendar, or says how many teams and orders prevent that. */
export const Removal = ({ calendar, close }: { calendar: Calendar; close: () => void }) => (
  <KeptRemoval
    record={calendar}
    words={
      // Name the texts, so that the check for unused texts finds them.
      t satisfies Pick<typeof t, 'removeTitle' | 'removeHint' | 'removeYes' | 'removed' | 'keptTitle' | 'keptHint' | 'cancel' | 'close'>
    }
    list="/admin/calendars"
    close={close}
    remove={async () => {
      const users = await removeCalendar(calendar.id)
      return (
        users && [
          { count: users.teams, text: t.usedByTeams, list: '/admin/teams', see: t.seeTeams },
          { count: users.orders, text: t.usedByOrders, list: '/admin/orders', see: t.seeOrders },
        ]
      )
    }}
  />
)
