/** The headers that every answer carries: those of helmet (a test compares them) and that nothing is stored. */

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

/** Strict transport only where there is TLS: a browser would refuse to speak without it for a year. */
export const headersOfEveryAnswer = (isSecure: boolean): Record<string, string> =>
  isSecure ? { ...HEADERS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : HEADERS
