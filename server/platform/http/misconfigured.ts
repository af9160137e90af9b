/** Logs signs of a wrong proxy setting or PUBLIC_URL, each of them once. Otherwise, only people whose calls are refused would notice. */
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

const MOST_LOGGED = 100
const MOST_LETTERS = 200

export function openMisconfigured({ publicOrigin }: Config, log: Logger) {
  const logged = new Set<string>()
  function once(key: string, write: () => void) {
    if (logged.size >= MOST_LOGGED || logged.has(key)) return
    logged.add(key)
    write()
  }
  return {
    /** Notes a refused call from a page of another origin. */
    noteForeign({ headers: { origin = 'none' } }: FastifyRequest) {
      const shown = origin.slice(0, MOST_LETTERS)
      once(`origin ${shown}`, () =>
        log.warn({ origin: shown, expected: publicOrigin }, 'refusing calls from pages of another origin than PUBLIC_URL'),
      )
    },
    /** Notes an `X-Forwarded-For` from a proxy that TRUST_PROXY does not list. */
    noteForwarded({ headers, ip, socket: { remoteAddress } }: FastifyRequest) {
      if (headers['x-forwarded-for'] === undefined || ip !== remoteAddress) return
      once(`proxy ${ip}`, () =>
        log.warn({ ip }, 'ignoring X-Forwarded-For from an untrusted proxy: all its clients count as one address (set TRUST_PROXY)'),
      )
    },
  }
}
