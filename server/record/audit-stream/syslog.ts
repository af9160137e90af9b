/** Sends messages to a collector by syslog over TLS (RFC 5425). Nothing acknowledges them: what the kernel has taken counts as sent. */
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { AuditStream } from '../../platform/config-audit-stream.ts'
import { bareHost } from '../../platform/outbound.ts'
import { errorOf } from '../webhooks/rules.ts'
import type { Outcome } from './outcome.ts'

const CONNECT_WITHIN_MS = 10_000
/** In TLS 1.3, a collector refuses the portal's certificate, or the lack of one, after the handshake: what is written before that is lost. */
const REFUSES_WITHIN_MS = 500
const WRITE_WITHIN_MS = 10_000
const KEPT_ALIVE_MS = 15_000
const DEFAULT_PORT = 6514

const codeOf = (error: Error & { code?: string }): Outcome => ({ isTaken: false, error: errorOf(error.code ?? ''), status: null })
const stopped: Outcome = { isTaken: false, error: 'stopped', status: null }

/** A connection that is opened again when it was lost. */
export function openSyslog({ url, tls }: AuditStream) {
  const { hostname, port } = new URL(url)
  const host = bareHost(hostname)
  let socket: TLSSocket | null = null
  let isClosed = false

  /** Connects. The certificate is verified, for the host's name. */
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
        // A collector says nothing; whatever it says is thrown away, so that its end is noticed.
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

  return {
    /** Connects if there is no connection. Returns whether it is a new one, or what failed. */
    async connect(): Promise<{ isNew: boolean } | { failed: Outcome }> {
      if (socket?.writable) return { isNew: false }
      try {
        socket = await open()
        return { isNew: true }
      } catch (error) {
        return { failed: isClosed ? stopped : codeOf(error as Error) }
      } finally {
        opening = null
      }
    },
    /** Ends the connection, so that the next messages come on a new one. */
    drop() {
      socket?.destroy()
      socket = null
    },
    /** Returns once the kernel has all of it. */
    async send(text: string): Promise<Outcome> {
      const open = socket
      if (!open?.writable) return isClosed ? stopped : { isTaken: false, error: 'closed', status: null }
      let late: NodeJS.Timeout | undefined
      const outcome = await new Promise<Outcome>((resolve) => {
        late = setTimeout(() => resolve({ isTaken: false, error: 'timeout', status: null }), WRITE_WITHIN_MS)
        open.once('close', () => resolve(isClosed ? stopped : { isTaken: false, error: 'closed', status: null }))
        open.write(text, (error) => resolve(error ? codeOf(error) : { isTaken: true }))
      })
      clearTimeout(late)
      if (!outcome.isTaken) this.drop()
      return outcome
    },
    close() {
      isClosed = true
      opening?.destroy()
      socket?.end()
      socket?.destroySoon()
    },
  }
}
