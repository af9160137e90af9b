import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import helmet from 'helmet'
import { headersOfEveryAnswer } from './headers.ts'

/** The headers that helmet adds to an answer. */
async function askHelmet(options: Parameters<typeof helmet>[0]) {
  const setHeaders = helmet(options)
  const server = createServer((request, response) => setHeaders(request, response, () => response.end())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { connection, date, 'keep-alive': _, 'content-length': __, ...set } = Object.fromEntries(headers)
    return set
  } finally {
    server.close()
  }
}

for (const isSecure of [true, false])
  test(`${isSecure ? 'with' : 'without'} TLS, every answer has the headers that helmet sets, and forbids storing it`, async () => {
    const set = await askHelmet({
      contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
      strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
    })
    assert.deepEqual(headersOfEveryAnswer(isSecure), { 'cache-control': 'no-store', ...set })
  })
