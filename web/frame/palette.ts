/** What the command palette finds. Rooms register where theirs comes from in a `palette.ts`, loaded when the palette first opens. */
import type { IconName } from '../parts/icon.tsx'

export interface Finding {
  /** Unique in the palette. */
  id: string
  text: string
  /** More words it is found by, in both languages. */
  words?: (string | null | undefined)[]
  /** What it is, shown beside it. */
  kind?: string
  icon?: IconName
  /** An address of the portal, such as `/orders`; or what happens. */
  path?: string
  run?: () => void
}

/** Proposes findings for what was typed, folded; '' before anything is. The palette filters by `text` and `words` unless `isExact`. */
export interface PaletteSource {
  find(typed: string): Finding[] | Promise<Finding[]>
  /** The source has searched itself. */
  isExact?: boolean
}

/** Rooms export `default` of this type from their `palette.ts`. */
export const definePalette = (source: PaletteSource) => source
