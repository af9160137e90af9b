import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { fairSemaphore } from '../../platform/concurrency.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { keepArchive, readDayToTypeset } from './queries.ts'
import { typeset } from './typesetting.ts'

/** Two people's at once, so that they do not occupy the whole machine; those who wait are served in rotation. */
const enter = fairSemaphore<number>({ lanes: 2, perKey: 1 })

/** A day that takes too long is tried once more, for the machine may have been busy; undefined when that takes too long too. */
async function typesetInTurn(day: string, userId: number) {
  const leave = await enter(userId)
  try {
    return (await typeset(day)) ?? (await typeset(day))
  } finally {
    leave()
  }
}

/**
 * Makes the PDF of an archive. When two jobs do so at once, the second discards its bytes. When the database does not answer, the
 * bytes stay, and are swept unless something refers to them.
 */
export const makePdfArchive: Job<{ id: number; userId?: number }> = async ({ id, userId = 0 }, { db, objects, transact, log }) => {
  const day = await readDayToTypeset(db.reads, id)
  if (day === undefined) return
  const pdf = await typesetInTurn(day, userId)
  if (!pdf) return log.error({ archive: id }, 'a schedule took too long to typeset, twice')
  const key = await objects.put(piecewise(pdf.pieces), pdf.size)
  const isKept = await transact(null, async (tx) => {
    if (!(await keepArchive(tx, id, key, pdf))) return unchanged(false)
    return changed(true, { kind: 'pdf_archive.stored', targetId: id, facts: { sha256: pdf.sha256, size: pdf.size } })
  })
  if (!isKept) await objects.remove(key)
}

async function* piecewise(pieces: Buffer[]) {
  yield* pieces
}
