import './meanwhile.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Avatar } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import { Told } from '../../parts/consequences/consequences.tsx'
import type { Resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { ago } from '../../platform/dates.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { hear } from '../../platform/live.ts'
import { me } from '../../platform/session.ts'
import { lastChange, type Target } from './directory.ts'
import type { Present } from './presence.tsx'
import { t } from './texts.ts'

/** Somebody else's change. */
export interface Saved {
  by: Schemas['AuditLogActor']
  at: string
}

/** Asks for a record again when somebody else has saved it while its page is open, and answers who that was. */
export function useMeanwhile(of: Resource<unknown>, target: Target, id: number) {
  const saved = useSignal<Saved | undefined>(undefined)
  useEffect(
    () =>
      hear('admin_changed', ({ targetType, targetId, actorId }) => {
        if (targetType !== target || targetId !== id || actorId === me.peek()?.id) return
        of.refresh()
        lastChange(target, id).then(
          (change) => {
            saved.value = change?.actor ? { by: change.actor, at: change.createdAt } : undefined
          },
          // The author stays unknown; the change is on the page all the same.
          () => {},
        )
      }),
    [of, target, id],
  )
  return saved.value
}

interface MeanwhileProps {
  saved: Saved | undefined
  present: readonly Present[]
  /** Shows the change. */
  show?: () => void
}

/** Says that somebody else saved the record while it was open, or is about to; nothing where they only look. */
export function Meanwhile({ saved, present, show }: MeanwhileProps) {
  const editor = present.find(({ editing }) => editing)
  const who = saved?.by ?? editor?.user
  return (
    <div role="status">
      {who && (
        <div class="meanwhile">
          <Avatar person={who} size={28} />
          <span>
            <Told text={saved ? t.changedBy(isolated(nameOf(who)), ago(saved.at)) : t.alsoEditing(isolated(nameOf(who)))} />
          </span>
          {saved && show && <Button onClick={show}>{t.show}</Button>}
        </div>
      )}
    </div>
  )
}
