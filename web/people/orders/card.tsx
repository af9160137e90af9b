import { Menu } from '../../parts/overlay/menu.tsx'
import { heldState, waitingInWords } from '../../parts/show/approval/words.ts'
import { Avatar } from '../../parts/show/avatar.tsx'
import { OrderDue } from '../../parts/show/due/due.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Moment } from '../../parts/show/moment.tsx'
import { Steps } from '../../parts/show/steps.tsx'
import { inLanguage, isolated, nameOf } from '../../platform/language.ts'
import { at, go } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'
import { CancelOrUndo } from './cancel-or-undo.tsx'
import { beneficiaryOf, forWhom, isOpen, type ListedDetails, type Order, passed, serviceOf, statusName } from './data.ts'
import { t } from './texts.ts'

/** The progress of an order; nothing if it was cancelled. */
export const OrderSteps = ({ order }: { order: Order }) =>
  order.status === 'cancelled' ? null : <Steps label={t.steps} steps={passed.map(statusName)} reached={passed.indexOf(order.status)} />

/** The receiver of an order. */
const Assignee = ({ order: { assignee } }: { order: Order }) =>
  assignee && (
    <span class="orders-person">
      {t.with} <Avatar person={assignee} size={22} /> <bdi>{nameOf(assignee)}</bdi>
    </span>
  )

/** Chips and texts about an order: an awaited answer or unread message, the beneficiary, and the approvers or the team of an open order with its due time. */
function Beyond({ order, details }: { order: Order; details: ListedDetails }) {
  const { waiting, unread, teamNameAr, teamNameEn, times, progress, approval } = details
  const isHeld = progress === 'held' && approval !== null
  const isForMe = beneficiaryOf(order, details)?.id === me.value?.id
  const whom = isForMe ? order.requester && t.placedBy(isolated(nameOf(order.requester))) : forWhom(order, details)
  const team = isOpen(order) && !isHeld && !order.assignee ? inLanguage(teamNameAr, teamNameEn) : ''
  return (
    <>
      {waiting?.for === 'requester' ? (
        <span class="chip" data-kind="warn">
          {t.waitsForYou}
        </span>
      ) : (
        unread && (
          <span class="chip" data-kind="blue">
            {t.unread}
          </span>
        )
      )}
      {whom && <span>{whom}</span>}
      {isHeld && <span>{waitingInWords(approval)}</span>}
      {team && <span>{t.withTeam(isolated(team))}</span>}
      {!isHeld && <OrderDue order={order} times={times} isParty />}
    </>
  )
}

interface CardProps {
  order: Order
  /** Undefined until it is loaded. */
  details: ListedDetails | undefined
  remove: () => void
}

/** An order in its requester's list. */
export function OrderCard({ order, details, remove }: CardProps) {
  const service = serviceOf(order)
  const held = heldState(order, details?.approval)
  return (
    <li class="card orders-card" data-status={order.status}>
      <div class="orders-top">
        <div class="orders-about">
          <a class="orders-name" href={at(`/orders/${order.id}`)}>
            <bdi>{service}</bdi>
          </a>
          <p class="quiet small orders-facts">
            {(held || !isOpen(order)) && (
              <span class="chip" data-kind={held ? held.kind : order.status === 'completed' ? 'on' : undefined}>
                {held?.text ?? statusName(order.status)}
              </span>
            )}
            <Moment at={order.createdAt} />
            <Assignee order={order} />
            {details && <Beyond order={order} details={details} />}
          </p>
          {order.notes && (
            <p class="orders-notes" dir="auto">
              {order.notes}
            </p>
          )}
        </div>
        <CancelOrUndo order={order} details={details} />
        <Menu
          label={t.actsOn(service)}
          face={<Icon name="ellipsis" />}
          items={[
            { text: t.again, icon: 'refresh-cw', run: () => go(`/services?order=${order.serviceId}&again=${order.id}`) },
            ...(isOpen(order) || order.userId !== me.value?.id
              ? []
              : [{ text: t.remove, icon: 'trash-2', apart: true, run: remove } as const]),
          ]}
        />
      </div>
      {isOpen(order) && !held && <OrderSteps order={order} />}
    </li>
  )
}
