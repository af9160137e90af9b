import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { keepArchive, readDayToTypeset } from './queries.ts'
import { typeset } from './typesetting.ts'

/** One day after the other: a crowd of them must not take the places of all other jobs, nor all of the machine. */
export const TYPESETTING = { queue: 'typesetting', tries: 8 }

/**
 * Makes the PDF of an archive. Where two do so at once, the bytes of the second go again; bytes whose fate is unknown, because the
 * database did not answer, are swept when nothing counts them.
 */
export const makePdfArchive: Job<{ id: number }> = async ({ id }, { db, objects, transact }) => {
  const day = await readDayToTypeset(db.reads, id)
  if (day === undefined) return
  const pdf = await typeset(day)
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
