/** An offer that a page makes once, when there is a reason to. It disappears when the page is left. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

export const offer = signal<ComponentType<{ close: () => void }> | undefined>(undefined)

/** Offers pushes to this device, if it supports them, has none yet, and was not asked before. */
export async function offerPush() {
  // Without a connection, the offer waits for another time.
  const found = await import('./push-offer.tsx').then(({ findOffer }) => findOffer()).catch(() => undefined)
  offer.value = found
}
