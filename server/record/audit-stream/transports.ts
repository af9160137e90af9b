/** How lines reach a collector: by HTTPS, or by syslog over TLS. */
import type { AuditStream } from '../../platform/config-audit-stream.ts'
import type { Db } from '../../platform/database/db.ts'
import { bareHost, openOutbound } from '../../platform/outbound.ts'
import { post } from './https.ts'
import type { Outcome } from './outcome.ts'
import { readEntries, readSending, type Sending } from './queries.ts'
import { type Entry, framed, lineOf, MOST_BYTES, MOST_LINES, refusedLine, syslogMessage, written } from './rules.ts'
import { openSyslog } from './syslog.ts'

export interface Transport {
  /** The first of these entries that go out together, in one portion of at most `most` bytes. */
  send(entries: readonly Entry[]): Promise<Outcome & { count: number }>
  /** Says of an entry that it was refused alone for a day. */
  sendRefused?(place: number): Promise<Outcome>
  /** Ends the connection, if it has one: another instance sends. */
  drop?(): void
  close(): Promise<void>
}

/** The operator alone says where the stream goes, so its host may have any address. */
function httpsTransport(stream: AuditStream, version: string): Transport {
  const outbound = openOutbound({ internalHosts: [bareHost(new URL(stream.url).hostname)], isEager: true, tls: stream.tls })
  return {
    async send(entries) {
      const texts: string[] = []
      let bytes = 2
      for (const entry of entries) {
        // With the brackets and the comma of a list, or the line feed.
        const text = written(lineOf(entry), MOST_BYTES - 3)
        bytes += Buffer.byteLength(text) + 1
        if (texts.length && bytes > MOST_BYTES) break
        texts.push(text)
      }
      return { ...(await post(outbound, stream, texts, version)), count: texts.length }
    },
    sendRefused: (place) => post(outbound, stream, [refusedLine(place)], version),
    close: outbound.close,
  }
}

const REPLAYED_MS = 30_000
/** From where the last half minute of sending is sent again. */
export function replayFrom({ place, sentAt, marks }: Pick<Sending, 'place' | 'sentAt' | 'marks'>) {
  const begin = (sentAt?.getTime() ?? 0) - REPLAYED_MS
  return (marks.findLast(({ at }) => Date.parse(at) <= begin) ?? marks[0])?.place ?? place
}

function syslogTransport(stream: AuditStream, host: string, db: Db): Transport {
  const { framing, maxBytes: most } = stream
  const syslog = openSyslog(stream)
  const textOf = (entries: readonly Entry[], isReplayed: boolean) =>
    entries.map((entry) => framed(syslogMessage(lineOf(entry), { host, most, isReplayed }), framing)).join('')

  /** Sends again what the collector may have lost with the connection before. */
  async function replay(): Promise<Outcome> {
    const sending = await readSending(db.reads)
    for (let from = replayFrom(sending); from < sending.place; ) {
      const entries = await readEntries(db.reads, from, MOST_LINES, sending.place)
      if (entries.length === 0) break
      const outcome = await syslog.send(textOf(entries, true))
      if (!outcome.isTaken) return outcome
      from = entries.at(-1)!.place
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
      return { ...(await syslog.send(textOf(entries, false))), count: entries.length }
    },
    drop: syslog.drop,
    close: async () => syslog.close(),
  }
}

export const openTransport = (stream: AuditStream, { db, publicUrl, version }: { db: Db; publicUrl: string; version: string }) =>
  stream.kind === 'https' ? httpsTransport(stream, version) : syslogTransport(stream, new URL(publicUrl).hostname, db)
