/** Makes the PDFs of archives, removes archives whose PDF cannot be made, and makes previews, which are not stored. */
import { changed, unchanged } from '../../../platform/changes/outcome.ts'
import { fairSemaphore } from '../../../platform/concurrency.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import type { JobContext } from '../../../platform/jobs/runner.ts'
import { keepArchive, readDayToTypeset, removeUnmade } from './queries.ts'
import type { DayContent, PageType } from './shapes.ts'
import { type Typeset, typeset } from './typesetting.ts'

type Typesetter = (day: string) => Promise<Typeset | undefined>

/** Typesets for two people at once, so that it does not occupy the whole machine; waiting people take turns. */
const enter = fairSemaphore<number>({ lanes: 2, perKey: 1 })

/**
 * Typesets a day when it is its turn. Tries again if this takes too long or the child process crashes, because the machine may have been
 * busy; undefined if the second try ends like that, too.
 */
async function typesetInTurn(day: string, userId: number, typesetter: Typesetter) {
  const leave = await enter(userId)
  try {
    return (await typesetter(day)) ?? (await typesetter(day))
  } finally {
    leave()
  }
}

/** The limit of each of two waits: for a turn, and for the typesetting. */
const PREVIEW_MS = 10_000

const typesetSoon: Typesetter = (day) => typeset(day, PREVIEW_MS)

interface Preview {
  content: DayContent
  page: number
  as?: PageType
  userId: number
  /** Whether the caller has disconnected. */
  isGone: () => boolean
}
/**
 * A page of a day as it would be printed now. Refuses `unavailable` if its turn does not come in time, if typesetting takes too long, or if
 * the child process crashes.
 */
export async function previewPage({ content, page, as, userId, isGone }: Preview, typesetter = typesetSoon): Promise<Buffer> {
  const tooLate = () => refuse('unavailable', { retryAfter: 2 })
  const leave = await enter(userId, () => AbortSignal.timeout(PREVIEW_MS)).catch(tooLate)
  try {
    if (isGone()) return tooLate()
    const made = await typesetter(JSON.stringify({ content, madeAt: new Date(), page, as }))
    return made ? Buffer.concat(made.pieces) : tooLate()
  } finally {
    leave()
  }
}

interface Printed {
  id: number
  userId?: number
}

/**
 * Makes the PDF of an archive. If typesetting takes too long or crashes twice, or if the last try of the job fails, the archive is removed,
 * and the person who asked for it is notified and may ask again.
 */
export async function printArchive(archive: Printed, context: JobContext, typesetter: Typesetter = typeset) {
  const { log, isLastTry } = context
  try {
    if (await print(archive, context, typesetter)) return
    log.error({ archive: archive.id }, 'typesetting a schedule timed out or crashed twice')
  } catch (error) {
    if (!isLastTry) throw error
    log.error({ archive: archive.id, cause: String(error) }, 'printing a schedule failed for good')
  }
  await giveUp(archive, context)
}

/**
 * Typesets an archive and stores its PDF; does nothing if the PDF exists or the archive does not. Returns false if typesetting takes too
 * long or crashes twice. If two jobs print an archive at once, the second discards its bytes. If the database does not answer, the bytes
 * stay; the sweep removes them unless something refers to them.
 */
async function print({ id, userId = 0 }: Printed, { db, objects, transact }: JobContext, typesetter: Typesetter) {
  const day = await readDayToTypeset(db.reads, id)
  if (day === undefined) return true
  const pdf = await typesetInTurn(day, userId, typesetter)
  if (!pdf) return false
  const key = await objects.put(piecewise(pdf.pieces), pdf.size)
  const isKept = await transact(null, async (tx) => {
    if (!(await keepArchive(tx, id, key, pdf))) return unchanged(false)
    return changed(true, { kind: 'pdf_archive.stored', targetId: id, facts: { sha256: pdf.sha256, size: pdf.size } })
  })
  if (!isKept) await objects.remove(key)
  return true
}

const giveUp = ({ id }: Printed, { transact }: JobContext) =>
  transact(null, async (tx) => {
    const before = await removeUnmade(tx, id)
    if (!before) return unchanged(null)
    return changed(null, { kind: 'pdf_archive.given_up', targetId: id, facts: { before, after: null } })
  })

async function* piecewise(pieces: Buffer[]) {
  yield* pieces
}
