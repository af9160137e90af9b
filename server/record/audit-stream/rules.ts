/** The content of the lines of the audit stream, and their formats for collectors. */
import { isObject } from '../../platform/is-object.ts'
import type { AuditStreamLine } from './shapes.ts'

export const MOST_LINES = 500
/** The most bytes of a portion, and of a body before compression. */
const MOST_BYTES = 1024 ** 2

/** An entry as it is read from the database. */
export interface Entry {
  place: number
  at: string
  source: 'ledger' | 'security' | 'seal' | 'note'
  /** Null if the row of the entry is gone. */
  action: string | null
  kind: string | null
  sequence: number | null
  actorId: number | null
  actorUsername: string | null
  targetType: string | null
  targetId: number | null
  ip: string | null
  facts: Record<string, unknown> | null
  /** Whether the line is a warning regardless of its action. */
  isWarning: boolean | null
  hash: string | null
  lastId: number | null
}

const executive: ReadonlySet<string> = new Set(['meeting', 'meeting_request', 'meeting_task', 'pdf_archive', 'font_settings'])
const DATE = /^\d{4}-\d{2}-\d{2}$/
const ID = /(^i|I)ds?$/
const HAS_TIME = /At$|^until$/

/** Keeps only the ids and dates in facts, under the names of their fields. No other facts of executives' meetings leave the portal. */
function idsAndDates(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return ID.test(name) ? value : undefined
  if (typeof value === 'string') return DATE.test(value) || (HAS_TIME.test(name) && !Number.isNaN(Date.parse(value))) ? value : undefined
  if (Array.isArray(value)) {
    const kept = value.map((one) => idsAndDates(one, name)).filter((one) => one !== undefined)
    return kept.length ? kept : undefined
  }
  if (!isObject(value)) return undefined
  const kept = Object.entries(value).flatMap(([key, one]) => {
    // A change is `{from, to}` below the name of its field, so that name decides what is kept.
    const own = idsAndDates(one, key === 'from' || key === 'to' ? name : key)
    return own === undefined ? [] : [[key, own]]
  })
  return kept.length ? Object.fromEntries(kept) : undefined
}
const cutFacts = (targetType: string | null, facts: Record<string, unknown>) =>
  executive.has(targetType ?? '') ? ((idsAndDates(facts) ?? {}) as Record<string, unknown>) : facts

export function lineOf(entry: Entry): AuditStreamLine {
  const { place: id, at, source, action, kind, sequence, actorId, actorUsername, targetType, targetId, ip, facts, hash, lastId } = entry
  const actor = actorId === null ? null : { id: actorId, username: actorUsername }
  const common = { actor, targetType, targetId: targetId || null }
  // The row is gone, and only the owner of the database can have deleted it.
  if (action === null)
    return { id, at, source: source === 'note' ? 'security' : source, event: 'audit_stream.missing', ...common, facts: { count: 1 } }
  if (source === 'ledger')
    return { id, at, source, action, ...common, facts: cutFacts(targetType, facts!), sequence: sequence!, kind: kind!, rowHash: hash! }
  if (source === 'seal') return { id, at, source, event: action, ...common, facts: facts!, hash: hash!, lastId: lastId! }
  return { id, at, source: 'security', event: action, ...common, ...(ip !== null && { ip }), facts: facts! }
}

/** The line that replaces an entry which the collector refused for a day, even as the only line of a portion. */
export const refusedLine = (id: number) => JSON.stringify({ id, refused: true })

const MOST_NAMES = 20
/** The JSON of a line in at most `most` bytes: the largest facts are left out until it fits, and `cut` names them. */
export function written(line: AuditStreamLine, most: number): string {
  let text = plain(line)
  const sizes = Object.entries(line.facts).map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const)
  const facts = { ...line.facts }
  const cut: string[] = []
  for (const [name] of sizes.sort(([, one], [, other]) => other - one)) {
    if (Buffer.byteLength(text) <= most) break
    delete facts[name]
    cut.push(name.slice(0, 50))
    text = plain({ ...line, facts, cut: cut.slice(0, MOST_NAMES) })
  }
  return text
}

/** A line as the portal sends it to a collector over HTTPS, and to programs that pull the stream. */
export const textOf = (entry: Entry) => written(lineOf(entry), MOST_BYTES - 3)

/**
 * The texts of the first entries that fit into a mebibyte together, at least one. Counts one byte for the separator after each text, and
 * two bytes for the brackets around all texts.
 */
export function portionOf(entries: readonly Entry[], write: (entry: Entry) => string) {
  const texts: string[] = []
  let bytes = 2
  for (const entry of entries) {
    const text = write(entry)
    bytes += Buffer.byteLength(text) + 1
    if (texts.length && bytes > MOST_BYTES) break
    texts.push(text)
  }
  return texts
}

/** JSON without control characters, so that no collector takes one for the end of a line. */
const plain = (value: unknown) =>
  JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A parameter of structured data (RFC 5424, 6.3.3). */
const param = (name: string, value: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  `${name}="${value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '').replace(/["\\\]]/g, '\\$&')}"`

const FACILITY = 13
const [NOTICE, WARNING] = [5, 4]
/** Missing rows and forced deletions are warnings, too. */
const isWarned = ({ isWarning, action }: Entry) => isWarning || action === null || action.endsWith('.force_delete')

/** Keeps only the printable ASCII of a text, as header fields require; `-` if nothing is left. */
const headerField = (text: string, most: number) => text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-'

/** A message of syslog (RFC 5424) of at most `most` bytes. `isReplayed`: it may have been sent before. */
export function syslogMessage(entry: Entry, { host, most, isReplayed = false }: { host: string; most: number; isReplayed?: boolean }) {
  const line = lineOf(entry)
  const { id, at, actor, targetType, targetId } = line
  const priority = FACILITY * 8 + (isWarned(entry) ? WARNING : NOTICE)
  const data = [
    param('id', String(id)),
    ...(actor ? [param('actor', actor.username ?? String(actor.id))] : []),
    ...(targetType ? [param('target', targetId === null ? targetType : `${targetType}/${targetId}`)] : []),
    ...(isReplayed ? [param('replayed', 'true')] : []),
  ].join(' ')
  const name = headerField(line.action ?? line.event ?? '', 32)
  const head = `<${priority}>1 ${at} ${headerField(host, 255)} bawaba - ${name} [bawaba@32473 ${data}] \ufeff`
  return head + written(line, most - Buffer.byteLength(head))
}

/** Frames a message by RFC 6587 and RFC 5425: with its length in bytes before it, or a line feed after it. */
export const framed = (message: string, framing: 'octets' | 'lf') =>
  framing === 'lf' ? `${message}\n` : `${Buffer.byteLength(message)} ${message}`

const MOST_DELAY_MS = 5 * 60_000
/** The pause in milliseconds after the n-th failure in a row: from 1 s to 5 minutes; `chance` from 0 to 1 shifts it by at most a tenth. */
export const delayAfter = (failures: number, chance: number) =>
  Math.min(Math.max(1000, 1000 * 2 ** (failures - 1) * (0.9 + 0.2 * chance)), MOST_DELAY_MS)
