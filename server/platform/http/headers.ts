/** The headers that every answer carries. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** What helmet would set on each answer, asked once: it depends on nothing in a request. Strict transport only where there is TLS. */
export function headersOfEveryAnswer(isSecure: boolean) {
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
  })
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}
