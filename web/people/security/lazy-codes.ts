import { lazily } from '../../parts/show/lazily.tsx'

export interface ShowsCodes {
  /** Shows new recovery codes; null shows none. */
  show: (codes: readonly string[] | null) => void
}

/** Shows new recovery codes until the person confirms that they have stored them. Loaded on first use. */
export const CodesDialog = lazily(async () => (await import('./codes.tsx')).CodesDialog)
