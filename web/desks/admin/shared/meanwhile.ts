import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Saved } from '../../../parts/show/presence/meanwhile.tsx'
import type { Resource } from '../../../platform/cache.ts'
import { onEvent } from '../../../platform/live.ts'
import { me } from '../../../platform/session.ts'
import { lastChange, type Target } from './directory.ts'

/** Reloads a record when somebody else saves it while its page is open. Returns that person and the time. */
export function useMeanwhile(of: Resource<unknown>, target: Target, id: number) {
  const saved = useSignal<Saved | undefined>(undefined)
  useEffect(
    () =>
      onEvent('admin_changed', ({ targetType, targetId, actorId }) => {
        if (targetType !== target || targetId !== id || actorId === me.peek()?.id) return
        of.refresh()
        lastChange(target, id).then(
          (change) => {
            saved.value = change?.actor ? { by: change.actor, at: change.createdAt } : undefined
          },
          // Ignore failures: the change is shown already, and only its author stays unknown.
          () => {},
        )
      }),
    [of, target, id],
  )
  return saved.value
}
