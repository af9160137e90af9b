/** The headers that every answer has, and those that a request may have only once. */

/** The headers that helmet would set, as a test verifies, and `no-store`. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** Strict transport security only with TLS: a browser would refuse plain HTTP for a year. */
export const headersOfEveryAnswer = (isSecure: boolean): Record<string, string> =>
  isSecure ? { ...HEADERS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : HEADERS

/** If a request has such a header twice, Node keeps the first; a proxy in front may have judged by the last. */
const SINGLE = ['host', 'authorization', 'content-type']

/** Whether one of these headers comes twice. `rawHeaders` has names and values in turn; `headersDistinct` would cost five times as much. */
export function isAmbiguous(rawHeaders: readonly string[]) {
  const met = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!SINGLE.includes(name)) continue
    if (met.has(name)) return true
    met.add(name)
  }
  return false
}
