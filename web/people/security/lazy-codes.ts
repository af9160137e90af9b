import { lazily } from '../../parts/show/lazily.tsx'

/** Shows new recovery codes until the person confirms that they have stored them. Loaded on first use. */
export const CodesDialog = lazily(async () => (await import('./codes.tsx')).CodesDialog)
