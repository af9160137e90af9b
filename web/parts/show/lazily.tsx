import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../texts.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { Skeleton } from './skeleton.tsx'

/**
 * A component in a chunk of its own, loaded on first use; a skeleton shows until then. If loading fails, a message in its place offers to
 * try again. The rest of the page, such as a form around the component, stays.
 */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  /** Null if loading has failed. */
  const loaded = signal<ComponentType<P> | null | undefined>(undefined)
  let isAsked = false
  const forget = () => {
    if (loaded.peek() !== null) return
    isAsked = false
    loaded.value = undefined
  }
  return function Lazy(props: P) {
    const Drawn = loaded.value
    useEffect(() => forget, [])
    if (Drawn) return <Drawn {...props} />
    if (Drawn === null)
      return (
        <Empty icon="cloud-off" title={t.failed} act={<Button onClick={forget}>{t.retry}</Button>}>
          {t.failedHint}
        </Empty>
      )
    if (!isAsked) {
      isAsked = true
      load().then(
        (Drawn) => {
          loaded.value = Drawn
        },
        () => {
          loaded.value = null
        },
      )
    }
    return <Skeleton />
  }
}
