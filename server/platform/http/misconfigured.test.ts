import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import { Client, openInstance, testPortal } from '../../../test/portal.ts'

const lines: string[] = []
const log = pino({ level: 'warn', base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
const portal = testPortal({}, log)
/** The warnings of this kind since the last call, without those that a slow machine causes. */
const warnings = (kind: 'origin' | 'ip') =>
  lines
    .splice(0)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => kind in line)

test('refused origins are logged once each, a hundred at most', async () => {
  const call = (origin: string) => portal.admin.send('POST', '/notes', { title: 'x' }, { origin })
  for (const origin of ['https://portal.example.org', 'https://portal.example.org', 'null']) assert.equal((await call(origin)).status, 403)
  assert.deepEqual(
    warnings('origin').map(({ origin, expected }) => [origin, expected]),
    [
      ['https://portal.example.org', 'http://localhost:3000'],
      ['null', 'http://localhost:3000'],
    ],
  )
  await Promise.all(Array.from({ length: 150 }, (_, at) => call(`https://${at}.example.org`)))
  assert.equal(warnings('origin').length, 98)
})

test('an untrusted proxy is logged once, a trusted one never', async () => {
  for (const [settings, count] of [
    [{}, 1],
    [{ TRUST_PROXY: 'loopback' }, 0],
  ] as const) {
    const instance = await openInstance(portal.connection, settings, log)
    after(instance.close)
    const client = new Client(instance.base)
    for (let times = 0; times < 3; times++) await client.send('GET', '/healthz', undefined, { 'x-forwarded-for': '192.0.2.7' })
    await client.get('/healthz')
    assert.deepEqual(
      warnings('ip').map(({ ip }) => ip),
      Array(count).fill('127.0.0.1'),
    )
  }
})
