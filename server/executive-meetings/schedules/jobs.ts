import type { Job } from '../../platform/jobs/runner.ts'
import { printArchive } from './printing.ts'

/** Makes the PDF of an archive; one that cannot be made is removed, and its maker is told. */
export const makePdfArchive: Job<{ id: number; userId?: number }> = (archive, context) => printArchive(archive, context)
