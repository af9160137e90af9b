import { useShortcuts } from '../../frame/use-shortcuts.ts'
import { known } from '../../platform/cache.ts'
import { byThing } from './data.ts'
import { readSome, unread } from './holding.ts'
import { t } from './texts.ts'

const rows = () => [...document.querySelectorAll<HTMLElement>('.notifications .notification')]
const here = () => document.activeElement?.closest<HTMLElement>('.notification') ?? undefined
const focus = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>('a, button')?.focus()

/** Moves the focus `by` groups down; without a focused group, to the first one. */
function step(by: number) {
  const all = rows()
  const now = here()
  focus(now ? all[Math.max(0, all.indexOf(now) + by)] : all[0])
}
/** The notifications of the focused group. */
const focused = () => {
  const newest = Number(here()?.dataset['thing'])
  const all = new Map(known('/notifications').flatMap((some) => some.map((one) => [one.id, one])))
  return [...byThing([...all.values()]).values()].find(([one]) => one!.id === newest) ?? []
}

/** J and K move between the groups, Enter opens one, E marks it as read and U undoes that. */
export const useKeys = () =>
  useShortcuts([
    { codes: ['KeyJ'], text: () => t.keys.next, run: () => step(1) },
    { codes: ['KeyK'], text: () => t.keys.former, run: () => step(-1) },
    { codes: ['KeyE'], text: () => t.keys.read, run: () => readSome(focused()) },
    { codes: ['KeyU'], text: () => t.keys.unread, run: () => unread(focused()) },
  ])
