/** Keys of pages on which somebody decides one request after the other. */
import { go, path } from '../platform/router.ts'
import { useShortcuts } from './use-shortcuts.ts'

/**
 * Keys for the buttons with these `data-decision`. A key first focuses its button and then presses it, because one letter must not do
 * what cannot be undone.
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
  /** The address of a list, to which an id is added. */
  under: string
  texts: { next: string; former: string }
}

/** Keys that lead to the next or former request. They start from the address, because the page may not have rendered it yet. */
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
