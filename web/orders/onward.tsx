import { Button } from '../parts/button.tsx'
import { lazily } from '../parts/lazily.tsx'
import { teamNames } from '../parts/passing-on/data.ts'
import { Asking } from './asking.tsx'
import { acting, actsFor, assign, claim, complete, handOver, type Order, type OrderDetails, prepare, release, serviceOf } from './data.ts'
import { t } from './texts.ts'

const dialogs = () => import('../parts/passing-on/dialogs.tsx')
const AssignDialog = lazily(async () => (await dialogs()).AssignDialog)
const HandOverDialog = lazily(async () => (await dialogs()).HandOverDialog)

/** The next action on an order, for its receiver or someone who may claim it; and for those who may, passing it on. */
export function Onward({ order, details }: { order: Order; details: OrderDetails | undefined }) {
  const [text, run] =
    order.status === 'pending' && order.next.includes('received')
      ? [t.claim, claim]
      : order.next.includes('preparing')
        ? [t.prepare, prepare]
        : order.next.includes('completed')
          ? [t.complete, complete]
          : []
  const { assigns, handsOver, releases } = actsFor(order, details)
  const service = serviceOf(order)
  return (
    <>
      {run && (
        <Button kind="main" isBusy={acting.value.has(order.id)} onClick={() => run(order)}>
          {text}
        </Button>
      )}
      {releases && <Button onClick={() => release(order)}>{t.release}</Button>}
      <Asking icon="user" text={t.assign} isOffered={assigns}>
        {(close) => <AssignDialog service={service} orderId={order.id} close={close} choose={(person) => assign(order, person)} />}
      </Asking>
      <Asking icon="arrow-right" text={t.handOver} isOffered={handsOver && !!teamNames.data?.length}>
        {(close) => <HandOverDialog service={service} close={close} choose={(team) => handOver(order, team)} />}
      </Asking>
    </>
  )
}
