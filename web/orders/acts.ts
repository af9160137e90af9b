import type { Schemas } from '../platform/client.ts'

/** What somebody may do with an order in a status, besides moving it on, by the `may` of its details. */
export function actsIn(status: Schemas['ServiceOrder']['status'], may: Schemas['ListedOrderDetails']['may']) {
  const assigns = may.includes('assign')
  return {
    assigns,
    handsOver: may.includes('transfer'),
    cancels: may.includes('cancel'),
    // An order in work is released by its assignee, who alone lets it wait, and by those who may assign it.
    releases: (status === 'received' || status === 'preparing') && (assigns || may.includes('wait')),
  }
}
