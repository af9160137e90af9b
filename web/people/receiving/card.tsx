import { FoldedAnswers } from '../../parts/forms/answers/view.tsx'
import { Menu, type MenuItem } from '../../parts/overlay/menu.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { OrderMarks } from '../../parts/show/due/marks.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Moment } from '../../parts/show/moment.tsx'
import { present } from '../../platform/ago.ts'
import { nameOf } from '../../platform/language.ts'
import { at, go } from '../../platform/router.ts'
import {
  acting,
  actsFor,
  cancel,
  claim,
  complete,
  forWhom,
  isParty,
  type ListedDetails,
  type Order,
  prepare,
  release,
  serviceOf,
  teamNames,
} from '../orders/data.ts'
import { keepPlace } from './data.ts'
import { selected, toggle } from './selection.ts'
import { t } from './texts.ts'
import { lateness, type Row } from './turns.ts'

/** The dialog to open, and the order that it is about. */
export type Question = { ask: 'cancel' | 'assign' | 'remove' | 'handOver'; order: Order }

export const personOf = ({ requester }: Order) => (requester ? nameOf(requester) : t.someone)

/** The action that moves an order to its next status. */
function onward(order: Order): { text: string; run: (order: Order) => Promise<unknown> } | undefined {
  if (order.status === 'pending') return order.next.includes('received') ? { text: t.claim, run: claim } : undefined
  if (order.next.includes('preparing')) return { text: t.prepare, run: prepare }
  return order.next.includes('completed') ? { text: t.complete, run: complete } : undefined
}

function itemsOf(order: Order, details: ListedDetails | undefined, ask: (question: Question) => void): MenuItem[] {
  const { assigns, handsOver, cancels, releases } = actsFor(order, details)
  return [
    { text: t.details, icon: 'eye', run: () => go(`/orders/${order.id}`) },
    ...(order.status === 'received' ? [{ text: t.complete, icon: 'circle-check', run: () => complete(order) } as const] : []),
    ...(releases ? [{ text: t.release, icon: 'undo-2', run: () => release(order) } as const] : []),
    ...(assigns ? [{ text: t.assign, icon: 'user', run: () => ask({ ask: 'assign', order }) } as const] : []),
    ...(handsOver && teamNames.data?.length
      ? [{ text: t.handOver, icon: 'arrow-right', run: () => ask({ ask: 'handOver', order }) } as const]
      : []),
    ...(cancels
      ? [
          {
            ...({ text: t.cancel, icon: 'circle-x', apart: true } as const),
            run: () => (isParty(order, details?.beneficiary) ? cancel(order) : ask({ ask: 'cancel', order })),
          },
        ]
      : []),
    { text: t.remove, icon: 'trash-2', run: () => ask({ ask: 'remove', order }) },
  ]
}

interface CardProps extends Row {
  ask: (question: Question) => void
}

/** An order on the board. */
export function Card({ order, details, ask }: CardProps) {
  const service = serviceOf(order)
  const person = personOf(order)
  const act = onward(order)
  const late = lateness({ order, details }, present())
  const isSelecting = selected.value !== undefined
  return (
    <li class="card receiving-card" data-order={order.id} data-chosen={selected.value?.has(order.id) || undefined}>
      <div class="receiving-top">
        {isSelecting && (
          <input
            type="checkbox"
            class="receiving-check"
            aria-label={t.selectOne(service, person)}
            checked={selected.value?.has(order.id)}
            onChange={() => toggle(order.id)}
          />
        )}
        <a class="receiving-name" href={at(`/orders/${order.id}`)}>
          <bdi>{service}</bdi>
        </a>
        <span class={late ? 'chip' : 'quiet small'} data-kind={late}>
          <Moment at={order.createdAt} />
        </span>
      </div>
      {details && <OrderMarks order={order} details={details} class="small receiving-due" />}
      {order.notes && (
        <p class="receiving-notes" dir="auto">
          {order.notes}
        </p>
      )}
      {details?.formVersion && <FoldedAnswers orderId={order.id} />}
      <div class="receiving-end">
        <span class="receiving-person quiet small">
          {order.requester && <Avatar person={order.requester} size={24} />}
          <span>
            <bdi>{person}</bdi> {forWhom(order, details)}
          </span>
        </span>
        {!isSelecting && (
          <span class="receiving-acts">
            <Menu label={t.more(service)} face={<Icon name="ellipsis" />} items={itemsOf(order, details, ask)} />
            {act && (
              <button
                type="button"
                class="button receiving-onward"
                data-kind={order.status === 'pending' ? 'main' : undefined}
                aria-label={t.actOn(act.text, service, person)}
                aria-busy={acting.value.has(order.id) || undefined}
                onClick={(event) => {
                  keepPlace(event.currentTarget.closest('[data-order]'))
                  act.run(order)
                }}
              >
                {act.text}
              </button>
            )}
          </span>
        )}
      </div>
    </li>
  )
}
