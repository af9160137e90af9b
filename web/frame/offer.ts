/** A question that a page asks when there is a reason to, and never twice: the page draws it, and drops it when it is left. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

export const offer = signal<ComponentType<{ close: () => void }> | undefined>(undefined)

/** Offers to notify this device while the portal is closed: where it can be, is not yet, and was not asked before. */
export async function offerPush() {
  // Without a connection there is another time.
  const found = await import('./push-offer.tsx').then(({ findOffer }) => findOffer()).catch(() => undefined)
  offer.value = found
}
