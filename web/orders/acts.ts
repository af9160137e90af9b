import type { ListedDetails, Order } from './data.ts'

/** What the reader may do with an order besides moving it on, as the portal says: nothing before its details are loaded. */
export function actsFor({ status }: Pick<Order, 'status'>, details: Pick<ListedDetails, 'may'> | undefined) {
  const may = details?.may ?? []
  const assigns = may.includes('assign')
  return {
    assigns,
    handsOver: may.includes('transfer'),
    cancels: may.includes('cancel'),
    // An order in work is released by its assignee, who alone lets it wait, and by those who may assign it.
    releases: (status === 'received' || status === 'preparing') && (assigns || may.includes('wait')),
  }
}
