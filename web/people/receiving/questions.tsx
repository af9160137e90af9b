import { useSignal } from '@preact/signals'
import { useSaving } from '../../parts/forms/saving.ts'
import { CancelDialog } from '../../parts/overlay/cancel-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { assignedTo } from '../../parts/overlay/passing-on/data.ts'
import { AssignDialog as ChooseReceiver, HandOverDialog as ChooseTeam } from '../../parts/overlay/passing-on/dialogs.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { nameOf } from '../../platform/language.ts'
import { isAdmin } from '../../platform/session.ts'
import { assign, cancel, handOver, kindOf, type Order, serviceOf, statusName, together } from '../orders/data.ts'
import { personOf } from './card.tsx'
import { cardOf, keepPlace, removeAll, type Verdict } from './data.ts'
import { t } from './questions-texts.ts'

interface Asked {
  order: Order
  close: () => void
}

export const CancelQuestion = ({ order, close }: Asked) => (
  <CancelDialog service={serviceOf(order)} close={close} cancel={(reason) => cancel(order, reason)}>
    <p>
      {t.cancelHint} {!isAdmin.value && t.noUndo}
    </p>
  </CancelDialog>
)

export function AssignDialog({ orders, close }: { orders: Order[]; close: () => void }) {
  const first = orders[0]!
  const isOne = orders.length === 1
  return (
    <ChooseReceiver
      service={serviceOf(first)}
      count={orders.length}
      // Only administrators may list receivers without naming an order.
      orderId={isOne || !isAdmin.value ? first.id : undefined}
      close={close}
      choose={(person) => {
        if (isOne) assign(first, person)
        else together(orders, (order) => assign(order, person, true), assignedTo(person))
      }}
    />
  )
}

export const HandOverDialog = ({ order, close }: Asked) => (
  <ChooseTeam service={serviceOf(order)} close={close} choose={(team) => keepPlace(cardOf(order), handOver(order, team))} />
)

function verdictOf({ isDeleted, now }: Verdict) {
  if (isDeleted) return t.deleted
  if (!now) return t.goneBefore
  return now.assignee ? t.takenBy(nameOf(now.assignee)) : t.movedOn(statusName(now.status))
}

function Verdicts({ all }: { all: Verdict[] }) {
  return (
    <ul class="receiving-verdicts" aria-label={t.verdicts}>
      {all.map((verdict) => (
        <li key={verdict.order.id}>
          <Icon name={verdict.isDeleted ? 'check' : 'info'} size={18} />
          <span>
            <bdi>{serviceOf(verdict.order)}</bdi> <bdi class="quiet small">{personOf(verdict.order)}</bdi>
          </span>
          <span class="chip" data-kind={verdict.isDeleted ? 'on' : verdict.now ? (kindOf(verdict.now.status) ?? 'warn') : undefined}>
            {verdictOf(verdict)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Deletes orders after a confirmation, and shows the outcome for each. */
export function RemoveDialog({ orders, close }: { orders: Order[]; close: () => void }) {
  const verdicts = useSignal<Verdict[] | undefined>(undefined)
  const remove = async () => {
    verdicts.value = await removeAll(orders)
  }
  const { isBusy, problem, run } = useSaving(remove, { unreached: t.unreached })
  const end = verdicts.value ? (
    <Button kind="main" onClick={close}>
      {t.done}
    </Button>
  ) : (
    <>
      <Button onClick={close}>{t.keep}</Button>
      <Button kind="danger" icon="trash-2" isBusy={isBusy} onClick={run}>
        {t.removeYes}
      </Button>
    </>
  )
  return (
    <Dialog title={verdicts.value ? t.verdicts : t.removeTitle(orders.length)} close={close} end={end}>
      <div role="status">{verdicts.value ? <Verdicts all={verdicts.value} /> : <p>{t.removeHint(orders.length)}</p>}</div>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
