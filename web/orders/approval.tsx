import { useDecisionKeys } from '../frame/decision-keys.ts'
import { Decide, useNote } from '../parts/approval/decide.tsx'
import { ApprovalSteps } from '../parts/approval/steps.tsx'
import { t } from '../parts/approval/texts.ts'
import type { Order, OrderDetails } from './data.ts'

const keys = { KeyA: 'approve', KeyR: 'deny' } as const

function Deciding({ order, details }: { order: Order; details: OrderDetails }) {
  useDecisionKeys(keys, (decision) => t.keys[decision])
  return <Decide order={order} details={details} note={useNote(order.id)} />
}

/** The approvals of an order, and the decision of somebody who may decide. */
export const Approving = ({ order, details }: { order: Order; details: OrderDetails }) => (
  <>
    <div class="card orders-details">
      <ApprovalSteps details={details} />
    </div>
    {details.may.includes('approve') && <Deciding order={order} details={details} />}
  </>
)
