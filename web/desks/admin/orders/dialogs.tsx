/** The dialogs that ask before orders are assigned, cancelled or deleted. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import { useSaving } from '../../../parts/forms/saving.ts'
import { CancelDialog } from '../../../parts/overlay/cancel-dialog.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { assignedTo, titleOf } from '../../../parts/overlay/passing-on/data.ts'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { cancel, kindOf, type Order, serviceOf, statusName, together } from '../../../people/orders/data.ts'
import { removeAll, type Verdict } from '../../../people/receiving/data.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { formatNumber, isolated, nameOf } from '../../../platform/language.ts'
import { assignQuietly, findReceivers, handOver, MOST, type Question, type Receiver } from './data.ts'
import { t } from './texts.ts'

interface Asked {
  orders: readonly Order[]
  close: () => void
  done: () => void
}

function consequence(orders: readonly Order[], { user }: Receiver) {
  const to = isolated(nameOf(user))
  const [order] = orders
  if (orders.length > 1 || !order) return t.givenMany(to)
  if (order.assignedTo === user.id) return t.same(to)
  return order.assignee ? t.taken(isolated(nameOf(order.assignee)), to) : t.given(to)
}

function AssignDialog({ orders, close, done }: Asked) {
  const chosen = useSignal<Receiver | undefined>(undefined)
  const receiver = chosen.value
  const [order] = orders
  const isOne = orders.length === 1 && order !== undefined
  const isSame = isOne && order.assignedTo === receiver?.user.id
  function give({ user }: Receiver) {
    close()
    done()
    if (isOne) handOver(order, user)
    else together([...orders], (one) => assignQuietly(one, user), assignedTo(user))
  }
  return (
    <Dialog
      class="all-orders-assign"
      title={titleOf(orders.length, order ? isolated(serviceOf(order)) : '')}
      close={close}
      end={
        receiver &&
        !isSame && (
          <Button kind="main" onClick={() => give(receiver)}>
            {(isOne ? t.giveTo : t.giveManyTo)(isolated(nameOf(receiver.user)))}
          </Button>
        )
      }
    >
      <Combobox
        label={t.findReceiver}
        placeholder={t.findReceiver}
        find={findReceivers}
        id={({ user }) => user.id}
        isInside
        choose={(one) => {
          chosen.value = one
        }}
      >
        {({ user, open, present }) => (
          <>
            <Avatar person={user} size={28} />
            <bdi class="grow">{nameOf(user)}</bdi>
            {present && (
              <span class="chip" data-kind="on">
                {t.present}
              </span>
            )}
            <span class="quiet small">{t.holds(open)}</span>
          </>
        )}
      </Combobox>
      <p role="status">{receiver && consequence(orders, receiver)}</p>
    </Dialog>
  )
}

const verdictOf = ({ isDeleted, now }: Verdict) => (isDeleted ? t.deleted : now ? t.stays(statusName(now.status)) : t.goneBefore)

function RemoveDialog({ orders, close, done }: Asked) {
  const verdicts = useSignal<Verdict[] | undefined>(undefined)
  const { isBusy, problem, run } = useSaving(
    async () => {
      verdicts.value = await removeAll([...orders])
      done()
    },
    { unreached: t.unreached },
  )
  const shown = verdicts.value
  const isTooMany = orders.length > MOST
  const end = shown ? (
    <Button kind="main" onClick={close}>
      {t.done}
    </Button>
  ) : (
    <>
      <Button onClick={close}>{t.keep}</Button>
      <Button kind="danger" icon="trash-2" isBusy={isBusy} disabled={isTooMany} onClick={run}>
        {t.removeYes(orders.length)}
      </Button>
    </>
  )
  return (
    <Dialog title={shown ? t.verdicts : t.removeTitle(orders.length)} close={close} end={end}>
      <div role="status">
        {shown ? (
          <ul class="all-orders-verdicts" aria-label={t.verdicts}>
            {shown.map((verdict) => (
              <li key={verdict.order.id}>
                <Icon name={verdict.isDeleted ? 'check' : 'info'} size={18} />
                <bdi class="grow">{serviceOf(verdict.order)}</bdi>
                <span class="chip" data-kind={verdict.isDeleted ? 'on' : verdict.now ? kindOf(verdict.now.status) : undefined}>
                  {verdictOf(verdict)}
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p>{isTooMany ? t.tooMany(formatNumber(MOST)) : t.removeHint}</p>
        )}
      </div>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}

/** Asks for confirmation of an action on some orders, or on all that a query finds, which are read first. */
export function OrderDialogs({ question, close, done }: { question: Question; close: () => void; done: () => void }) {
  const Asking = question.kind === 'assign' ? AssignDialog : RemoveDialog
  // Read once, because an order that is placed later is not part of the question.
  const found = useSignal<Schemas['ServiceOrdersPage'] | undefined>(undefined)
  const reading = useSaving(async () => {
    found.value = await answer(api.GET('/orders', { params: { query: { ...question.query, limit: MOST } } }))
  })
  useEffect(() => {
    if (question.query) reading.run()
  }, [])
  const [only] = question.orders
  if (question.kind === 'cancel' && only)
    return <CancelDialog service={serviceOf(only)} close={close} cancel={(reason) => cancel(only, reason)} />
  if (!question.query) return <Asking orders={question.orders} close={close} done={done} />
  const title = question.kind === 'assign' ? t.assign : t.remove
  if (!found.value)
    return (
      <Dialog title={title} close={close}>
        {reading.problem ? (
          <p class="error" role="alert">
            {reading.problem}
          </p>
        ) : (
          <Skeleton count={2} />
        )}
      </Dialog>
    )
  const { items, totalCount } = found.value
  if (totalCount > MOST)
    return (
      <Dialog title={title} close={close}>
        <p>{t.tooMany(formatNumber(MOST))}</p>
      </Dialog>
    )
  return <Asking orders={items} close={close} done={done} />
}
