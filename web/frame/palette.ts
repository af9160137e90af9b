/** The findings of the command palette. Rooms register their sources in a `palette.ts`, loaded when the palette first opens. */
import type { IconName } from '../parts/icon.tsx'

/** The groups of the palette in their order. `past` is for closed records, such as finished orders; it comes last however well it fits. */
export const groups = ['acts', 'pages', 'services', 'apps', 'orders', 'people', 'notes', 'past'] as const
export type Group = (typeof groups)[number]

export interface Finding {
  /** Unique in the palette and stable, because recently opened findings are stored by it. */
  id: string
  group: Group
  text: string
  /** More words it is found by, in both languages. */
  words?: (string | null | undefined)[]
  /** Its kind, shown beside it. */
  kind?: string
  icon?: IconName
  color?: string
  /** Not proposed before something is typed. */
  isTyped?: boolean
  /** An address of the portal, such as `/orders`, or a function. */
  path?: string
  run?: () => void
}

/** Proposes findings for what was typed, folded; '' before anything is. The palette filters by `text` and `words` unless `isExact`. */
export interface PaletteSource {
  find(typed: string): Finding[] | Promise<Finding[]>
  /** The source has searched itself. */
  isExact?: boolean
  /** Asks the portal for each text, so wait until typing pauses. */
  isRemote?: boolean
}

/** Rooms export `default` of this type from their `palette.ts`. */
export const definePalette = (...sources: PaletteSource[]) => sources
