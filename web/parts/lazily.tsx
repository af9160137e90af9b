import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { Skeleton } from './skeleton.tsx'

/** A component in a chunk of its own, loaded on first use; a list skeleton shows until then. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const loaded = signal<{ Drawn?: ComponentType<P>; failure?: Error }>({})
  let isAsked = false
  return function Lazy(props: P) {
    const { Drawn, failure } = loaded.value
    if (failure) {
      // Load again on the next render. Meanwhile the frame says that the page is broken.
      queueMicrotask(() => {
        loaded.value = {}
        isAsked = false
      })
      throw failure
    }
    if (Drawn) return <Drawn {...props} />
    if (!isAsked) {
      isAsked = true
      load().then(
        (Drawn) => {
          loaded.value = { Drawn }
        },
        (failure) => {
          loaded.value = { failure }
        },
      )
    }
    return <Skeleton />
  }
}
