import { lazily } from '../../parts/show/lazily.tsx'
import { Asking } from './asking.tsx'
import { actsFor, assign, handOver, type Order, type OrderDetails, serviceOf, teamNames } from './data.ts'
import { t } from './texts.ts'

const dialogs = () => import('../../parts/overlay/passing-on/dialogs.tsx')
const AssignDialog = lazily(async () => (await dialogs()).AssignDialog)
const HandOverDialog = lazily(async () => (await dialogs()).HandOverDialog)

/** Passes an order on to a receiver or to another team, for those who may do so. */
export function PassingOn({ order, details }: { order: Order; details: OrderDetails }) {
  const { assigns, handsOver } = actsFor(order, details)
  const service = serviceOf(order)
  return (
    <>
      <Asking icon="user" text={t.assign} isOffered={assigns}>
        {(close) => <AssignDialog service={service} orderId={order.id} close={close} choose={(person) => assign(order, person)} />}
      </Asking>
      <Asking icon="arrow-right" text={t.handOver} isOffered={handsOver && !!teamNames.data?.length}>
        {(close) => <HandOverDialog service={service} close={close} choose={(team) => handOver(order, team)} />}
      </Asking>
    </>
  )
}
