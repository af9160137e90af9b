/** The log: JSON lines on standard output, without ever holding up the server. */
import pino, { type Logger } from 'pino'

const MOST_WAITING = 4 * 1024 * 1024
const FLUSH_WITHIN_MS = 500

/**
 * Lines wait in memory while a slow reader catches up, and are dropped beyond 4 MiB. `close` writes what waits; a reader that
 * has gone away or stands still is given up on. `names` are on every line.
 */
export function openLog(level: string, names: Record<string, unknown> = {}): { log: Logger; close: () => Promise<void> } {
  const out = pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING })
  out.on('error', () => {})
  const log = pino({ level, base: names, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, out)
  return {
    log,
    async close() {
      await Promise.race([new Promise((done) => out.flush(done)), new Promise((done) => setTimeout(done, FLUSH_WITHIN_MS).unref())])
      // The library's own flush at exit would wait for such a reader for ever.
      out.flushSync = () => {}
    },
  }
}

/** Of an error, what tells where and why. The database's own details stay out: they quote rows, and rows hold secrets. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { name: type, message, code, table, constraint, stack } = error as Error & Record<'code' | 'table' | 'constraint', unknown>
  return { type, message, code, table, constraint, stack }
}
