import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { useSettled } from '../../../parts/forms/settled.ts'
import { NothingFits } from '../../../parts/lists/filters/nothing-fits.tsx'
import { oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { useChoice } from '../../../parts/lists/table/choice.ts'
import { useSteady } from '../../../parts/lists/table/steady.ts'
import { Chosen, Table, tableKeys } from '../../../parts/lists/table/table.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { useList } from '../../../platform/list.ts'
import {
  type Item,
  type ItemFilter,
  isOwn,
  isStill,
  ofKind,
  type Review,
  readItem,
  readOf,
  type State,
  type Verdict,
  writtenOf,
} from '../data.ts'
import { asJudged, countsWith, isWaiting, judge } from '../shared/judging.ts'
import { t } from '../texts.ts'
import type { BulkQuestion } from './bulk.tsx'
import { columnsOf } from './cells.tsx'
import { FilterBar } from './filter-bar.tsx'
import { t as words } from './undoing-texts.ts'
import { grantOf, personOf } from './words.ts'

const Note = lazily(async () => (await import('./note.tsx')).Note)
const Bulk = lazily(async () => (await import('./bulk.tsx')).Bulk)

const idOf = ({ id }: Item) => id
const kinds = { state: oneOf('undecided', 'keep', 'remove', 'skipped', 'all'), of: ofKind, q: text }
type Shown = State | 'all'

/** Moves to the next row after a press, so that the next key applies to that row. */
function moveOn() {
  const row = document.activeElement?.closest<HTMLElement>('.table [role=row]')
  row?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', code: 'ArrowDown', bubbles: true, cancelable: true }))
}
/** The row that Tab reaches. */
const rowAtHand = () => document.querySelector<HTMLElement>('.table [role=row][tabindex="0"]')

/**
 * Adds the decision keys to the page's keys. Pressed outside the table, a key only focuses its current row, which handles the next press.
 * `undo` needs no row, because the list may be empty after the last decision.
 */
function useVerdictKeys(isOpen: boolean, undo: () => void) {
  const latest = useRef(undo)
  latest.current = undo
  const all = (['keep', 'remove', 'undo', 'note'] as const).map((act, index) => ({
    codes: [['KeyA', 'KeyR', 'KeyU', 'KeyN'][index]!],
    text: () => t.keys[act],
    run: act === 'undo' ? () => latest.current() : () => rowAtHand()?.focus(),
  }))
  useShortcuts(isOpen ? all : [], [isOpen])
}

/** The items of a review that the person may judge, to decide one by one or several at a time. */
export function Items({ review }: { review: Review }) {
  const { id, status } = review
  const isOpen = status === 'open'
  useShortcuts(tableKeys)
  const { values, set } = useFilters(kinds)
  const state: Shown = values.state ?? (isOpen ? 'undecided' : 'all')
  const of = readOf(values.of)
  const sought = useSettled(values.q)
  const filter: ItemFilter = { ...(state !== 'all' && { state }), ...of, ...(sought && { q: sought }) }
  const key = JSON.stringify(filter)
  const steady = useSteady(useList('/access-reviews/{id}/items', filter, { id }), idOf, key)
  const { list } = steady
  const choice = useChoice(list, idOf, key)
  const writing = useSignal<Item | undefined>(undefined)
  const bulk = useSignal<BulkQuestion | undefined>(undefined)
  const said = useSignal('')
  /** The decisions since the page was opened, the last at the end. `was` is the item before the decision. */
  const acts = useRef<{ was: Item; verdict: Verdict | null }[]>([])
  const counts = countsWith(id, review.counts)

  function give(item: Item, verdict: Verdict | null, note?: string | null) {
    const rest = counts.undecided + (verdict ? 0 : 1) - (asJudged(item).verdict ? 0 : 1)
    judge(id, [{ item, verdict, ...(note !== undefined && { note }) }])
    said.value = t.judged[verdict ?? 'none'](isolated(grantOf(item)), isolated(personOf(item)), t.undecided(Math.max(0, rest)))
  }
  function decide(item: Item, verdict: Verdict | null, note?: string | null) {
    if (!isOpen || isOwn(item)) return
    acts.current.push({ was: asJudged(item), verdict })
    give(item, verdict, note)
  }
  const byKey = (verdict: Verdict) => (item: Item) => {
    decide(item, verdict)
    moveOn()
  }
  /** Takes the last decision back, unless another reviewer has decided since. */
  async function undoLast() {
    const last = acts.current.pop()
    if (!last) return
    const { was, verdict } = last
    const now = isWaiting(was) ? undefined : await readItem(id, was).catch(() => undefined)
    if (now && !isStill(now, verdict)) say({ text: words.stays(1), kind: 'error' })
    else give({ ...was, verdict }, was.verdict, was.note)
  }
  // One after the other, because two may be about one item.
  const undoing = useRef(Promise.resolve())
  const undo = () => {
    undoing.current = undoing.current.then(undoLast)
  }
  useVerdictKeys(isOpen, undo)
  const write = (item: Item) => {
    if (isOpen && !isOwn(item)) writing.value = item
  }
  const ask = (verdict: BulkQuestion['verdict'], isChosen: boolean) => {
    bulk.value = {
      verdict,
      ...(isChosen && !choice.isAll ? { items: choice.rows } : { filter: isChosen ? filter : { ...filter, state: 'undecided' } }),
    }
  }
  const isFiltered = !!(values.of || values.q)
  const clear = () => set({ of: undefined, q: undefined })
  const tabs: Shown[] = ['undecided', 'keep', 'remove', ...(isOpen ? [] : ['skipped' as const]), 'all']
  const countOf = (tab: Shown) => formatNumber(tab === 'all' ? counts.total : counts[tab])
  const hasSuggestions = isOpen && counts.undecided > 0
  return (
    <>
      <FilterBar
        review={review}
        of={of}
        q={values.q ?? ''}
        set={({ of: chosen, q }) => set({ of: chosen && writtenOf(chosen), q })}
        clear={isFiltered ? clear : undefined}
      >
        {hasSuggestions && (
          <Button icon="lightbulb" onClick={() => ask('suggested', false)}>
            {t.suggestions}
          </Button>
        )}
      </FilterBar>
      <Tabs<Shown>
        label={t.state}
        value={state}
        choose={(next) => set({ state: next === (isOpen ? 'undecided' : 'all') ? undefined : next })}
        tabs={tabs.map((tab) => ({ key: tab, text: t.tabs[tab], count: countOf(tab) }))}
      >
        <div {...steady.hand}>
          <Table<Item>
            label={t.tabs[state]}
            list={list}
            id={idOf}
            name={(item) => `${personOf(item)}, ${grantOf(item)}`}
            columns={columnsOf(review, { decide, write }, !isWide.value)}
            height={isWide.value ? 5 : 13}
            {...(isOpen && { choice })}
            keys={isOpen ? { KeyA: byKey('keep'), KeyR: byKey('remove'), KeyN: write } : {}}
            failed={t.itemsFailed}
          >
            {isFiltered ? (
              <NothingFits title={t.noItemsFound} clear={clear} />
            ) : isOpen && state === 'undecided' ? (
              <Empty icon="circle-check" title={t.allDone}>
                {t.allDoneHint}
              </Empty>
            ) : (
              <Empty icon="list" title={t.noItems} />
            )}
          </Table>
          {isOpen && (
            <Chosen choice={choice} list={list}>
              {(['keep', 'remove', 'suggested'] as const).map((verdict) => (
                <Button key={verdict} onClick={() => ask(verdict, true)}>
                  {t.chosen[verdict]}
                </Button>
              ))}
            </Chosen>
          )}
        </div>
      </Tabs>
      {isOpen && isWide.value && <p class="quiet small reviews-keys">{t.keysHint}</p>}
      <p class="unseen" role="status">
        {said}
      </p>
      {writing.value && (
        <Note
          item={asJudged(writing.value)}
          save={(verdict, note) => writing.value && decide(writing.value, verdict, note)}
          close={() => {
            writing.value = undefined
          }}
        />
      )}
      {bulk.value && (
        <Bulk
          review={id}
          question={bulk.value}
          done={choice.clear}
          close={() => {
            bulk.value = undefined
          }}
        />
      )}
    </>
  )
}
