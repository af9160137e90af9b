/** Keyboard shortcuts for pages on which somebody decides on one request after another. */
import { go, path } from '../platform/router.ts'
import { useShortcuts } from './use-shortcuts.ts'

/**
 * Keys for the buttons that have a decision as their `data-decision`. A key first focuses its button and, pressed again, presses it:
 * a decision cannot be undone, so one letter must not make it.
 */
export function useDecisionKeys<Decision extends string>(keys: Readonly<Record<string, Decision>>, textOf: (decision: Decision) => string) {
  useShortcuts(
    Object.entries(keys).map(([code, decision]) => ({
      codes: [code],
      text: () => textOf(decision),
      run() {
        const button = document.querySelector<HTMLButtonElement>(`[data-decision=${decision}]`)
        if (document.activeElement === button) button?.click()
        else button?.focus()
      },
    })),
  )
}

interface Steps {
  /** The ids in the order of the list. */
  ids: () => readonly number[]
  /** The address of the list, to which the id of a request is added. */
  under: string
  texts: { next: string; former: string }
}

/** Keys that lead to the next or previous request. They start from the request in the address, which may not be rendered yet. */
export function useStepKeys({ ids, under, texts }: Steps) {
  const step = (by: 1 | -1) => () => {
    const all = ids()
    const here = all.indexOf(Number(path.peek().split('/').at(-1)))
    const to = all[here < 0 ? 0 : here + by]
    if (to !== undefined) go(`${under}/${to}`)
  }
  useShortcuts([
    { codes: ['KeyJ'], text: () => texts.next, run: step(1) },
    { codes: ['KeyK'], text: () => texts.former, run: step(-1) },
  ])
}
