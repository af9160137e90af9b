/**
 * Preloaded into a portal: notes when each statement was sent and answered. Whenever the file `STATEMENT_TIMES` is empty, moves the notes
 * into it.
 */
import { statSync, writeFileSync } from 'node:fs'
import pg from 'pg'

export interface Timed {
  text: string
  /** Milliseconds since 1970, with fractions; `answered` is null while the statement runs. */
  sent: number
  answered: number | null
}

export const now = () => performance.timeOrigin + performance.now()

let timed: Timed[] = []
const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
  const text = typeof parts[0] === 'string' ? parts[0] : (parts[0] as { text: string }).text
  const one: Timed = { text, sent: now(), answered: null }
  timed.push(one)
  const note = () => {
    one.answered = now()
  }
  const done = parts.at(-1)
  if (typeof done === 'function') {
    parts[parts.length - 1] = (...answer: unknown[]) => {
      note()
      done(...answer)
    }
    return send.apply(this, parts)
  }
  const answer = send.apply(this, parts)
  if (answer instanceof Promise) answer.then(note, note)
  return answer
} as typeof pg.Client.prototype.query

const path = process.env['STATEMENT_TIMES']
if (path)
  setInterval(() => {
    if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
    writeFileSync(path, JSON.stringify(timed))
    timed = []
  }, 20).unref()
