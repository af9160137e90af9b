/** Tells in the log, once each, of what the proxy or PUBLIC_URL may be set up wrongly for: nobody else would learn of it. */
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

const MOST_TOLD = 100
const MOST_LETTERS = 200

export function openMisconfigured({ publicOrigin }: Config, log: Logger) {
  const told = new Set<string>()
  function once(key: string, tell: () => void) {
    if (told.size >= MOST_TOLD || told.has(key)) return
    told.add(key)
    tell()
  }
  return {
    /** A call from a page of another origin was refused. */
    noteForeign({ headers: { origin = 'none' } }: FastifyRequest) {
      const shown = origin.slice(0, MOST_LETTERS)
      once(`origin ${shown}`, () =>
        log.warn({ origin: shown, expected: publicOrigin }, 'calls of pages of another origin than that of PUBLIC_URL are refused'),
      )
    },
    /** A request may name whom it was forwarded for, by a proxy that is not among those of TRUST_PROXY. */
    noteForwarded({ headers, ip, socket: { remoteAddress } }: FastifyRequest) {
      if (headers['x-forwarded-for'] === undefined || ip !== remoteAddress) return
      once(`proxy ${ip}`, () =>
        log.warn({ ip }, 'X-Forwarded-For from here is not believed, and all whom it is sent for count as one address: see TRUST_PROXY'),
      )
    },
  }
}
