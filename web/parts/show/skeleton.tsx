import type { ComponentChildren } from 'preact'
import type { Resource } from '../../platform/cache.ts'
import { Refusal, Unreached } from '../../platform/refusal.ts'
import { t } from '../texts.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

/** A placeholder while data loads: `count` bars or cards of `height` rem. Appears after 150 ms. */
export function Skeleton({ count = 3, height = 4, shape = 'card' }: { count?: number; height?: number; shape?: 'card' | 'line' | 'tile' }) {
  return (
    <div class="skeleton" data-shape={shape} aria-busy="true">
      <span class="unseen">{t.loading}</span>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} style={{ blockSize: `${height}rem` }} aria-hidden="true" />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  of: Resource<T>
  /** The placeholder; by default three cards. */
  shape?: ComponentChildren
  children: (data: T) => ComponentChildren
}

/** Renders the data of a resource, a placeholder while it loads, and an error if it could not be loaded. */
export function Loaded<T>({ of, shape = <Skeleton />, children }: LoadedProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (!of.error) return <>{shape}</>
  const isOffline = of.error instanceof Unreached
  return (
    <Empty
      icon="cloud-off"
      title={isOffline ? t.neverHere : (of.error instanceof Refusal && of.error.text) || t.failed}
      act={<Button onClick={() => of.refresh()}>{t.retry}</Button>}
    >
      {isOffline ? t.neverHereHint : t.failedHint}
    </Empty>
  )
}
