/**
 * Lists the row and advisory locks that the portal's transactions take, in order. Finds them in the statements that the portal sends, so
 * locks that PostgreSQL takes for foreign keys and in triggers do not appear.
 */
import { mock } from 'node:test'
import pg from 'pg'
import { inJob } from './counting.ts'

/**
 * The tables that a transaction locks, in the order of their first locks. An advisory lock is named by the text that it hashes, or
 * `advisory`.
 */
export type Locks = string[]

const CLAUSE = /\bfor (?:no key update|update|key share|share)\b(?: of (\w+))?/g
const WRITE = /\b(?:update|delete from) (?:only )?(\w+)\b(?! of\b)(?= |$)/g
/** Matches the calls that lock the rows of callers. docs/lock-order.md says which other locks commands take. */
const CALLER = /\bhold_callers?\(/g
/**
 * Matches the statements that take an advisory lock, except the shared lock `access`, which callers take with `hold_caller`, and people
 * when they sign in.
 */
const ADVISORY = /pg_advisory_xact_lock(?:_shared(?!\(hashtext\('access'))?\(\s*hashtext(?:extended)?\((?:'([^']+)')?/g

/** The table of the locking clause at `end`: that of the nearest FROM in the same query. */
function tableOf(text: string, end: number, alias?: string) {
  let depth = 0
  for (let at = end; at >= 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(') {
      if (depth === 0) return null
      depth--
    } else if (depth === 0) {
      const [, table, , name] = /^from (\w+)( as)? ?(\w+)?/.exec(text.slice(at, end)) ?? []
      if (table && (!alias || alias === table || alias === name)) return table
    }
  }
  return null
}

/** The locks of a statement, in textual order. */
export function locksOf(statement: string): Locks {
  const text = statement.replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase()
  const found: { at: number; name: string }[] = []
  for (const { index, 1: alias } of text.matchAll(CLAUSE)) {
    const name = tableOf(text, index, alias)
    if (!name) throw new Error(`no table is found for a lock in: ${text}`)
    found.push({ at: index, name })
  }
  for (const { index, 1: name } of text.matchAll(WRITE))
    if (!/\b(for|no key|do) $/.test(text.slice(0, index))) found.push({ at: index, name: name! })
  for (const { index } of text.matchAll(CALLER)) found.push({ at: index, name: 'user_access' })
  for (const { index, 1: name = 'advisory' } of text.matchAll(ADVISORY)) found.push({ at: index, name })
  return found.toSorted((one, other) => one.at - other.at).map(({ name }) => name)
}

const open = new WeakMap<object, Locks>()
/** For each connection, the number of locks held at its savepoint: rolling back to the savepoint releases the locks taken since. */
const saved = new WeakMap<object, number>()
let ended: Locks[] = []

const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
mock.method(pg.Client.prototype, 'query', function (this: { connectionParameters: Record<string, unknown> }, ...parts: unknown[]) {
  const text = typeof parts[0] === 'string' ? parts[0] : (parts[0] as { text?: string })?.text
  if (text && this.connectionParameters['application_name'] === 'bawaba' && !inJob.getStore()) note(this, text)
  return send.apply(this, parts)
})

function note(client: object, text: string) {
  if (/^(begin|start transaction)/i.test(text)) open.set(client, [])
  const locks = open.get(client)
  if (!locks) return
  if (/^savepoint /i.test(text)) saved.set(client, locks.length)
  if (/^rollback to /i.test(text)) return void locks.splice(saved.get(client)!)
  // A transaction that holds `access` runs alone, so the order of its later locks does not matter.
  for (const name of locksOf(text)) if (!locks.includes(name) && !locks.includes('access')) locks.push(name)
  if (/^(commit|rollback)/i.test(text)) {
    open.delete(client)
    if (locks.length) ended.push(locks)
  }
}

/** The locks of every transaction that ended while `act` ran, except in jobs. */
export async function locksDuring(act: () => Promise<unknown>) {
  ended = []
  await act()
  return ended
}
