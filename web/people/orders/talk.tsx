import './talk.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useShortcuts } from '../../frame/use-shortcuts.ts'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { Tabs } from '../../parts/show/tabs.tsx'
import { present } from '../../platform/ago.ts'
import { formatNumber } from '../../platform/language.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import { Box } from './box.tsx'
import { isOpen, isParty, type Order, type OrderDetails } from './data.ts'
import { Entries } from './entries.tsx'
import { type Entry, type Place, timelineAt } from './talk-data.ts'
import { t } from './talk-texts.ts'
import { WaitButton, Waiting } from './waiting.tsx'

export { PassingOn } from './passing-on.tsx'
export { ReopenButton } from './reopening.tsx'

interface TalkProps {
  order: Order
  details: OrderDetails
}

/** The timeline of an order. Notes to the team have a tab, a colour and a box of their own. */
export function Talk({ order, details }: TalkProps) {
  const newest = timelineAt(order.id)
  return (
    <section class="orders-talk">
      <Waiting order={order} details={details} />
      <Loaded of={newest}>
        {(page) => <Shown order={order} details={details} newest={page.entries} hasMore={page.nextOffset !== null} />}
      </Loaded>
    </section>
  )
}

/** A button that loads older entries, one portion at a time. */
function Earlier({ orderId, before, place }: { orderId: number; before: number; place: Place }) {
  const isAsked = useSignal(false)
  if (!isAsked.value) return <Button onClick={() => (isAsked.value = true)}>{t.earlier}</Button>
  return (
    <Loaded of={timelineAt(orderId, before)}>
      {({ entries, nextOffset }) => (
        <>
          {nextOffset !== null && <Earlier orderId={orderId} before={entries.at(-1)!.id} place={place} />}
          <Entries entries={inPlace(entries, place)} orderId={orderId} label={t.earlier} />
        </>
      )}
    </Loaded>
  )
}

/**
 * The portal's limits: people can write about an order until this long after it has ended, and at most `MOST_TEXTS` messages and as many
 * notes.
 */
const WRITABLE_MS = 14 * 86_400_000
const MOST_TEXTS = 200

/** Why nothing more can be written in a place. */
function Closed({ order, place }: { order: Order; place: Place }) {
  const isOver = !isOpen(order) && Date.parse(order.updatedAt) + WRITABLE_MS <= present().getTime()
  return <p class="quiet">{isOver ? t.closed : t.full[place](formatNumber(MOST_TEXTS))}</p>
}

const inPlace = (entries: readonly Entry[], place: Place) =>
  entries.filter(({ kind }) => (kind === 'internal_note') === (place === 'note')).toReversed()

function Shown({ order, details, newest, hasMore }: TalkProps & { newest: readonly Entry[]; hasMore: boolean }) {
  const { may, beneficiary, unread } = details
  const box = useRef<HTMLDivElement>(null)
  const wanted = useRef<Place | undefined>(undefined)
  const notes = newest.filter(({ kind }) => kind === 'internal_note').length
  const readsNotes = may.includes('note') || notes > 0
  const place: Place = readsNotes && queryValue('tab') === 'team' ? 'note' : 'message'
  const focus = () => box.current?.querySelector('textarea')?.focus()
  const writeIn = (next: Place) => () => {
    wanted.current = next
    if (next === place) focus()
    else setQuery({ tab: next === 'note' ? 'team' : '' })
  }
  useEffect(() => {
    if (wanted.current === place) focus()
    wanted.current = undefined
  }, [place])
  useShortcuts(
    [
      ...(may.includes('message') ? [{ codes: ['KeyM'], text: () => t.writeKey, run: writeIn('message') }] : []),
      ...(may.includes('note') ? [{ codes: ['KeyN'], text: () => t.noteKey, run: writeIn('note') }] : []),
    ],
    [place, may.join()],
  )
  const isMine = isParty(order, beneficiary)
  const entries = inPlace(newest, place)
  const hasText = entries.some(({ kind }) => kind === 'message' || kind === 'internal_note')
  const panel = (
    <div class="orders-panel" data-place={place} ref={box}>
      {place === 'note' && <p class="small orders-team-hint">{t.teamHint}</p>}
      {hasMore && <Earlier orderId={order.id} before={newest.at(-1)!.id} place={place} />}
      <Entries entries={entries} orderId={order.id} label={place === 'note' ? t.team : t.conversation} />
      {!hasText &&
        may.includes(place) &&
        (place === 'note' ? <Empty icon="sticky-note" title={t.noNotes} /> : <NoMessages isMine={isMine} />)}
      {may.includes(place) ? (
        <Box key={place} place={place} orderId={order.id} label={place === 'note' ? t.note : isMine ? t.message : t.messageToOther} />
      ) : (
        // People who cannot read the messages could never write any, so nothing has closed for them.
        (place === 'note' || unread !== null) && <Closed order={order} place={place} />
      )}
      <WaitButton order={order} isOffered={place === 'message' && may.includes('wait')} />
    </div>
  )
  if (!readsNotes)
    return (
      <>
        <h2>{t.conversation}</h2>
        {panel}
      </>
    )
  return (
    <Tabs
      label={t.tabs}
      tabs={[
        { key: 'message', text: t.conversation },
        { key: 'note', text: t.team, ...(notes > 0 && { count: formatNumber(notes) }) },
      ]}
      value={place}
      choose={(next) => setQuery({ tab: next === 'note' ? 'team' : '' })}
    >
      {panel}
    </Tabs>
  )
}

const NoMessages = ({ isMine }: { isMine: boolean }) =>
  isMine ? (
    <Empty icon="send" title={t.empty}>
      {t.emptyHint}
    </Empty>
  ) : (
    <p class="quiet">{t.emptyForTeam}</p>
  )
