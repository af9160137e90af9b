import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { report } from '../../../../parts/show/failures.ts'
import { answer, api, type Schemas } from '../../../../platform/client.ts'

type Impact = Schemas['Impact']
export type Planned = Schemas['PlannedChange']

/** The preview is requested once the changes have stayed the same for this long. */
const PAUSE_MS = 250

/** The effect of changes; undefined while it is unknown, or if the preview fails. */
export function useImpact(changes: readonly Planned[]) {
  const impact = useSignal<Impact | undefined>(undefined)
  useEffect(() => {
    impact.value = undefined
    if (changes.length === 0) return
    const stop = new AbortController()
    const { signal } = stop
    const timer = setTimeout(() => {
      answer(api.POST('/admin/impact', { body: { changes: [...changes] }, signal })).then(
        (found) => {
          if (!signal.aborted) impact.value = found
        },
        (failure) => signal.aborted || report(failure),
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [JSON.stringify(changes)])
  return impact.value
}
