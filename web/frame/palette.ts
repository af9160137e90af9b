/** The findings of the command palette. Rooms register their sources in a `palette.ts`, loaded when the palette first opens. */
import type { IconName } from '../parts/show/icon.tsx'

/** The groups of the palette in their order. `past` is for closed records, such as finished orders, and always comes last. */
export const groups = ['acts', 'pages', 'services', 'apps', 'orders', 'people', 'notes', 'past'] as const
export type Group = (typeof groups)[number]

export interface Finding {
  /** Unique in the palette and stable, because recently opened findings are stored by their ids. */
  id: string
  group: Group
  text: string
  /** Further search words, in both languages. */
  words?: (string | null | undefined)[]
  /** The kind of the finding, shown beside it. */
  kind?: string
  icon?: IconName
  color?: string
  /** Whether the finding is proposed only once something is typed. */
  isTyped?: boolean
  /** An address of the portal, such as `/orders`, or a function. */
  path?: string
  run?: () => void
}

/** Proposes findings for the typed text, which is folded. The palette filters them by `text` and `words` unless `isExact`. */
export interface PaletteSource {
  find(typed: string): Finding[] | Promise<Finding[]>
  /** Whether the source itself returns only findings that fit. */
  isExact?: boolean
  /** Whether the source calls the portal. The palette then waits until typing pauses. */
  isRemote?: boolean
}

/** Declares the sources of a room: the default export of its `palette.ts`. */
export const definePalette = (...sources: PaletteSource[]) => sources
