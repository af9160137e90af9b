import { useSignal } from '@preact/signals'
import {
  acting,
  assign,
  cancel,
  findTeams,
  forWhom,
  handOver,
  isParty,
  kindOf,
  type ListedDetails,
  type Order,
  release,
  serviceOf,
  statusName,
} from '../orders/data.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { CancelDialog } from '../parts/cancel-dialog.tsx'
import { ChooseDialog } from '../parts/choose-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { Moment } from '../parts/moment.tsx'
import { usePages } from '../parts/pages.tsx'
import { Loaded } from '../parts/skeleton.tsx'
import { isolated, named, nameOf } from '../platform/language.ts'
import { at, go } from '../platform/router.ts'
import { findReceivers } from '../receiving/data.ts'
import { ordersOf, readAgain } from './data.ts'
import { t } from './texts.ts'

type Question = { ask: 'assign' | 'handOver' | 'cancel'; order: Order }
type Ask = (question: Question) => void

const personOf = ({ requester }: Order) => (requester ? nameOf(requester) : t.someone)

/** Does something with an order, and reads the lists again. */
const then = (act: Promise<unknown>) => act.then(readAgain)

function itemsOf(order: Order, details: ListedDetails, ask: Ask): MenuItem[] {
  return [
    { text: t.details, icon: 'eye', run: () => go(`/orders/${order.id}`) },
    ...(order.status === 'pending' ? [] : [{ text: t.release, icon: 'undo-2', run: () => then(release(order)) } as const]),
    { text: t.handOver, icon: 'arrow-right', run: () => ask({ ask: 'handOver', order }) },
    ...(order.next.includes('cancelled')
      ? [
          {
            text: t.cancel,
            icon: 'circle-x',
            apart: true,
            run: () => (isParty(order, details.beneficiary) ? then(cancel(order)) : ask({ ask: 'cancel', order })),
          } as const,
        ]
      : []),
  ]
}

function Card({ order, details, ask }: { order: Order; details: ListedDetails; ask: Ask }) {
  const [service, person] = [serviceOf(order), personOf(order)]
  return (
    <li class="card team-card" aria-busy={acting.value.has(order.id) || undefined}>
      <div class="team-top">
        <a class="team-name" href={at(`/orders/${order.id}`)}>
          <bdi>{service}</bdi>
        </a>
        <span class="quiet small">
          <Moment at={order.createdAt} />
        </span>
      </div>
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
        <Menu label={t.more(service)} face={<Icon name="ellipsis" />} items={itemsOf(order, details, ask)} />
        <Button aria-label={t.assignOf(service, person)} onClick={() => ask({ ask: 'assign', order })}>
          {t.assign}
        </Button>
      </div>
    </li>
  )
}

function usePart(teamId: number, status: 'pending' | 'received' | 'preparing') {
  return usePages({ of: ordersOf(teamId, status), rows: ({ items }) => items, id: ({ order }) => order.id })
}

function Part({ name, title, none, lists, ask }: PartProps) {
  const rows = lists.flatMap((list) => list.rows)
  return (
    <section class="team-part" aria-labelledby={`team-${name}`}>
      <h2 id={`team-${name}`}>{title}</h2>
      {lists.map((list, n) => (
        <Loaded key={n} of={list.first}>
          {() => null}
        </Loaded>
      ))}
      {rows.length === 0 && lists.every(({ first }) => first.data) && <p class="quiet">{none}</p>}
      <ul class="team-list">
        {rows.map(({ order, details }) => (
          <Card key={order.id} order={order} details={details} ask={ask} />
        ))}
      </ul>
      {lists.map((list) => list.more)}
    </section>
  )
}

interface PartProps {
  name: string
  title: string
  none: string
  lists: ReturnType<typeof usePart>[]
  ask: Ask
}

/** The open orders of a team: those that wait, and those in work. */
export function Orders({ teamId }: { teamId: number }) {
  const question = useSignal<Question | undefined>(undefined)
  const [pending, received, preparing] = [usePart(teamId, 'pending'), usePart(teamId, 'received'), usePart(teamId, 'preparing')]
  const ask = (now: Question) => {
    question.value = now
  }
  const close = () => {
    question.value = undefined
  }
  const asked = question.value
  return (
    <>
      <Part name="unclaimed" title={t.unclaimed} none={t.noneUnclaimed} lists={[pending]} ask={ask} />
      <Part name="work" title={t.inWork} none={t.noneInWork} lists={[received, preparing]} ask={ask} />
      {asked?.ask === 'cancel' && (
        <CancelDialog service={serviceOf(asked.order)} close={close} cancel={(reason) => then(cancel(asked.order, reason))} />
      )}
      {asked?.ask === 'assign' && (
        <ChooseDialog
          title={t.assignTitle(serviceOf(asked.order))}
          hint={t.assignHint}
          label={t.assignTo}
          close={close}
          find={(typed) => findReceivers(typed, asked.order.id)}
          choose={(person) => then(assign(asked.order, person))}
        >
          {(person) => (
            <>
              <Avatar person={person} size={28} />
              <span class="person">
                <bdi>{nameOf(person)}</bdi>
                <bdi class="quiet small">{person.username}</bdi>
              </span>
            </>
          )}
        </ChooseDialog>
      )}
      {asked?.ask === 'handOver' && (
        <ChooseDialog
          title={t.handOverTitle(serviceOf(asked.order))}
          hint={t.handOverHint}
          label={t.team}
          close={close}
          find={findTeams}
          choose={(team) => then(handOver(asked.order, team))}
        >
          {(team) => <bdi>{named(team)}</bdi>}
        </ChooseDialog>
      )}
    </>
  )
}
