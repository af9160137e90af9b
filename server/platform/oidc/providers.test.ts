import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../database/db.ts'
import { type Outbound, OutboundError } from '../outbound.ts'
import { openProviders } from './providers.ts'

const issuer = { id: 1, issuer: 'https://id.example.org' }
/** Providers whose calls fail with this code, and the number of these calls. */
function openFailing(code: string) {
  const failing = { calls: 0 }
  const fail = () => {
    failing.calls++
    return Promise.reject(new OutboundError('id.example.org', 'could not be asked', { code }))
  }
  const outbound: Outbound = { fetch: fail, ask: fail, close: async () => {} }
  return Object.assign(failing, openProviders({} as Db, outbound, [], { log: () => {}, onError: () => {}, rateLimits: true }))
}
/** What is noted of a provider once a call to it has failed with this code. */
async function notedAfter(code: string) {
  const providers = openFailing(code)
  await assert.rejects(providers.askOf(issuer)(new URL(issuer.issuer)), { reason: 'unreachable' })
  return providers.answered(1)
}

test('a provider that does not answer is noted as such', async () => {
  for (const code of ['timeout', 'ECONNREFUSED', '']) assert.equal(await notedAfter(code), false, code)
})

test('a call that the portal itself held up or stopped says nothing about the provider', async () => {
  for (const code of ['line', 'stopped']) assert.equal(await notedAfter(code), undefined, code)
})

test('a stranger’s token makes the portal ask a provider that does not answer only every 30 s, and at once if the portal itself held the call up', async () => {
  for (const [code, isAskedAgain] of [
    ['timeout', false],
    ['line', true],
  ] as const) {
    const providers = openFailing(code)
    const come = () => assert.rejects(providers.forStranger(issuer, { metadata: null, fetchedAt: null }, 'new'), { reason: 'unreachable' })
    await come()
    const { calls } = providers
    await come()
    assert.equal(providers.calls > calls, isAskedAgain, code)
  }
})
