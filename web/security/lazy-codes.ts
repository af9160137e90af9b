import { lazily } from '../parts/lazily.tsx'

/** Shows new recovery codes until the person has kept them. */
export const CodesDialog = lazily(async () => (await import('./codes.tsx')).CodesDialog)
