/** How lines reach a collector: by HTTPS, or by syslog over TLS. */
import type { AuditStream } from '../../platform/config-audit-stream.ts'
import type { Db } from '../../platform/database/db.ts'
import { bareHost, openOutbound } from '../../platform/outbound.ts'
import { post } from './https.ts'
import type { Outcome } from './outcome.ts'
import { noteUnderWay, readEntries, readSending, type Sending } from './queries.ts'
import { type Entry, framed, MOST_LINES, portionOf, refusedLine, syslogMessage, textOf } from './rules.ts'
import { openSyslog } from './syslog.ts'

export interface Transport {
  /** Sends the first portion of these entries. `count` is the number of entries in it. */
  send(entries: readonly Entry[]): Promise<Outcome & { count: number }>
  /** Sends a line in place of an entry that was refused for a day, even as the only line of a portion. */
  sendRefused?(place: number): Promise<Outcome>
  /** Ends the connection, if there is one, because another instance sends. */
  drop?(): void
  close(): Promise<void>
}

/** Only the operator sets the stream's address, so its host may be internal. */
function httpsTransport(stream: AuditStream, version: string): Transport {
  const outbound = openOutbound({ internalHosts: [bareHost(new URL(stream.url).hostname)], isEager: true, tls: stream.tls })
  return {
    async send(entries) {
      const texts = portionOf(entries, textOf)
      return { ...(await post(outbound, stream, texts, version)), count: texts.length }
    },
    sendRefused: (place) => post(outbound, stream, [refusedLine(place)], version),
    close: outbound.close,
  }
}

const REPLAYED_MS = 30_000
/** The entries after this place are sent again: the place that was reached half a minute before the last sending. */
export function replayFrom({ place, sentAt, marks }: Pick<Sending, 'place' | 'sentAt' | 'marks'>) {
  const begin = (sentAt?.getTime() ?? 0) - REPLAYED_MS
  return (marks.findLast(({ at }) => Date.parse(at) <= begin) ?? marks[0])?.place ?? place
}

function syslogTransport(stream: AuditStream, host: string, { reads, writes }: Db): Transport {
  const { framing, maxBytes: most } = stream
  const syslog = openSyslog(stream)
  /** Lines up to this place may have been sent already: on an earlier connection, or on this one without the portal noting the place. */
  let before = 0
  const messagesOf = (entries: readonly Entry[]) =>
    portionOf(entries, (entry) => framed(syslogMessage(entry, { host, most, isReplayed: entry.place <= before }), framing))

  /** Sends the entries again that may have been lost with the previous connection. */
  async function replay(): Promise<Outcome> {
    const sending = await readSending(reads)
    before = sending.underWay
    for (let from = replayFrom(sending); from < sending.place; ) {
      const entries = await readEntries(reads, from, MOST_LINES, sending.place)
      if (entries.length === 0) break
      const messages = messagesOf(entries)
      const outcome = await syslog.send(messages.join(''))
      if (!outcome.isTaken) return outcome
      from = entries[messages.length - 1]!.place
    }
    return { isTaken: true }
  }
  return {
    async send(entries) {
      const connected = await syslog.connect()
      if ('failed' in connected) return { ...connected.failed, count: 0 }
      if (connected.isNew) {
        const outcome = await replay().catch((error) => {
          syslog.drop()
          throw error
        })
        if (!outcome.isTaken) return { ...outcome, count: 0 }
      }
      const messages = messagesOf(entries)
      const { length: count } = messages
      const last = entries[count - 1]!.place
      await noteUnderWay(writes, last)
      before = Math.max(before, last)
      return { ...(await syslog.send(messages.join(''))), count }
    },
    drop: syslog.drop,
    close: syslog.close,
  }
}

export const openTransport = (stream: AuditStream, { db, publicUrl, version }: { db: Db; publicUrl: string; version: string }) =>
  stream.kind === 'https' ? httpsTransport(stream, version) : syslogTransport(stream, new URL(publicUrl).hostname, db)
