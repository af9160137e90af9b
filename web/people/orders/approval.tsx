import { useRef } from 'preact/hooks'
import { useDecisionKeys } from '../../frame/decision-keys.ts'
import { Decide, useNote } from '../../parts/show/approval/decide.tsx'
import { Outcome } from '../../parts/show/approval/outcome.tsx'
import { ApprovalSteps } from '../../parts/show/approval/steps.tsx'
import { t } from '../../parts/show/approval/texts.ts'
import { isParty, type Order, type OrderDetails } from './data.ts'
import { isLate } from './late.ts'

const keys = { KeyA: 'approve', KeyR: 'deny' } as const

interface ApprovingProps {
  order: Order
  details: OrderDetails
}

function Deciding(props: ApprovingProps & { note: ReturnType<typeof useNote> }) {
  useDecisionKeys(keys, (decision) => t.keys[decision])
  return <Decide {...props} />
}

/** The approvals of an order, and the decision of somebody who may decide, or the outcome for an approver who comes too late. */
export function Approving({ order, details }: ApprovingProps) {
  const note = useNote(order.id)
  const isMine = details.may.includes('approve')
  const wasMine = useRef(false)
  wasMine.current ||= isMine
  return (
    <>
      {isLate(details, { wasMine: wasMine.current, isParty: isParty(order, details.beneficiary) }) && (
        <Outcome order={order} details={details} note={wasMine.current ? (note.value.value ?? '') : ''} />
      )}
      <div class="card orders-details">
        <ApprovalSteps details={details} />
      </div>
      {isMine && <Deciding order={order} details={details} note={note} />}
    </>
  )
}
