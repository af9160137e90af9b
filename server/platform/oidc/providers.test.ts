import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../database/db.ts'
import { type Outbound, OutboundError } from '../outbound.ts'
import { openProviders } from './providers.ts'

/** What is noted of a provider once a call to it has failed with this code. */
async function notedAfter(code: string) {
  const fail = () => Promise.reject(new OutboundError('id.example.org', 'could not be asked', { code }))
  const outbound: Outbound = { fetch: fail, ask: fail, close: async () => {} }
  const providers = openProviders({} as Db, outbound, [], { log: () => {}, onError: () => {}, rateLimits: true })
  const ask = providers.askOf({ id: 1, issuer: 'https://id.example.org' })
  await assert.rejects(ask(new URL('https://id.example.org')), { reason: 'unreachable' })
  return providers.answered(1)
}

test('a provider that does not answer is noted as such', async () => {
  for (const code of ['timeout', 'ECONNREFUSED', '']) assert.equal(await notedAfter(code), false, code)
})

test('a call that the portal itself held up or stopped says nothing about the provider', async () => {
  for (const code of ['line', 'stopped']) assert.equal(await notedAfter(code), undefined, code)
})
