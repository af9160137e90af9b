import type { Job } from '../../../platform/jobs/runner.ts'
import { printArchive } from './printing.ts'

/** Makes the PDF of an archive. If it cannot be made, the archive is removed, and the person who asked for it is notified. */
export const makePdfArchive: Job<{ id: number; userId?: number }> = (archive, context) => printArchive(archive, context)
