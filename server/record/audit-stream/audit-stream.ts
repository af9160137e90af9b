/** The audit stream of an instance: stores security events, gives entries their places, and sends them if a collector is set. */
import type { Logger } from 'pino'
import type { Transact } from '../../platform/changes/transact.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Leases } from '../../platform/database/leases.ts'
import { openKeeping } from './keeping.ts'
import { openSender } from './sending.ts'
import { openTransport } from './transports.ts'

interface Parts {
  config: Config
  db: Db
  leases: Leases
  /** A function, because the stream is opened before `transact` exists. */
  transact: () => Transact
  log: Logger
  version: string
}

/** `add` takes security events; call `wake` after a commit. */
export function openAuditStream({ config, db, leases, transact, log, version }: Parts, onError: (error: unknown) => void) {
  const { auditStream, publicUrl } = config
  const { writes } = db
  const sender =
    auditStream &&
    openSender(
      { db, leases, log, transact: (...given) => transact()(...given), transport: openTransport(auditStream, { db, publicUrl, version }) },
      onError,
    )
  const keeping = openKeeping(writes, onError, () => sender?.look())
  return {
    add: keeping.add,
    wake: keeping.wake,
    async close() {
      await keeping.close()
      await sender?.close()
    },
  }
}
