/** Sends the entries to the collector in strict order: only one instance sends, and a failed entry holds up all later ones. */
import type { Logger } from 'pino'
import { changedIf } from '../../platform/changes/outcome.ts'
import type { Transact } from '../../platform/changes/transact.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Leases } from '../../platform/database/leases.ts'
import { counters } from '../../platform/metrics/counters.ts'
import type { Outcome } from './outcome.ts'
import { LEASE, movePlace, noteFailure, readEntries, readSending, type Sending, switchOn } from './queries.ts'
import { delayAfter, type Entry, MOST_LINES } from './rules.ts'
import type { Transport } from './transports.ts'

/** How often to ask for the lease, and to look for entries that another instance has put into the stream. */
const LOOK_EVERY_MS = 1000
/** Open pages are told at most this often that lines went out. */
const TELL_EVERY_MS = 5000

export interface SenderParts {
  db: Db
  leases: Leases
  transact: Transact
  log: Logger
  transport: Transport
}

export function openSender({ db: { reads, writes }, leases, transact, log, transport }: SenderParts, onError: (error: unknown) => void) {
  let running: Promise<void> | null = null
  let waitsUntil = 0
  let failures = 0
  /** The most lines of a portion: halved when the collector refuses a portion, doubled when it takes one. */
  let most = MOST_LINES
  let toldAt = 0
  let giveBack: (() => void) | null = null
  let isClosed = false

  /** Makes open pages load the state of the stream again. */
  async function tell(isNow: boolean) {
    if (!isNow && Date.now() - toldAt < TELL_EVERY_MS) return
    toldAt = Date.now()
    await transact(null, async () => changedIf(undefined, [{ kind: 'audit_stream.sent', targetId: 0, facts: {} }]))
  }

  /** Notes a failure. Returns whether sending goes on at once. */
  async function fail(outcome: Outcome & { isTaken: false }, { place }: Entry, count: number): Promise<boolean> {
    const { error, status, isRefused = false, restMs } = outcome
    if (error === 'stopped') return false
    counters.auditStream.inc({ result: 'failed' })
    const isPortion = isRefused && count > 1
    const isFirst = await noteFailure(writes, { error, status, refused: isRefused && !isPortion ? place : null })
    if (isFirst) {
      log.warn({ error, status }, 'the audit stream failed')
      await tell(true)
    }
    if (isPortion) {
      most = Math.ceil(count / 2)
      waitsUntil = performance.now() + (restMs ?? 0)
      return restMs === undefined
    }
    waitsUntil = performance.now() + Math.max(restMs ?? 0, delayAfter(++failures, Math.random()))
    return false
  }

  /** Gives the lease back, because this instance had lost it for a while, and another instance has sent entries. */
  function giveWay() {
    transport.drop?.()
    giveBack?.()
    giveBack = null
    return false
  }

  async function succeed({ place, failingSince }: Sending, to: number, count: number): Promise<boolean> {
    failures = 0
    most = Math.min(Math.max(most, count) * 2, MOST_LINES)
    counters.auditStream.inc({ result: 'sent' })
    counters.auditStreamLines.inc(count)
    if (!(await movePlace(writes, place, to))) return giveWay()
    if (failingSince) log.info('the audit stream works again')
    await tell(failingSince !== null)
    return true
  }

  /** Replaces an entry that is still refused after a day by a line with its id, and tells administrators. */
  async function giveUp({ place }: Sending, entry: Entry): Promise<boolean> {
    const outcome = await transport.sendRefused!(entry.place)
    if (!outcome.isTaken) return fail({ ...outcome, isRefused: true }, entry, 1)
    log.warn({ id: entry.place }, 'the collector refused a line of the audit stream for a day')
    failures = 0
    await transact(null, async (tx) => {
      const isMoved = await movePlace(tx, place, entry.place)
      const facts = { news: 'refused' as const, id: entry.place }
      return changedIf(undefined, isMoved ? [{ kind: 'audit_stream.announced', targetId: 0, facts }] : [])
    })
    return true
  }

  /** Sends one portion. Returns whether there may be more to send at once. */
  async function sendSome(): Promise<boolean> {
    const sending = await readSending(reads)
    if (!sending.isOn) await switchOn(writes)
    const entries = await readEntries(reads, sending.place, most)
    if (entries.length === 0) return false
    const { count, ...outcome } = await transport.send(entries)
    if (outcome.isTaken) return succeed(sending, entries[count - 1]!.place, count)
    const first = entries[0]!
    const isLost = outcome.isRefused && count === 1 && sending.refusedLong === first.place && transport.sendRefused
    return isLost ? giveUp(sending, first) : fail(outcome, first, count)
  }

  async function round() {
    giveBack ??= await leases.take(LEASE, 1)
    if (!giveBack || performance.now() < waitsUntil) return
    while (!isClosed && (await sendSome()));
  }
  function look() {
    if (isClosed) return
    running ??= round()
      .catch(onError)
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(look, LOOK_EVERY_MS)

  return {
    look,
    async close() {
      isClosed = true
      clearInterval(timer)
      await Promise.all([transport.close(), running])
      giveBack?.()
    },
  }
}
