import type { OrderDetails } from './data.ts'

interface Reader {
  /** Whether they could decide since they opened the page. */
  wasMine: boolean
  isParty: boolean
}

/** Whether an order has been decided before its reader, an approver, could do so. Those who do its work read nothing of that. */
export function isLate({ may, approval }: Pick<OrderDetails, 'may' | 'approval'>, { wasMine, isParty }: Reader) {
  if (!approval || isParty || may.includes('approve')) return false
  // Before an order is released, only its parties and those who decide read it. Afterwards, only its team writes notes.
  return wasMine || approval.state !== 'approved' || !may.includes('note')
}
