/** Tells programs of changes: reads the ledger, and sends messages. */
import { openReader } from './reading.ts'
import { openSender, type SenderParts } from './sending.ts'

/** Call `wake` after a commit. `close` aborts running tries after a moment; they are made again later. */
export function openWebhooks(parts: SenderParts, onError: (error: unknown) => void) {
  const sender = openSender(parts)
  const reader = openReader(parts.db, onError, () => void sender.look().catch(onError))
  return {
    wake: reader.wake,
    async close() {
      await reader.close()
      await Promise.all([sender.close(), parts.outbound.close()])
    },
  }
}
