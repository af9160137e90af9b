import type { OrderDetails } from './data.ts'

interface Reader {
  /** Whether the reader could decide at any time since opening the page. */
  wasMine: boolean
  isParty: boolean
}

/**
 * Whether an order was decided before its reader, an approver, could do so. False for members of the team that does the work, unless they
 * could decide.
 */
export function isLate({ may, approval }: Pick<OrderDetails, 'may' | 'approval'>, { wasMine, isParty }: Reader) {
  if (!approval || isParty || may.includes('approve')) return false
  // Until an order is approved, only its parties and those who decide can read it. After that, only its team can write notes.
  return wasMine || approval.state !== 'approved' || !may.includes('note')
}
