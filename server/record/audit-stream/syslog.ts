/**
 * Sends messages to a collector by syslog over TLS (RFC 5425). Nothing is acknowledged, so a message counts as sent once the kernel has it.
 */
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { AuditStream } from '../../platform/config-audit-stream.ts'
import { bareHost } from '../../platform/outbound.ts'
import { errorOf } from '../webhooks/rules.ts'
import type { Outcome } from './outcome.ts'

const CONNECT_WITHIN_MS = 10_000
/** In TLS 1.3, a collector may refuse the portal's certificate only after the handshake. Anything written before the refusal is lost. */
const REFUSES_WITHIN_MS = 500
const TAKES_WITHIN_MS = 10_000
/**
 * How long a stopping portal waits for a collector that is receiving a portion. Messages that are cut off are sent again, marked as
 * replayed.
 */
const STOPS_WITHIN_MS = 2000
/** How many bytes are handed over at a time: one TLS record. A collector that takes each record in time is slow, but has not failed. */
const AT_ONCE = 16 * 1024
const KEPT_ALIVE_MS = 15_000
const DEFAULT_PORT = 6514

/** A connection to the collector that is opened again after it is lost. */
export function openSyslog({ url, tls }: AuditStream) {
  const { hostname, port } = new URL(url)
  const host = bareHost(hostname)
  let socket: TLSSocket | null = null
  let isClosed = false
  let sending: Promise<Outcome> | null = null
  const failed = (code = ''): Outcome => ({ isTaken: false, error: isClosed ? 'stopped' : errorOf(code), status: null })

  /** Connects, and verifies that the certificate is valid for the host. */
  const open = () =>
    new Promise<TLSSocket>((resolve, reject) => {
      const servername = isIP(host) ? undefined : host
      const made = connect({ host, port: Number(port) || DEFAULT_PORT, servername, ...tls, minVersion: 'TLSv1.2' })
      made.setTimeout(CONNECT_WITHIN_MS, () => made.destroy(Object.assign(new Error('timeout'), { code: 'timeout' })))
      made.once('error', reject)
      made.once('close', () => reject(new Error('closed')))
      made.once('secureConnect', () => {
        made.setTimeout(0)
        made.setKeepAlive(true, KEPT_ALIVE_MS)
        // Any data from the collector is read and discarded, so that the end of the connection is noticed.
        made.resume()
        made.on('error', () => {})
        made.on('close', () => {
          if (socket === made) socket = null
        })
        setTimeout(resolve, made.getProtocol() === 'TLSv1.3' ? REFUSES_WITHIN_MS : 0, made)
      })
      if (isClosed) made.destroy()
      else opening = made
    })
  let opening: TLSSocket | null = null

  /** Ends the connection, so that the next messages go out on a new one. */
  function drop() {
    socket?.destroy()
    socket = null
  }

  /** Returns once the kernel has the piece. */
  const write = (to: TLSSocket, piece: Buffer) =>
    new Promise<Outcome>((resolve) => {
      const late = setTimeout(() => resolve(failed('timeout')), TAKES_WITHIN_MS)
      to.write(piece, (error?: NodeJS.ErrnoException | null) => {
        clearTimeout(late)
        resolve(error ? failed(error.code) : { isTaken: true })
      })
    })

  async function sendAll(text: string): Promise<Outcome> {
    const to = socket
    if (isClosed || !to?.writable) return failed()
    const bytes = Buffer.from(text)
    let outcome: Outcome = { isTaken: true }
    for (let [from, size] = [0, AT_ONCE]; outcome.isTaken && from < bytes.length; from += size) {
      // On a stop, hands over the whole rest at once, so that no message is cut off while the collector still takes it.
      if (isClosed) size = bytes.length
      outcome = await write(to, bytes.subarray(from, from + size))
    }
    if (!outcome.isTaken) drop()
    return outcome
  }

  return {
    /** Connects if there is no connection. Returns whether the connection is new, or the failure. */
    async connect(): Promise<{ isNew: boolean } | { failed: Outcome }> {
      if (socket?.writable) return { isNew: false }
      try {
        socket = await open()
        return { isNew: true }
      } catch (error) {
        return { failed: failed((error as NodeJS.ErrnoException).code) }
      } finally {
        opening = null
      }
    },
    drop,
    /** Returns once the kernel has the whole text. */
    send: (text: string) => (sending = sendAll(text)),
    async close() {
      isClosed = true
      opening?.destroy()
      const late = setTimeout(drop, STOPS_WITHIN_MS)
      await sending
      clearTimeout(late)
      socket?.end()
      socket?.destroySoon()
    },
  }
}
