/** The orders that wait for the person's own approval. */
import type { Schemas } from '../../../platform/client.ts'
import { me, toApprove } from '../../../platform/session.ts'

/** Whether the person has approved an order that still waits for further approvals. */
export const isApproved = ({ details: { approval } }: Schemas['OrderDetailsPage']['items'][number]) =>
  !!approval?.steps.find(({ key }) => key === approval.step)?.approvals.some(({ by }) => by.id === me.value?.id)

/**
 * The number of orders that wait for the person's approval. Orders that the person has approved are left out only if they are on the first
 * page.
 */
export const approvalCount = () => (toApprove.data ? toApprove.data.totalCount - toApprove.data.items.filter(isApproved).length : 0)
