/** Shows verdicts at once, and sends them in the order of the presses. Verdicts given during a call are sent together after it. */
import { batch as batched, signal } from '@preact/signals'
import { say } from '../../../parts/overlay/toasts.tsx'
import { meaningOf } from '../../../parts/show/failures.ts'
import { waitFor } from '../../../platform/acts.ts'
import { changeAll, invalidateRecord } from '../../../platform/cache.ts'
import { isReached, portalNow } from '../../../platform/client.ts'
import { draft } from '../../../platform/drafts.ts'
import { Refusal, Unreached } from '../../../platform/refusal.ts'
import { beforeSignOut, me } from '../../../platform/session.ts'
import { type Counts, type Item, MOST, reviewOf, sendVerdicts, type Verdict } from '../data.ts'
import { t } from '../texts.ts'

/** A verdict that the portal does not have yet. */
interface Pending {
  review: number
  item: Item
  verdict: Verdict | null
  note: string | null
}

const pending = signal<ReadonlyMap<number, Pending>>(new Map())
let sending: Promise<void> | undefined
/** Seconds until a call that failed with a server error is repeated. */
const AGAIN_S = 5

/** How many verdicts wait to be sent because the portal cannot be reached. */
export const unsent = (review: number) => (isReached.value ? 0 : [...pending.value.values()].filter((one) => one.review === review).length)

/** An item with the verdict that the person has just given. */
export function asJudged(item: Item): Item {
  const given = pending.value.get(item.id)
  return given ? { ...item, verdict: given.verdict, note: given.note } : item
}

/** Whether a verdict on the item is still to be sent, so that nobody can have changed it. */
export const isWaiting = ({ id }: Item) => pending.peek().has(id)

const stateOf = (verdict: Verdict | null) => verdict ?? 'undecided'
const moved = (counts: Counts, from: Verdict | null, to: Verdict | null): Counts => {
  const next = { ...counts }
  next[stateOf(from)]--
  next[stateOf(to)]++
  return next
}
/** The counts of a review with the verdicts that are not sent yet. */
export const countsWith = (review: number, counts: Counts) =>
  [...pending.value.values()]
    .filter((one) => one.review === review)
    .reduce((now, { item, verdict }) => moved(now, item.verdict, verdict), counts)

/** Gives verdicts. Null takes a verdict back, with its note. Without a new `note`, an item keeps the note that it has. */
export function judge(review: number, all: readonly { item: Item; verdict: Verdict | null; note?: string | null }[]) {
  const next = new Map(pending.peek())
  for (const { item, verdict, note } of all) {
    const before = next.get(item.id)
    next.delete(item.id)
    const kept = before ? before.note : item.note
    next.set(item.id, { review, item: before?.item ?? item, verdict, note: verdict && (note === undefined ? kept : note) })
  }
  pending.value = next
  send()
}

/**
 * Removes sent verdicts from those to be sent. A newer verdict about an item stays; if the portal took the sent verdict, the item of the
 * newer one now has that verdict.
 */
function drop(sent: readonly Pending[], taken: readonly Pending[]) {
  const next = new Map(pending.peek())
  for (const one of sent) {
    const now = next.get(one.item.id)
    if (now === one) next.delete(one.item.id)
    else if (now && taken.includes(one)) next.set(one.item.id, { ...now, item: { ...now.item, verdict: one.verdict, note: one.note } })
  }
  pending.value = next
}

/** Puts verdicts that the portal has taken into the cache. */
function settle(review: number, done: readonly Pending[]) {
  const by = new Map(done.map((one) => [one.item.id, one]))
  const person = me.peek()
  changeAll('/access-reviews/{id}/items', (page, { path }) =>
    path.id !== review
      ? page
      : {
          ...page,
          items: page.items.map((item) => {
            const given = by.get(item.id)
            if (!given) return item
            const { verdict, note } = given
            return { ...item, verdict, note, reviewer: verdict && person ? person : null, at: verdict && portalNow().toISOString() }
          }),
        },
  )
  reviewOf(review).change((now) => ({
    ...now,
    counts: done.reduce((counts, { item, verdict }) => moved(counts, item.verdict, verdict), now.counts),
  }))
}

const readings = ['/access-reviews/{id}', '/access-reviews/{id}/items'] as const

/** Sends the oldest verdicts of a review together; never throws. Returns whether the next ones may follow. */
async function sendSome(review: number) {
  const batch = [...pending.peek().values()].filter((one) => one.review === review).slice(0, MOST)
  try {
    const { failedIds } = await sendVerdicts(
      review,
      batch.map(({ item, verdict, note }) => ({ id: item.id, verdict, note })),
    )
    const failed = new Set(failedIds)
    const done = batch.filter(({ item }) => !failed.has(item.id))
    batched(() => {
      settle(review, done)
      drop(batch, done)
    })
    if (failed.size > 0) say({ text: t.notYours(failed.size), kind: 'error' })
  } catch (failure) {
    // The verdicts stay pending until the connection is back.
    if (failure instanceof Unreached) return false
    if (failure instanceof Refusal && (failure.status >= 500 || failure.retryAfter)) {
      setTimeout(send, (failure.retryAfter ?? AGAIN_S) * 1000)
      return false
    }
    drop(batch, [])
    say({ text: meaningOf(failure), kind: 'error' })
    for (const path of readings) invalidateRecord(path, review)
  }
  return true
}

async function sendAll() {
  for (let goesOn = true; goesOn && pending.peek().size > 0; ) {
    const [first] = pending.peek().values()
    const sent = sendSome(first!.review)
    // A reply that is read during the call may or may not contain these verdicts.
    waitFor(sent, first!.review, ...readings)
    goesOn = await sent
  }
}

/** Sends the pending verdicts, one call after the other. Resolves when no call is under way any more. */
const send = () =>
  (sending ??= sendAll().finally(() => {
    sending = undefined
  }))

/** The device stores pending verdicts until they are sent, even if the page closes. */
const kept = draft<readonly Pending[]>('verdicts', [])
let isRead = false
kept.value.subscribe((found) => {
  if (found === undefined || isRead) return
  isRead = true
  pending.value = new Map([...found.map((one) => [one.item.id, one] as const), ...pending.peek()])
  pending.subscribe((all) => {
    if (all.size > 0) kept.value.value = [...all.values()]
    else if (kept.value.peek()?.length) kept.drop()
  })
  send()
})
isReached.subscribe((reached) => {
  if (reached) send()
})
beforeSignOut.add(send)
