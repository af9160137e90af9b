import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { useWayBack } from '../../frame/way-back.ts'
import { FoldedAnswers } from '../../parts/forms/answers/view.tsx'
import { heldState, waitingInWords } from '../../parts/show/approval/words.ts'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Completed, OrderDue, Wanted } from '../../parts/show/due/due.tsx'
import { dueOf } from '../../parts/show/due/due-of.ts'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Moment } from '../../parts/show/moment.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { isWide } from '../../parts/show/wide.ts'
import { present } from '../../platform/ago.ts'
import { formatNumber, inLanguage, isolated, nameOf } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at, go } from '../../platform/router.ts'
import { isAdmin, isReceiver, me } from '../../platform/session.ts'
import { useReadAbout } from '../notifications/data.ts'
import { CancelOrUndo } from './cancel-or-undo.tsx'
import { OrderSteps } from './card.tsx'
import {
  acting,
  actsFor,
  beneficiaryOf,
  claim,
  complete,
  detailsAt,
  incoming,
  isOpen,
  isParty,
  kindOf,
  myOrders,
  type Order,
  type OrderDetails,
  orderAt,
  prepare,
  release,
  serviceOf,
  statusName,
} from './data.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { t } from './texts.ts'

const Approving = lazily(async () => (await import('./approval.tsx')).Approving)
const PassingOn = lazily(async () => (await import('./talk.tsx')).PassingOn)
const ReopenButton = lazily(async () => (await import('./talk.tsx')).ReopenButton)
const Talk = lazily(async () => (await import('./talk.tsx')).Talk)

/** The next action on an order, for its receiver or someone who may claim it. */
function Onward({ order, details }: { order: Order; details: OrderDetails | undefined }) {
  const [text, run] =
    order.status === 'pending' && order.next.includes('received')
      ? [t.claim, claim]
      : order.next.includes('preparing')
        ? [t.prepare, prepare]
        : order.next.includes('completed')
          ? [t.complete, complete]
          : []
  return (
    <>
      {run && (
        <Button kind="main" isBusy={acting.value.has(order.id)} onClick={() => run(order)}>
          {text}
        </Button>
      )}
      {actsFor(order, details).releases && <Button onClick={() => release(order)}>{t.release}</Button>}
    </>
  )
}

/** The approvers or the team of an order, when it is due, and for when it is wanted; of a completed order, when it was completed. */
function Standing({ order, details }: { order: Order; details: OrderDetails }) {
  const { teamNameAr, teamNameEn, times, wantedAt, progress, approval, beneficiary } = details
  const isHeld = progress === 'held' && approval !== null
  const team = isOpen(order) && !isHeld ? inLanguage(teamNameAr, teamNameEn) : ''
  const wanted = isOpen(order) && wantedAt
  const completed = order.status === 'completed' && times.completedAt
  if (!team && !isHeld && !wanted && !completed && !dueOf(order, times, present())) return null
  return (
    <p class="small orders-facts">
      {isHeld && <span>{waitingInWords(approval)}</span>}
      {team && <span>{t.withTeam(isolated(team))}</span>}
      <OrderDue order={order} times={times} isParty={isParty(order, beneficiary)} />
      {wanted && <Wanted at={wanted} dueAt={times.completeBy} />}
      {completed && <Completed at={completed} />}
    </p>
  )
}

function Details({ order }: { order: Order }) {
  const service = serviceOf(order)
  useTitle(service)
  useReadAbout('order', order.id)
  const isAsking = useSignal(false)
  const details = detailsAt(order.id).data
  const isMine = order.userId === me.value?.id
  const isOwn = isParty(order, details?.beneficiary)
  const isOfTeam = isReceiver.value || !!details?.may.includes('note')
  const isToApprove = details?.approval && (details.may.includes('approve') || !isOfTeam)
  const [list, listName] = isOwn
    ? (['/orders', t.allOrders] as const)
    : isToApprove
      ? (['/approvals', t.approvals] as const)
      : isReceiver.value
        ? (['/incoming', t.board] as const)
        : (['/team', t.team] as const)
  useWayBack(list, listName)
  const mayReopen = !!details?.may.includes('reopen')
  // True once the person could reopen the order or pass it on, so that an open dialog keeps its typed text when they no longer can.
  const [couldReopen, couldPassOn] = [useRef(false), useRef(false)]
  couldReopen.current ||= mayReopen
  couldPassOn.current ||= !!details?.may.some((act) => act === 'assign' || act === 'transfer')
  const held = heldState(order, details?.approval)
  const beneficiary = beneficiaryOf(order, details)
  return (
    <article class="orders-one">
      {isWide.value && (
        <a class="orders-back quiet" href={at(list)}>
          <Icon name="arrow-left" size={18} />
          {listName}
        </a>
      )}
      <div class="section-head">
        <div>
          <div class="orders-title">
            <h1>
              <bdi>{service}</bdi>
            </h1>
            <span class="chip" data-kind={held ? held.kind : kindOf(order.status)}>
              {held?.text ?? statusName(order.status)}
            </span>
          </div>
          <p class="quiet small orders-facts">
            <span>{t.number(formatNumber(order.id, { useGrouping: false }))}</span>
            <Moment at={order.createdAt} />
          </p>
        </div>
      </div>
      <div class="orders-side">
        <div class="card orders-details">
          {!held && <OrderSteps order={order} />}
          {details && <Standing order={order} details={details} />}
          {details?.cancelReason && details.approval?.state !== 'denied' && (
            <p class="orders-text">{t.because(isolated(details.cancelReason))}</p>
          )}
          <dl class="orders-list">
            {order.requester && !isMine && (
              <div>
                <dt>{t.by}</dt>
                <dd>
                  <Avatar person={order.requester} size={28} /> <bdi>{nameOf(order.requester)}</bdi>
                </dd>
              </div>
            )}
            {beneficiary && (
              <div>
                <dt>{t.forWhom}</dt>
                <dd>
                  <Avatar person={beneficiary} size={28} /> <bdi>{nameOf(beneficiary)}</bdi>
                </dd>
              </div>
            )}
            {order.assignee && (
              <div>
                <dt>{t.handler}</dt>
                <dd>
                  <Avatar person={order.assignee} size={28} /> <bdi>{nameOf(order.assignee)}</bdi>
                </dd>
              </div>
            )}
            {order.notes && (
              <div>
                <dt>{t.notes}</dt>
                <dd class="orders-text" dir="auto">
                  {order.notes}
                </dd>
              </div>
            )}
          </dl>
          {details?.formVersion && <FoldedAnswers orderId={order.id} isUnfolded={isWide.peek()} />}
          <div class="orders-acts">
            <Onward order={order} details={details} />
            {couldPassOn.current && details && <PassingOn order={order} details={details} />}
            <CancelOrUndo order={order} details={details} />
            {couldReopen.current && <ReopenButton orderId={order.id} isOffered={mayReopen} />}
            {isMine && (
              <Button icon="refresh-cw" onClick={() => go(`/services?order=${order.serviceId}&again=${order.id}`)}>
                {t.again}
              </Button>
            )}
            {((isMine && !isOpen(order)) || isAdmin.value) && (
              <Button kind="danger" icon="trash-2" onClick={() => (isAsking.value = true)}>
                {t.remove}
              </Button>
            )}
          </div>
        </div>
        {details?.approval && <Approving order={order} details={details} />}
      </div>
      {details && <Talk order={order} details={details} />}
      {isAsking.value && (
        <RemoveDialog order={order} close={() => (isAsking.value = false)} after={(goOn) => goOn(list, { replace: true })} />
      )}
    </article>
  )
}

/** Shown for old notifications whose order is gone, or is another team’s. */
function Gone() {
  useTitle(t.goneTitle)
  return (
    <Empty
      icon="clipboard-list"
      isPage
      title={t.goneTitle}
      act={
        <a class="button" data-kind="main" href={at('/orders')}>
          {t.allOrders}
        </a>
      }
    >
      {t.goneHint}
    </Empty>
  )
}

/** One order, for its requester, receivers and administrators. */
export function OneOrder({ id }: { id: number }) {
  const order = orderAt(id)
  if (order.error instanceof Refusal && order.error.status === 404) return <Gone />
  // Show the copy of a loaded list until the order arrives.
  const listed = [myOrders, incoming].flatMap((list) => list.peek() ?? []).find((one) => one.id === id)
  const shape = listed ? <Details order={listed} /> : <Skeleton count={2} height={12} />
  return (
    <Loaded of={order} shape={shape}>
      {(known) => <Details order={known} />}
    </Loaded>
  )
}
