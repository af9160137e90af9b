import type { Schemas } from '../../platform/client.ts'

/** The actions, apart from the next step, that somebody may take on an order in a status. `may` comes from the details of the order. */
export function actsIn(status: Schemas['ServiceOrder']['status'], may: Schemas['ListedOrderDetails']['may']) {
  const assigns = may.includes('assign')
  return {
    assigns,
    handsOver: may.includes('transfer'),
    cancels: may.includes('cancel'),
    // An order in work may be released by its assignee and by those who may assign it. Only the assignee has `wait`.
    releases: (status === 'received' || status === 'preparing') && (assigns || may.includes('wait')),
  }
}
