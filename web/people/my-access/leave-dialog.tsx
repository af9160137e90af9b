import { Dialog } from '../../parts/overlay/dialog.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { isolated, listed, named } from '../../platform/language.ts'
import { removeSoon } from '../../platform/removals.ts'
import type { Grant, GrantedApp } from './data.ts'
import { t } from './texts.ts'

/** The most apps that the sentence names. */
const NAMED = 5

/** The names of apps, for use in a sentence. */
function namesOf(all: readonly GrantedApp[]) {
  const names = all.slice(0, NAMED).map((app) => isolated(named(app)))
  const rest = all.length - names.length
  return rest > 0 ? `${listed(names)} ${t.moreApps(rest)}` : listed(names)
}

/** Gives a membership back, after saying what is lost. The person can undo it until the portal has been called. */
export function LeaveDialog({ grant, others, close }: { grant: Grant; others: readonly Grant[]; close: () => void }) {
  const title = isolated(titleOf(grant))
  const elsewhere = new Set(others.flatMap(({ apps }) => apps.map(({ id }) => id)))
  const lost = grant.apps.filter(({ id }) => !elsewhere.has(id))
  const kept = grant.apps.filter(({ id }) => elsewhere.has(id))
  const leave = () => {
    close()
    say({ text: t.left(title), undo: removeSoon('/auth/me/groups/{groupId}', grant.id) })
  }
  return (
    <Dialog
      title={t.leaveTitle(title)}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.stay}</Button>
          <Button kind="danger" onClick={leave}>
            {t.leave}
          </Button>
        </>
      }
    >
      <p>
        {lost.length > 0 ? t.loses(namesOf(lost)) : t.losesRights} {kept.length > 0 && t.keeps(namesOf(kept))}
      </p>
      <p class="quiet">{t.comeBack}</p>
    </Dialog>
  )
}
