/** The log: JSON lines on standard output, which never block the server. */
import pino, { type Logger } from 'pino'

const MOST_WAITING = 4 * 1024 * 1024
const FLUSH_WITHIN_MS = 500

/**
 * Lines are buffered in memory for a slow reader, and dropped beyond 4 MiB. `close` writes the rest, unless the reader is gone or
 * hangs. `names` are fields of every line.
 */
export function openLog(level: string, names: Record<string, unknown> = {}): { log: Logger; close: () => Promise<void> } {
  const out = pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING })
  out.on('error', () => {})
  const log = pino({ level, base: names, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, out)
  return {
    log,
    async close() {
      await Promise.race([new Promise((done) => out.flush(done)), new Promise((done) => setTimeout(done, FLUSH_WITHIN_MS).unref())])
      // The library's flush at exit would wait for a hanging reader for ever.
      out.flushSync = () => {}
    },
  }
}

/** The type, message and stack of an error. Details of database errors are left out: they quote rows, which may hold secrets. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { name: type, message, code, table, constraint, stack } = error as Error & Record<'code' | 'table' | 'constraint', unknown>
  return { type, message, code, table, constraint, stack }
}
