import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Fields, type Moved, previewTimes, timesToPreview } from './data.ts'
import { t } from './texts.ts'

/** The preview is requested this long after the last change. */
const PAUSE_MS = 250

type Preview = Moved | 'nothing' | 'asking' | 'unknown'

/** A sentence about the due times that would move. */
export const movedInWords = ({ earlier, later }: Moved) => (earlier + later === 0 ? t.movesNone : t.moves(earlier, later))

/** Previews which due times the form's values would move, for the option `foreseen` of `useForm`. Outdated replies are ignored. */
export function usePreview(id: number, now: Fields) {
  const preview = useSignal<Preview>('nothing')
  const latest = useMemo(() => ({ now }), [])
  latest.now = now
  const previewing = useMemo(() => {
    let key: string | undefined
    /** The moves that the page showed last. */
    let shown = ''
    let stop = new AbortController()
    let settled: Promise<unknown> = Promise.resolve()
    const said = () => {
      const found = preview.peek()
      return found === 'asking' ? undefined : typeof found === 'string' ? found : movedInWords(found)
    }
    async function ask(body: Partial<Fields>, { signal }: AbortController) {
      preview.value = 'asking'
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      if (signal.aborted) return
      // Ignore failures: values that cannot be previewed cannot be saved either, and saving reports the error beside its field.
      const found = await previewTimes(id, body, signal).catch(() => 'unknown' as const)
      if (signal.aborted) return
      preview.value = found
      if (typeof found !== 'string') shown = movedInWords(found)
    }
    return {
      said,
      async of(values: Fields, isAnew = false) {
        const body = timesToPreview(latest.now, values)
        const next = JSON.stringify(body)
        if (next !== key || isAnew) {
          key = next
          stop.abort()
          stop = new AbortController()
          if (!body) preview.value = 'nothing'
          settled = body ? ask(body, stop) : Promise.resolve()
        }
        // If a newer request replaces the awaited one, wait for the newer one.
        for (let awaited: typeof settled | undefined; awaited !== settled; await awaited) awaited = settled
        return said()
      },
      /**
       * Whether values may be saved at once: the page has shown their preview or an equal one, no due time would move, or the preview
       * failed. Otherwise, shows the preview first.
       */
      async isSeen(values: Fields) {
        if (preview.peek() !== 'asking' && JSON.stringify(timesToPreview(latest.now, values)) === key) return true
        const before = shown
        await previewing.of(values)
        const found = preview.peek()
        return typeof found === 'string' || found.earlier + found.later === 0 || movedInWords(found) === before
      },
      end: () => stop.abort(),
    }
  }, [])
  useEffect(() => previewing.end, [])
  return { preview, foreseen: previewing, isSeen: previewing.isSeen }
}
