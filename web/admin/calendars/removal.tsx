import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useSaving } from '../../parts/saving.ts'
import { say } from '../../parts/toasts.tsx'
import { isolated, named } from '../../platform/language.ts'
import { at, onward } from '../../platform/router.ts'
import { type Calendar, removeCalendar, type Users } from './data.ts'
import { t } from './texts.ts'

/** Deletes the calendar, or says which teams and orders keep it. */
export function Removal({ calendar, close }: { calendar: Calendar; close: () => void }) {
  const users = useSignal<Users | undefined>(undefined)
  const name = isolated(named(calendar))
  const { isBusy, problem, run } = useSaving(async () => {
    const goOn = onward()
    users.value = await removeCalendar(calendar.id)
    if (users.value) return
    close()
    say({ text: t.removed(name) })
    goOn('/admin/calendars', { replace: true })
  })
  const kept = users.value
  if (kept)
    return (
      <Dialog title={t.keptTitle(name)} close={close} end={<Button onClick={close}>{t.close}</Button>}>
        <div role="status">
          <ul class="lines">
            {kept.teams > 0 && (
              <li>
                {t.usedByTeams(kept.teams)}{' '}
                <a class="link" href={at('/admin/teams')}>
                  {t.seeTeams}
                </a>
              </li>
            )}
            {kept.orders > 0 && (
              <li>
                {t.usedByOrders(kept.orders)}{' '}
                <a class="link" href={at('/admin/orders')}>
                  {t.seeOrders}
                </a>
              </li>
            )}
          </ul>
          <p class="quiet">{t.keptHint}</p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      title={t.removeTitle(name)}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy} onClick={run}>
            {t.removeYes}
          </Button>
        </>
      }
    >
      <p>{t.removeHint}</p>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
