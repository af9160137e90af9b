import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { report } from '../../show/failures.ts'
import { outcomeOf } from './sentences.ts'
import type { Impact } from './shapes.ts'
import { t } from './texts.ts'

/** How long after the last change the preview is requested, in ms. */
const PAUSE_MS = 250
/** How long the button waits for the preview, in ms. */
const LATE_MS = 2000

export type Foresight =
  | { state: 'nothing' }
  /** `impact` is the previous preview. */
  | { state: 'asking' | 'late'; impact?: Impact }
  | { state: 'known'; impact: Impact }
  | { state: 'failed' }

interface Options<V, Plan> {
  /** The changes to preview; undefined if they affect nobody. */
  plan: (values: V) => Plan | undefined
  ask: (plan: Plan, signal: AbortSignal) => Promise<Impact>
  /** The verb on the button before the outcome; by default "Save". */
  verb?: string
}

export interface Foreseen<V> {
  foresight: Signal<Foresight>
  verb: () => string
  /** The label of the button; undefined while it may not be pressed. */
  said: () => string | undefined
  /** Requests a preview of these values and returns the button's label. `isAnew`: the saved record has changed since the last request. */
  of: (values: V, isAnew?: boolean) => Promise<string | undefined>
}

/** Previews the saving of a form as its values change. An outdated answer is dropped. */
export function useForeseen<V, Plan>(options: Options<V, Plan>): Foreseen<V> {
  const latest = useRef(options)
  latest.current = options
  const foresight = useSignal<Foresight>({ state: 'nothing' })
  const foreseen = useMemo(() => {
    let key: string | undefined
    let settled: Promise<unknown> = Promise.resolve()
    let stop = new AbortController()
    const verb = () => latest.current.verb ?? t.save
    const said = () => {
      const now = foresight.peek()
      if (now.state === 'nothing') return verb()
      if (now.state === 'asking') return undefined
      if (now.state !== 'known') return t.withoutPreview
      return now.impact.lastAdmin ? undefined : outcomeOf(now.impact, verb())
    }
    const before = () => {
      const now = foresight.peek()
      return 'impact' in now && now.impact ? { impact: now.impact } : {}
    }
    function ask(plan: Plan, { signal }: AbortController) {
      foresight.value = { state: 'asking', ...before() }
      return new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve())
        const late = setTimeout(() => {
          if (signal.aborted) return
          foresight.value = { state: 'late', ...before() }
          resolve()
        }, LATE_MS)
        setTimeout(async () => {
          if (signal.aborted) return clearTimeout(late)
          const found = await latest.current.ask(plan, signal).then(
            (impact): Foresight => ({ state: 'known', impact }),
            (failure): Foresight => {
              if (!signal.aborted) report(failure)
              return { state: 'failed' }
            },
          )
          clearTimeout(late)
          if (!signal.aborted) foresight.value = found
          resolve()
        }, PAUSE_MS)
      })
    }
    return {
      foresight,
      verb,
      said,
      async of(values: V, isAnew = false) {
        const plan = latest.current.plan(values)
        const next = JSON.stringify(plan)
        if (next !== key || isAnew || foresight.peek().state === 'failed') {
          key = next
          stop.abort()
          stop = new AbortController()
          if (plan === undefined) foresight.value = { state: 'nothing' }
          settled = plan === undefined ? Promise.resolve() : ask(plan, stop)
        }
        const mine = key
        // While this request was under way, a newer one may have replaced it. Wait for the newest.
        for (let awaited: typeof settled | undefined; awaited !== settled; await awaited) awaited = settled
        return mine === key ? said() : undefined
      },
      end: () => stop.abort(),
    }
  }, [])
  useEffect(() => foreseen.end, [])
  return foreseen
}
