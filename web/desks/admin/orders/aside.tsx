import { addressWith } from '../../../parts/lists/filters/address.ts'
import { Beside } from '../../../parts/overlay/beside.tsx'
import { ApprovalSteps } from '../../../parts/show/approval/steps.tsx'
import { heldState } from '../../../parts/show/approval/words.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { detailsAt, forWhom, kindOf, type Order, orderAt, serviceOf, statusName } from '../../../people/orders/data.ts'
import { exactly } from '../../../platform/dates.ts'
import { formatNumber, isolated, nameOf } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at, go } from '../../../platform/router.ts'
import { actsOn } from './acts.ts'
import type { Question } from './data.ts'
import { t } from './texts.ts'

/** The known part of an order's history: when it was placed, and its current state. */
function livedOf({ requester, assignee, status, createdAt, updatedAt }: Order) {
  const name = (person: Order['assignee']) => (person ? isolated(nameOf(person)) : '')
  const now = t.lived[status]
  return [
    { at: createdAt, text: t.lived.placed(name(requester) || t.someone) },
    { at: updatedAt, text: typeof now === 'string' ? now : now(name(assignee)) },
  ]
}

function Life({ order, ask }: { order: Order; ask: (question: Question) => void }) {
  const details = detailsAt(order.id).data
  const held = heldState(order, details?.approval)
  return (
    <div class="all-orders-one">
      <p class="all-orders-state">
        <span class="chip" data-kind={held ? held.kind : kindOf(order.status)}>
          {held?.text ?? statusName(order.status)}
        </span>
        <span class="quiet small">{t.number(formatNumber(order.id, { useGrouping: false }))}</span>
        <span class="small">{forWhom(order, details)}</span>
      </p>
      <section>
        <h3>{t.note}</h3>
        <p class={order.notes ? 'all-orders-note' : 'quiet'} dir={order.notes ? 'auto' : undefined}>
          {order.notes ?? t.noNote}
        </p>
      </section>
      <section>
        <h3>{t.life}</h3>
        <ol class="all-orders-life">
          {livedOf(order).map(({ at, text }, index) => (
            <li key={index}>
              <span>{text}</span>
              <time class="quiet small" dateTime={at}>
                {exactly(at)}
              </time>
            </li>
          ))}
        </ol>
      </section>
      {details?.approval && <ApprovalSteps details={details} />}
      {details?.may.includes('approve') && (
        <a class="link" href={at(`/orders/${order.id}`)}>
          {t.decide}
        </a>
      )}
      <div class="all-orders-acts">
        {actsOn(order, ask).map(({ text, icon, run, apart }) => (
          <Button key={text} icon={icon} kind={apart ? 'danger' : undefined} onClick={run}>
            {text}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** One order, beside the list. */
export function Aside({ id, ask }: { id: number; ask: (question: Question) => void }) {
  const order = orderAt(id)
  const close = () => {
    go(addressWith({ open: '' }), { replace: true })
    document.querySelector<HTMLElement>(`a[href$="open=${id}"]`)?.focus()
  }
  const { data, error } = order
  const isGone = error instanceof Refusal && error.status === 404
  return (
    <Beside title={isGone ? t.goneTitle : data ? serviceOf(data) : t.title} close={close}>
      {isGone ? (
        <p class="quiet">{t.goneHint}</p>
      ) : data ? (
        <Life order={data} ask={ask} />
      ) : error ? (
        <Failed title={t.failed} failure={error} retry={() => order.refresh()} />
      ) : (
        <Skeleton count={3} />
      )}
    </Beside>
  )
}
