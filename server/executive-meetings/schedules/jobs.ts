import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { keepArchive, readDayToTypeset } from './queries.ts'
import { typeset } from './typesetting.ts'

/** PDFs are made one at a time, so that many of them occupy neither all jobs nor the whole machine. */
export const TYPESETTING = { queue: 'typesetting', tries: 8 }

/**
 * Makes the PDF of an archive. When two jobs do so at once, the second discards its bytes. When the database does not answer, the
 * bytes stay, and are swept unless something refers to them.
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
