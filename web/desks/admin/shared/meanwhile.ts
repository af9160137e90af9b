import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Saved } from '../../../parts/show/presence/meanwhile.tsx'
import { onEvent } from '../../../platform/live.ts'
import { me } from '../../../platform/session.ts'
import { lastChange, type Target } from './directory.ts'

/** The person who saved a record while its page was open, and the time. `live.ts` reloads the record. */
export function useMeanwhile(target: Target, id: number) {
  const saved = useSignal<Saved | undefined>(undefined)
  useEffect(
    () =>
      onEvent('admin_changed', ({ targetType, targetId, actorId }) => {
        if (targetType !== target || targetId !== id || actorId === me.peek()?.id) return
        lastChange(target, id).then(
          (change) => {
            saved.value = change?.actor ? { by: change.actor, at: change.createdAt } : undefined
          },
          // Ignore failures: the change is shown already, and only its author stays unknown.
          () => {},
        )
      }),
    [target, id],
  )
  return saved.value
}
