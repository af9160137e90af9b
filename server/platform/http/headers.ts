/** The headers of every answer: those that helmet would set, as a test verifies, and `no-store`. */

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
