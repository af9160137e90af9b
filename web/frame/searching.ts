/** Asks the sources of the palette separately, so that a failing one hides no other results. */
import { computed, signal } from '@preact/signals'
import { report } from '../parts/show/failures.ts'
import type { Finding, PaletteSource } from './palette.ts'
import { fit, shelve } from './ranking.ts'

/** How long typing must pause before the portal is asked, in ms. */
const PAUSE_MS = 120

interface Answer {
  typed: string
  found: Finding[]
  hasFailed: boolean
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

export function openSearch() {
  const sources = signal<readonly PaletteSource[]>([])
  const answers = signal<ReadonlyMap<PaletteSource, Answer>>(new Map())
  const wanted = signal('')
  const underWay = new Map<PaletteSource, Promise<void>>()

  function put(source: PaletteSource, answer: Answer) {
    if (answer.typed === wanted.peek()) answers.value = new Map(answers.peek()).set(source, answer)
  }
  /** Asks a source. A remote source is asked only after a pause in typing, unless nothing is typed. */
  async function ask(source: PaletteSource) {
    const typed = wanted.peek()
    try {
      if (source.isRemote && typed) await pause()
      if (typed !== wanted.peek()) return
      const found = source.find(typed)
      put(source, { typed, found: Array.isArray(found) ? found : await found, hasFailed: false })
    } catch (failure) {
      report(failure)
      put(source, { typed, found: [], hasFailed: true })
    }
  }
  const askAll = (some: readonly PaletteSource[]) => {
    for (const source of some) underWay.set(source, ask(source))
  }
  const isAnswered = (source: PaletteSource) => answers.value.get(source)?.typed === wanted.value
  const hasFailed = (source: PaletteSource) => isAnswered(source) && answers.value.get(source)!.hasFailed

  const found = computed(() =>
    sources.value.flatMap((source) => {
      const { found = [] } = answers.value.get(source) ?? {}
      // Findings for the previous text stay if they fit the new one.
      return (isAnswered(source) ? found : found.filter((one) => fit(one, wanted.value) >= 0)).map((one) => ({ one, source }))
    }),
  )
  return {
    wanted,
    add(more: readonly PaletteSource[]) {
      sources.value = [...sources.peek(), ...more]
      askAll(more)
    },
    /** Searches for a text. Searching for the same text again asks the sources again. */
    seek(typed: string) {
      wanted.value = typed
      askAll(sources.peek())
    },
    again: () => askAll(sources.peek().filter(hasFailed)),
    shelves(recent: readonly string[]) {
      const exact = new Set(found.value.flatMap(({ one, source }) => (source.isExact ? one : [])))
      return shelve(
        found.value.map(({ one }) => one),
        wanted.value,
        recent,
        (one) => exact.has(one),
      )
    },
    failed: () => sources.value.filter(hasFailed),
    isSearching: () => !sources.value.every(isAnswered),
    /** Settles when the sources on the device, or all sources, have answered. */
    settled: (which: 'device' | 'all') =>
      Promise.all([...underWay].flatMap(([{ isRemote }, asked]) => (isRemote && which === 'device' ? [] : asked))),
  }
}
