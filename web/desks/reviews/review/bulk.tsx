import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useDrawn } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { meaningOf, report, sayFailure } from '../../../parts/show/failures.ts'
import { invalidate, invalidateRecord } from '../../../platform/cache.ts'
import { formatNumber } from '../../../platform/language.ts'
import {
  type Item,
  type ItemFilter,
  isOwn,
  isStill,
  MOST,
  type NewVerdict,
  pageOfItems,
  readItem,
  sendVerdicts,
  type Verdict,
} from '../data.ts'
import { t } from '../texts.ts'
import { t as words } from './undoing-texts.ts'
import { grantOf, personOf } from './words.ts'

/** One verdict for chosen items, or for all that a filter finds. `suggested` gives each item its own suggestion. */
export interface BulkQuestion {
  verdict: Verdict | 'suggested'
  items?: readonly Item[]
  filter?: ItemFilter
}

interface BulkProps {
  review: number
  question: BulkQuestion
  done: () => void
  close: () => void
}

type Step = { is: 'reading'; read: number; all: number } | { is: 'asking' | 'sending' | 'done' } | { is: 'failed'; text: string }

/** How often the items are read while their number changes. */
const MOST_TRIES = 3
type ItemPage = Awaited<ReturnType<typeof pageOfItems>>

/** Calls `take` with each page of the items that a filter finds, as long as `isOn`. */
async function eachPage(review: number, filter: ItemFilter | undefined, take: (page: ItemPage) => void, isOn = () => true) {
  for (let offset: number | null = 0; offset !== null && isOn(); ) {
    const page: ItemPage = await pageOfItems(review, { ...filter, limit: MOST, offset })
    take(page)
    offset = page.nextOffset
  }
}

/** Sends verdicts in portions. After each, calls `tell` with the total sent so far and the refused ids of that portion. */
async function sendAll(review: number, all: readonly NewVerdict[], tell: (sent: number, refusedIds: readonly number[]) => void) {
  for (let from = 0; from < all.length; from += MOST) {
    const { failedIds } = await sendVerdicts(review, all.slice(from, from + MOST))
    tell(Math.min(all.length, from + MOST), failedIds)
  }
}

const refresh = (review: number) => {
  for (const path of ['/access-reviews/{id}', '/access-reviews/{id}/items'] as const) invalidateRecord(path, review)
  invalidate('/access-reviews')
}

/** Decides many items: asks for confirmation, sends the verdicts in portions, and names the refused items. */
export function Bulk({ review, question, done, close }: BulkProps) {
  const { verdict, items, filter } = question
  const step = useSignal<Step>({ is: 'reading', read: 0, all: 0 })
  const found = useRef<readonly Item[]>([])
  const sent = useSignal(0)
  const refused = useSignal<readonly Item[]>([])
  const isDrawn = useDrawn()
  const wish = (item: Item) => (verdict === 'suggested' ? item.suggestion : verdict)

  async function read() {
    const all = new Map((items ?? []).map((item) => [item.id, item]))
    try {
      // Decisions of other reviewers move items between pages while they are read, so all are read again if the number has changed.
      for (let [totals, tries] = [new Set<number>(), 0]; !items && totals.size !== 1 && tries < MOST_TRIES && isDrawn(); tries++) {
        totals = new Set()
        all.clear()
        const take = (page: ItemPage) => {
          for (const item of page.items) all.set(item.id, item)
          totals.add(page.totalCount)
          step.value = { is: 'reading', read: all.size, all: page.totalCount }
        }
        await eachPage(review, filter, take, isDrawn)
      }
      found.current = [...all.values()].filter((item) => !isOwn(item))
      step.value = { is: 'asking' }
    } catch (failure) {
      report(failure)
      step.value = { is: 'failed', text: meaningOf(failure) }
    }
  }
  useEffect(() => {
    read()
  }, [])

  const changes = found.current.filter((item) => wish(item) && wish(item) !== item.verdict)
  async function go() {
    step.value = { is: 'sending' }
    const rest = changes.slice(sent.value)
    try {
      await sendAll(
        review,
        rest.map((item) => ({ id: item.id, verdict: wish(item), note: item.note })),
        (count, refusedIds) => {
          sent.value = changes.length - rest.length + count
          refused.value = [...refused.value, ...rest.filter(({ id }) => refusedIds.includes(id))]
        },
      )
      step.value = { is: 'done' }
      done()
      const decided = changes.filter((item) => !refused.value.includes(item))
      if (decided.length > 0) say({ text: t.bulk.done(decided.length), undo: () => void takeBack(decided) })
      if (refused.value.length === 0 && isDrawn()) close()
    } catch (failure) {
      if (!isDrawn()) return sayFailure(failure)
      report(failure)
      step.value = { is: 'failed', text: meaningOf(failure) }
    } finally {
      refresh(review)
    }
  }
  /** Restores the former verdicts of the items that nobody else has decided since. */
  async function takeBack(decided: readonly Item[]) {
    try {
      const now = new Map<number, Item>()
      const keep = (some: readonly (Item | undefined)[]) => {
        for (const one of some) if (one) now.set(one.id, one)
      }
      if (items) keep(await Promise.all(decided.map((item) => readItem(review, item))))
      else await eachPage(review, { ...filter, state: undefined }, (page) => keep(page.items))
      const own = decided.filter((item) => {
        const present = now.get(item.id)
        return present && isStill(present, wish(item))
      })
      await sendAll(
        review,
        own.map(({ id, verdict: was, note }) => ({ id, verdict: was, note })),
        () => {},
      )
      const left = decided.length - own.length
      say(left > 0 ? { text: words.stays(left), kind: 'error' } : { text: t.takenBack })
    } catch (failure) {
      sayFailure(failure)
    } finally {
      refresh(review)
    }
  }
  const now = step.value
  const count = (of: Verdict) => changes.filter((item) => wish(item) === of).length
  const left = verdict === 'suggested' ? found.current.filter((item) => !item.suggestion && !item.verdict).length : 0
  const isStopped = now.is === 'failed' && sent.value > 0
  return (
    <Dialog
      title={t.bulk[verdict]}
      close={close}
      end={
        now.is === 'done' ? (
          <Button kind="main" onClick={close}>
            {t.closeWindow}
          </Button>
        ) : (
          <>
            <Button kind="plain" onClick={close}>
              {t.cancel}
            </Button>
            {(now.is === 'failed' || now.is === 'sending' || changes.length > 0) && now.is !== 'reading' && (
              <Button
                kind={count('remove') > 0 && count('keep') === 0 ? 'danger' : 'main'}
                isBusy={now.is === 'sending'}
                onClick={now.is === 'failed' && found.current.length === 0 ? read : go}
              >
                {now.is === 'failed' ? t.bulk.again : t.bulk.go(changes.length)}
              </Button>
            )}
          </>
        )
      }
    >
      <div role="status" class="reviews-bulk">
        {now.is === 'reading' && <p>{t.bulk.reading(formatNumber(now.read), formatNumber(Math.max(now.all, now.read)))}</p>}
        {now.is === 'sending' && <p>{t.bulk.sending(formatNumber(sent.value), formatNumber(changes.length))}</p>}
        {now.is === 'asking' && (
          <>
            <p>{changes.length > 0 ? t.bulk.will(count('keep'), count('remove')) : t.bulk.nothing}</p>
            {left > 0 && <p class="quiet">{t.bulk.left(left)}</p>}
            {verdict === 'suggested' && <p class="quiet small">{t.bulk.hint}</p>}
          </>
        )}
        {now.is === 'failed' && (
          <p class="error">
            {now.text} {isStopped && t.bulk.stopped(formatNumber(sent.value), formatNumber(changes.length))}
          </p>
        )}
        {now.is === 'done' && refused.value.length > 0 && (
          <>
            <p>{t.bulk.refused}</p>
            <ul>
              {refused.value.map((item) => (
                <li key={item.id}>
                  <bdi>{personOf(item)}</bdi> <bdi class="quiet">{grantOf(item)}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}
