import './style.css'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { dayOf, isDay, plus } from '../../../parts/forms/calendar/days.ts'
import { addressWith } from '../../../parts/lists/filters/address.ts'
import { id } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { Beside } from '../../../parts/overlay/beside.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { Faces, usePresence } from '../../../parts/show/presence/presence.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { onPortalClock } from '../../../platform/ago.ts'
import { hijriDay, timeOfDay } from '../../../platform/dates.ts'
import { draft } from '../../../platform/drafts.ts'
import { learned } from '../../../platform/hints.ts'
import { isolated, withDigits } from '../../../platform/language.ts'
import { isLeaving } from '../../../platform/removals.ts'
import { at, go, setQuery } from '../../../platform/router.ts'
import { type Meeting, meetingOf, meetingsOf, titleOf } from '../shared/day.ts'
import { dayInAddress, fullDay } from '../shared/days.ts'
import { durationOf } from '../shared/durations.ts'
import type { Values } from '../shared/editor/values.ts'
import { now, officeDay, officeTime, otherZone } from '../shared/office.ts'
import { minutesOf } from '../shared/slots.ts'
import { standing } from '../shared/standing.ts'
import { Aside } from './aside.tsx'
import type { Question } from './card.tsx'
import { useHands } from './hands.ts'
import { Moving } from './moving.tsx'
import { NothingHere } from './nothing-here.tsx'
import { stateAt } from './rows.ts'
import { RunningOrder } from './running-order.tsx'
import { t } from './texts.ts'

const Editor = lazily(() => import('../shared/editor/editor.tsx').then((part) => part.Editor))
const NewLine = lazily(() => import('./line/new-line.tsx').then((part) => part.NewLine))

/** The day of an address, in either calendar; by default the office’s day. Undefined if the day does not exist. */
function dayIn({ date, hijri }: Record<string, string>) {
  if (!hijri) return date ? (isDay(date) ? date : undefined) : officeDay()
  const [day, month, year] = hijri.split('-').map(Number) as [number, number, number]
  return dayOf({ year, month, day }, 'islamic-umalqura')
}

function put<T>(signal: Signal<T>, value: T) {
  signal.value = value
}

/** Focuses the first meeting of the day, or the button that adds one, unless something has the focus already. */
function focusList() {
  if (document.activeElement !== document.body) return
  const target = document.querySelector<HTMLElement>('.day-run h2 a') ?? document.querySelector<HTMLElement>('.day-add')
  target?.focus({ preventScroll: true })
}

/** The running order of a day. */
export default function DayPage({ params }: PageProps) {
  const date = dayIn(params)
  const { hijri } = params
  useEffect(() => {
    if (hijri && date) go(`/meetings/${date}`, { replace: true })
  }, [hijri, date])
  return date === undefined ? <NotADay /> : <Day date={date} />
}

function NotADay() {
  useTitle(t.notADay)
  return (
    <Empty
      icon="search"
      title={t.notADay}
      isPage
      act={
        <a class="button" data-kind="main" href={at('/meetings')}>
          {t.toToday}
        </a>
      }
    />
  )
}

/** Keys and swipes that lead to other days, and the key that adds a meeting. */
function useWays(add: (() => void) | undefined) {
  const ways = {
    before: () => go(`/meetings/${plus(dayInAddress(), -1)}`),
    after: () => go(`/meetings/${plus(dayInAddress(), 1)}`),
    today: () => go('/meetings'),
  }
  useHands(ways)
  const all = [
    { codes: ['BracketLeft'], text: () => t.keys.before, run: ways.before },
    { codes: ['BracketRight'], text: () => t.keys.after, run: ways.after },
    { codes: ['KeyT'], text: () => t.keys.today, run: ways.today },
  ]
  if (add) all.push({ codes: ['KeyN'], text: () => t.keys.add, run: add })
  useShortcuts(all, [!add])
  return ways
}

/** Shows the day in the tab's title, or the meeting that begins soon. */
function useSoon(date: string, meetings: readonly Meeting[], time: string | undefined) {
  const next = time === undefined ? undefined : meetings.find((one) => stateAt(one, time) === 'soon')
  useTitle(
    next
      ? t.soonTitle(durationOf(minutesOf(next.startTime!) - minutesOf(time!)), titleOf(next))
      : time === undefined
        ? fullDay(date)
        : t.title,
  )
}

/** Returns the same array of meetings until one of them changes, so that the list does not render again. */
function useSame(meetings: Meeting[] | undefined) {
  const last = useRef(meetings)
  const isSame = last.current?.length === meetings?.length && meetings?.every((one, index) => one === last.current![index])
  if (!isSame) last.current = meetings
  return last.current
}

function Day({ date }: { date: string }) {
  const isToday = date === officeDay()
  const time = isToday ? officeTime() : undefined
  const list = meetingsOf(date)
  const meetings = useSame(list.data?.filter(({ id }) => !isLeaving('/executive-meetings/{id}', id)))
  const isWriting = useSignal(false)
  const line = useMemo(() => draft('meeting:line', ''), [])
  const adding = useSignal<Values | undefined>(undefined)
  const question = useSignal<Question | undefined>(undefined)
  const { canMutate, canRequest } = standing.data ?? {}
  const add = canMutate || canRequest ? () => put(isWriting, true) : undefined
  const ways = useWays(add)
  useSoon(date, meetings ?? [], time)
  const present = usePresence('meeting_day', date, false)
  const { open } = useFilters({ open: id }).values
  const close = () => {
    setQuery({ open: '' })
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`a[href="${CSS.escape(at(addressWith({ open: String(open) })))}"]`)?.focus(),
    )
  }
  const stopWriting = () => {
    isWriting.value = false
    line.drop()
    requestAnimationFrame(focusList)
  }
  const stopAdding = () => {
    adding.value = undefined
    requestAnimationFrame(focusList)
  }
  /** `sent`: the line that was saved; undefined if the form with all fields was saved. */
  const done = (saved: string, isThere: boolean, sent = line.value.peek()) => {
    // Keep a line that was edited while the call was under way.
    if (line.value.peek() === sent) stopWriting()
    if (isThere) stopAdding()
    learned('meetings/day')
    if (isThere && saved !== date) go(`/meetings/${saved}`)
  }
  // Do not render the list again when a meeting opens: a day may have sixty meetings.
  const order = useMemo(
    () => meetings && <RunningOrder date={date} meetings={meetings} time={time} ask={(asked) => put(question, asked)} />,
    [date, meetings, time],
  )
  const zone = otherZone()
  const isBeside = open !== undefined || adding.value !== undefined
  return (
    <>
      <header class="day-head">
        <div>
          <h1>{fullDay(date)}</h1>
          <p class="day-hijri">
            {hijriDay(date, 'UTC')}
            {zone && isToday && <span class="small">{[isolated(zone), withDigits(officeTime(now.value))].join(t.comma)}</span>}
          </p>
        </div>
        <Faces of={present} />
        <div class="day-ways">
          <a
            class="button day-before"
            data-kind="plain"
            data-shape="round"
            href={at(`/meetings/${plus(date, -1)}`)}
            aria-label={t.dayBefore}
          >
            <Icon name="chevron-right" />
          </a>
          <a class="button" data-kind="plain" data-shape="round" href={at(`/meetings/${plus(date, 1)}`)} aria-label={t.dayAfter}>
            <Icon name="chevron-right" />
          </a>
          {!isToday && (
            <Button kind="plain" onClick={ways.today}>
              {t.toToday}
            </Button>
          )}
          {isWide.value && (
            <a class="button" data-kind="plain" href={at(`/meetings/${date}/wall`)}>
              <Icon name="maximize" />
              {t.wall}
            </a>
          )}
          {isWide.value && canMutate && (
            <a class="button" href={at(`/meetings/archives?date=${date}`)}>
              <Icon name="printer" />
              {t.print}
            </a>
          )}
          {add && (
            <Button kind="main" icon="plus" class="button day-add" aria-keyshortcuts="N" onClick={add}>
              {t.add}
            </Button>
          )}
        </div>
      </header>
      {canMutate && <Hint of="meetings/day">{isWide.value ? t.purpose : t.purposeNarrow}</Hint>}
      {list.error && list.data && <p class="quiet small">{t.asOf(timeOfDay(onPortalClock(list.updatedAt)))}</p>}
      <div class="day-columns" data-beside={isBeside || undefined}>
        <div>
          <Loaded of={list}>{() => (meetings!.length === 0 ? <NothingHere date={date} add={add} /> : order)}</Loaded>
        </div>
        {!isBeside && <Aside date={date} day={meetings ?? []} />}
        {open !== undefined && !adding.value && <Opened key={open} id={open} close={close} />}
        {adding.value && (
          <Beside title={t.newMeeting} isKept close={stopAdding}>
            <Editor isFromLine from={adding.value} done={done} />
          </Beside>
        )}
      </div>
      {isWriting.value && (
        <NewLine
          date={date}
          draft={line}
          close={stopWriting}
          done={done}
          all={(values) => {
            isWriting.value = false
            adding.value = values
          }}
        />
      )}
      {question.value && <Moving key={question.value.kind} question={question.value} close={() => put(question, undefined)} />}
    </>
  )
}

/** The meeting that is open beside the day. */
function Opened({ id, close }: { id: number; close: () => void }) {
  const meeting = meetingOf(id)
  return (
    <Beside title={meeting.data ? titleOf(meeting.data) : t.open} isKept close={close}>
      <Loaded of={meeting}>{(data) => <Editor meeting={data} version={meeting.version} done={() => {}} />}</Loaded>
    </Beside>
  )
}
