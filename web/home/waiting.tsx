import { settings } from '../frame/site.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { resource } from '../platform/cache.ts'
import { minute, timeOfDay } from '../platform/dates.ts'
import { inLanguage, named, nameOf, withDigits } from '../platform/language.ts'
import { at } from '../platform/router.ts'
import { isExecutive, isReceiver, me } from '../platform/session.ts'
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
const running = ['pending', 'received', 'preparing']

/** The office's day as `YYYY-MM-DD`: that of its meetings. */
const officeDay = () => new Intl.DateTimeFormat('en-CA', { timeZone: settings.data?.timeZone ?? 'UTC' }).format(minute.value)
const officeTime = () =>
  new Intl.DateTimeFormat('en-GB', { timeZone: settings.data?.timeZone ?? 'UTC', hour: '2-digit', minute: '2-digit' }).format(minute.value)

function ordersWait(): Wait[] {
  const mine = orders.data?.filter(({ status }) => running.includes(status)) ?? []
  const first = mine[0]
  return first
    ? [{ key: 'orders', icon: 'clipboard-list', href: at('/orders'), text: t.orders(mine.length), detail: named(first.service) }]
    : []
}

function incomingWait(): Wait[] {
  const all = resource('/orders/incoming').data ?? []
  const open = all.filter(({ status }) => status === 'pending')
  const mine = all.filter(({ status, assignedTo }) => running.includes(status) && assignedTo === me.value?.id)
  const wait = (key: string, some: typeof all, text: string): Wait[] =>
    some[0] ? [{ key, icon: 'inbox', href: at('/incoming'), text, detail: named(some[0].service) }] : []
  return [...wait('incoming', open, t.incoming(open.length)), ...wait('mine', mine, t.mine(mine.length))]
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

function meetingsWait(): Wait[] {
  const date = officeDay()
  const all = resource('/executive-meetings', { query: { date } }).data?.filter(({ status }) => status === 'scheduled') ?? []
  const now = officeTime()
  const next = all.find(({ startTime, endTime }) => (endTime ?? startTime ?? '') >= now) ?? all[0]
  if (!next) return []
  const time = next.startTime && withDigits(me.value?.clockHour12 ? timeOfDay(`${date}T${next.startTime}`, true) : next.startTime)
  const detail = [time, inLanguage(next.titleAr, next.titleEn)].filter(Boolean).join(' ')
  return [{ key: 'meetings', icon: 'calendar', href: at(`/meetings/${date}`), text: t.meetings(all.length), detail }]
}

const isSettled = ({ data, error }: { data: unknown; error: unknown }) => data !== undefined || error !== undefined
/** Whether what waits stands there: what comes later would push away what is beneath it. */
export const isWaitingKnown = () => [orders, received, ...(isReceiver.value ? [resource('/orders/incoming')] : [])].every(isSettled)

/** What waits for the person: nothing is said of it before it is known. */
export function Waiting() {
  const waits = [...(isReceiver.value ? incomingWait() : []), ...(isExecutive.value ? meetingsWait() : []), ...ordersWait(), ...notesWait()]
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
