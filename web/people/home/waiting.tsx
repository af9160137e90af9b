import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { approvalCount, isApproved } from '../../parts/show/approval/own.ts'
import { Icon, type IconName } from '../../parts/show/icon.tsx'
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { named, nameOf } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { isExecutive, isReceiver, me, toApprove } from '../../platform/session.ts'
import { t } from './texts.ts'

interface Wait {
  key: string
  icon: IconName
  href: string
  text: string
  detail: string | undefined
}

const orders = resource('/orders/my')
const received = resource('/notes/received')
/** The waiting orders of the person, including those that somebody else placed for them. */
const asked = resource('/orders/details', { query: { state: 'waiting' } })
const running = ['pending', 'received', 'preparing']

/** A line about some orders, with the name of the first order's service; no line if there are no orders. */
const lineOf = (key: string, icon: IconName, path: string, some: Schemas['ServiceOrder'][], text: string): Wait[] =>
  some[0] ? [{ key, icon, href: at(path), text, detail: named(some[0].service) }] : []

function approvalsWait(): Wait[] {
  const count = approvalCount()
  if (!count) return []
  // The person may have approved all orders of the first page.
  const first = toApprove.data?.items.find((row) => !isApproved(row))
  const detail = first && named(first.order.service)
  return [{ key: 'approvals', icon: 'circle-check', href: at('/approvals'), text: t.approvals(count), detail }]
}

const answersWait = () =>
  (asked.data?.items ?? []).flatMap(({ order, details }) =>
    details.waiting?.for === 'requester' ? lineOf(`answer ${order.id}`, 'clipboard-list', `/orders/${order.id}`, [order], t.answer) : [],
  )

function ordersWait() {
  const mine = orders.data?.filter(({ status }) => running.includes(status)) ?? []
  return lineOf('orders', 'clipboard-list', '/orders', mine, t.orders(mine.length))
}

function incomingWait() {
  const all = resource('/orders/incoming').data ?? []
  const open = all.filter(({ status }) => status === 'pending')
  const mine = all.filter(({ status, assignedTo }) => running.includes(status) && assignedTo === me.value?.id)
  return [
    ...lineOf('incoming', 'inbox', '/incoming', open, t.incoming(open.length)),
    ...lineOf('mine', 'inbox', '/incoming', mine, t.mine(mine.length)),
  ]
}

function notesWait(): Wait[] {
  const unread = received.data?.filter(({ status }) => status === 'unread') ?? []
  const first = unread[0]
  return first
    ? [
        {
          key: 'notes',
          icon: 'sticky-note',
          href: at('/notes/received'),
          text: t.notes(unread.length),
          detail: t.from(nameOf(first.sender)),
        },
      ]
    : []
}

/** The module that shows the executive's day; null if it failed to load. */
const day = signal<typeof import('./today.tsx') | null | undefined>(undefined)
const loadDay = () =>
  import('./today.tsx').then(
    (loaded) => {
      day.value = loaded
    },
    () => {
      day.value = null
    },
  )

const isSettled = ({ data, error }: { data: unknown; error: unknown }) => data !== undefined || error !== undefined
/** Whether everything above the tiles is loaded. Content that came later would push the tiles down. */
export const isWaitingKnown = () =>
  [orders, received, toApprove, asked, ...(isReceiver.value ? [resource('/orders/incoming')] : [])].every(isSettled) &&
  (!isExecutive.value || day.value === null || !!day.value?.isKnown())

/** Today's meetings, for people who may see them. */
export function Day() {
  const isMine = isExecutive.value
  useEffect(() => void (isMine && !day.peek() && loadDay()), [isMine])
  const Today = isMine && day.value?.Today
  return Today ? <Today /> : null
}

/** Everything that waits for the person, as soon as it is loaded. */
export function Waiting() {
  const waits = [...approvalsWait(), ...answersWait(), ...(isReceiver.value ? incomingWait() : []), ...ordersWait(), ...notesWait()]
  const isKnown = orders.data && received.data
  if (!waits.length) return <p class="home-calm quiet">{isKnown && t.nothingWaits}</p>
  return (
    <section class="home-waiting" aria-label={t.waiting}>
      {waits.map(({ key, icon, href, text, detail }) => (
        <a key={key} href={href} class="home-wait">
          <Icon name={icon} size={22} />
          <span>
            {text}
            <bdi class="quiet small">{detail}</bdi>
          </span>
          <Icon name="chevron-right" size={18} />
        </a>
      ))}
    </section>
  )
}
