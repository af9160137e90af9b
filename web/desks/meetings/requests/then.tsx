import { Icon } from '../../../parts/show/icon.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { isolated, listed } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'
import { clashesOf, clashText } from '../shared/clashes.ts'
import { meetingsOf, titleOf } from '../shared/day.ts'
import { dayName } from '../shared/days.ts'
import { durationOf } from '../shared/durations.ts'
import { clock, officeDay } from '../shared/office.ts'
import { Strip } from '../shared/strip.tsx'
import { movesTheDay, notifiedBy, roomBefore, type Side } from './proposal.ts'
import { t } from './texts.ts'

interface ThenProps {
  /** The meeting that the request is about; undefined for a new one. */
  id: number | undefined
  before: Side | undefined
  after: Side
}

/** The other meetings of the day that the meeting would be on. */
const othersOf = (id: number | undefined, date: string) => meetingsOf(date).data?.filter((one) => one.id !== id)
const plannedOf = ({ id, after }: ThenProps) => ({ ...after, id })

/** The day as an approval would make it: a strip on a wide screen, a list on a narrow one. */
export function DayThen(props: ThenProps) {
  const { id, before, after } = props
  const others = othersOf(id, after.date)
  if (!others || !movesTheDay(before, after)) return null
  const clashing = new Set(clashesOf(plannedOf(props), others).map(({ other }) => other.id))
  const isOn = after.status === 'scheduled'
  const label = t.dayThen(dayName(after.date))
  const rows = [
    ...others.filter(({ status }) => status === 'scheduled').map((one) => ({ ...one, isOwn: false })),
    ...(isOn ? [{ ...after, id: 0, isOwn: true }] : []),
  ].toSorted((one, other) => (one.startTime ?? '99').localeCompare(other.startTime ?? '99'))
  return (
    <section class="requests-then">
      <h2>{label}</h2>
      {isWide.value ? (
        <Strip label={label} day={others} {...(isOn && { own: { ...after, title: titleOf(after) } })} />
      ) : (
        <ol class="card">
          {rows.map((one) => (
            <li key={one.id} data-own={one.isOwn || undefined} data-clash={clashing.has(one.id) || undefined}>
              <span class="numbers">{one.startTime ? clock(one.startTime) : t.noTime}</span>
              <bdi>{titleOf(one)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** The clashes on the day; if there are none, the free time before the meeting. */
function Clashes(props: ThenProps) {
  const { id, before, after } = props
  const others = othersOf(id, after.date)
  if (!others || after.status !== 'scheduled' || !movesTheDay(before, after)) return null
  const isPast = after.date < officeDay()
  const clashes = clashesOf(plannedOf(props), others)
  const room = roomBefore(after, others)
  const led = room && (room.minutes > 0 ? t.room(durationOf(room.minutes)) : t.right(isolated(titleOf(room.other))))
  return (
    <>
      {isPast && (
        <li data-kind="warn">
          <Icon name="triangle-alert" size={18} />
          <span>{t.past}</span>
        </li>
      )}
      {clashes.map((clash) => (
        <li key={clash.other.id} data-kind={clash.common.length ? 'warn' : undefined}>
          <Icon name={clash.common.length ? 'triangle-alert' : 'info'} size={18} />
          <span>{clashText(clash)}</span>
        </li>
      ))}
      {clashes.length === 0 && (
        <li>
          <Icon name={after.startTime ? 'circle-check' : 'info'} size={18} />
          <span>{after.startTime ? `${t.clear}${led ?? t.first}.` : t.timeless}</span>
        </li>
      )}
    </>
  )
}

/** The most colleagues that the sentence names. */
const NAMED = 5

/** The effects of an approval: the clashes, and who is notified. */
export function Follows(props: ThenProps) {
  const { before, after } = props
  const { colleagues, outside } = notifiedBy(before, after, me.value?.id)
  const names = (some: readonly { name: string }[]) => listed(some.slice(0, NAMED).map(({ name }) => isolated(name)))
  return (
    <ul class="requests-follows" aria-live="polite">
      <Clashes {...props} />
      <li>
        <Icon name="bell" size={18} />
        <span>
          {t.notified(colleagues.length, colleagues.length > NAMED ? '' : names(colleagues))}{' '}
          {outside.length > 0 && t.outside(listed(outside.map(({ name }) => isolated(name))))}
        </span>
      </li>
    </ul>
  )
}
