/** A one-time offer on a page, such as pushes after a first order. It disappears when the person leaves the page. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

export const offer = signal<ComponentType<{ close: () => void }> | undefined>(undefined)

/** Offers pushes to this device, if it supports them, has none yet, and was not asked before. */
export async function offerPush() {
  // Without a connection, the offer waits for another time.
  const found = await import('./push-offer.tsx').then(({ findOffer }) => findOffer()).catch(() => undefined)
  offer.value = found
}
