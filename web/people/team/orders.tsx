import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useShortcuts } from '../../frame/use-shortcuts.ts'
import { usePages } from '../../parts/lists/pages.tsx'
import { useKept } from '../../parts/lists/state.ts'
import { CancelDialog } from '../../parts/overlay/cancel-dialog.tsx'
import { Menu, type MenuItem } from '../../parts/overlay/menu.tsx'
import { AssignDialog, HandOverDialog } from '../../parts/overlay/passing-on/dialogs.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Button } from '../../parts/show/button.tsx'
import { OrderMarks } from '../../parts/show/due/marks.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Moment } from '../../parts/show/moment.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { present } from '../../platform/ago.ts'
import { formatNumber, isolated, nameOf } from '../../platform/language.ts'
import { at, go } from '../../platform/router.ts'
import {
  acting,
  actsFor,
  assign,
  cancel,
  forWhom,
  handOver,
  isParty,
  kindOf,
  type Order,
  release,
  serviceOf,
  statusName,
} from '../orders/data.ts'
import { cardOf, focusedCard, inTurn, keepPlace } from '../receiving/data.ts'
import { type Filter, ordersOf, readAgain } from './data.ts'
import { intoParts, type PartName, parts, type Row } from './parts.ts'
import { t } from './texts.ts'

type Question = { ask: 'assign' | 'handOver' | 'cancel'; order: Order }
interface Acts {
  ask: (question: Question) => void
  /** Reads the lists again after an act, and keeps the focus among the cards. Returns the act. */
  settle: (order: Order, act: Promise<unknown>) => Promise<unknown>
}

const personOf = ({ requester }: Order) => (requester ? nameOf(requester) : t.someone)

function itemsOf({ order, details, ask, settle }: Row & Acts): MenuItem[] {
  const { handsOver, cancels, releases } = actsFor(order, details)
  return [
    { text: t.details, icon: 'eye', run: () => go(`/orders/${order.id}`) },
    ...(releases ? [{ text: t.release, icon: 'undo-2', run: () => settle(order, release(order)) } as const] : []),
    ...(handsOver ? [{ text: t.handOver, icon: 'arrow-right', run: () => ask({ ask: 'handOver', order }) } as const] : []),
    ...(cancels
      ? [
          {
            text: t.cancel,
            icon: 'circle-x',
            apart: true,
            run: () => (isParty(order, details.beneficiary) ? settle(order, cancel(order)) : ask({ ask: 'cancel', order })),
          } as const,
        ]
      : []),
  ]
}

function Card(props: Row & Acts) {
  const { order, details, ask } = props
  const [service, person] = [serviceOf(order), personOf(order)]
  return (
    <li class="card team-card" data-order={order.id} aria-busy={acting.value.has(order.id) || undefined}>
      <div class="team-top">
        <a class="team-name" href={at(`/orders/${order.id}`)}>
          <bdi>{service}</bdi>
        </a>
        <span class="quiet small">
          <Moment at={order.createdAt} />
        </span>
      </div>
      <OrderMarks order={order} details={details} class="team-top small" />
      {order.notes && (
        <p class="team-notes" dir="auto">
          {order.notes}
        </p>
      )}
      {order.assignee && (
        <p class="team-top small">
          <span class="chip" data-kind={kindOf(order.status)}>
            {statusName(order.status)}
          </span>
          <span>{t.with(isolated(nameOf(order.assignee)))}</span>
        </p>
      )}
      <div class="team-end">
        <span class="team-person quiet small">
          {order.requester && <Avatar person={order.requester} size={24} />}
          <bdi>{person}</bdi> {forWhom(order, details)}
        </span>
        <Menu label={t.more(service)} face={<Icon name="ellipsis" />} items={itemsOf(props)} />
        {actsFor(order, details).assigns && (
          <Button aria-label={t.assignOf(service, person)} onClick={() => ask({ ask: 'assign', order })}>
            {t.assign}
          </Button>
        )}
      </div>
    </li>
  )
}

function usePart(teamId: number, filter: Filter) {
  return usePages({ of: ordersOf(teamId, filter), rows: ({ items }) => items, id: ({ order }) => order.id })
}

interface PartProps extends Acts {
  name: PartName
  rows: Row[]
  /** A button for each list that has more. */
  more: ComponentChildren[]
}

function Part({ name, rows, more, ...acts }: PartProps) {
  const isEmpty = rows.length === 0 && !more.some(Boolean)
  const isOpen = useKept(`open ${name}`, false)
  if (isEmpty && name !== 'unclaimed') return null
  const cards = (
    <ul class="team-list">
      {rows.map((row) => (
        <Card key={row.order.id} {...row} {...acts} />
      ))}
    </ul>
  )
  if (name === 'later')
    return (
      <details class="team-part" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>
          {t.parts.later} <span class="chip numbers">{formatNumber(rows.length)}</span>
        </summary>
        {isOpen.value && cards}
        {isOpen.value && more}
      </details>
    )
  return (
    <section class="team-part" aria-labelledby={`team-${name}`}>
      <h2 id={`team-${name}`}>{t.parts[name]}</h2>
      {isEmpty && <p class="quiet">{t.noneUnclaimed}</p>}
      {cards}
      {more}
    </section>
  )
}

/** The open orders of a team, each in one part. */
export function Orders({ teamId }: { teamId: number }) {
  const question = useSignal<Question | undefined>(undefined)
  const lists = {
    late: [usePart(teamId, { state: 'late' })],
    unclaimed: [usePart(teamId, { status: 'pending' })],
    waiting: [usePart(teamId, { state: 'waiting' })],
    work: [usePart(teamId, { status: 'received' }), usePart(teamId, { status: 'preparing' })],
    later: [usePart(teamId, { state: 'later' })],
  }
  const all = Object.values(lists).flat()
  const found = intoParts(
    all.flatMap(({ rows }) => rows),
    present(),
  )
  const drawn = parts.map((name) => ({ name, rows: inTurn(found.get(name) ?? []), more: lists[name].map(({ more }) => more) }))
  const shown = useRef<typeof drawn>([])
  shown.current = drawn
  const ask = (now: Question) => {
    question.value = now
  }
  const close = () => {
    question.value = undefined
  }
  const askByKey = (what: 'assign' | 'handOver') => () => {
    const id = Number(focusedCard()?.dataset['order'])
    const rows = shown.current.flatMap(({ rows }) => rows)
    // A key must not act on an order that is folded away.
    const [first] = shown.current.flatMap(({ name, rows }) => (name === 'later' ? [] : rows))
    const row = rows.find(({ order }) => order.id === id) ?? first
    if (row && actsFor(row.order, row.details)[what === 'assign' ? 'assigns' : 'handsOver']) ask({ ask: what, order: row.order })
  }
  useShortcuts([
    { codes: ['KeyR'], text: () => t.keys.assign, run: askByKey('assign') },
    { codes: ['KeyT'], text: () => t.keys.handOver, run: askByKey('handOver') },
  ])
  /** Resolves when the lists have been read again: only then does an order leave its part. */
  const reread = () => {
    readAgain()
    return Promise.all(all.map(({ first }) => first.refresh()))
  }
  const settle = (order: Order, act: Promise<unknown>) => {
    keepPlace(cardOf(order), act.then(reread))
    return act
  }
  const missing = all.find(({ first }) => !first.data)
  if (missing) return <Loaded of={missing.first}>{() => null}</Loaded>
  const asked = question.value
  return (
    <>
      {drawn.map((part) => (
        <Part key={part.name} {...part} ask={ask} settle={settle} />
      ))}
      {asked?.ask === 'cancel' && (
        <CancelDialog
          service={serviceOf(asked.order)}
          close={close}
          cancel={(reason) => settle(asked.order, cancel(asked.order, reason))}
        />
      )}
      {asked?.ask === 'assign' && (
        <AssignDialog
          service={serviceOf(asked.order)}
          orderId={asked.order.id}
          close={close}
          choose={(person) => settle(asked.order, assign(asked.order, person))}
        />
      )}
      {asked?.ask === 'handOver' && (
        <HandOverDialog
          service={serviceOf(asked.order)}
          close={close}
          choose={(team) => settle(asked.order, handOver(asked.order, team))}
        />
      )}
    </>
  )
}
