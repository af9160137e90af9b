import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Saved } from '../../parts/presence/meanwhile.tsx'
import type { Resource } from '../../platform/cache.ts'
import { hear } from '../../platform/live.ts'
import { me } from '../../platform/session.ts'
import { lastChange, type Target } from './directory.ts'

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
