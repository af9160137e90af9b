import { runJob } from './jobs.ts'
import type { Sql } from './ledger.ts'

/** Seals the whole ledger of a portal by the regular job. */
export const sealLedger = (portal: { sql: Sql }) => runJob(portal, 'seal_ledger')
