import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers } from '../../../testing/outside.ts'
import { orderProviders, providers } from './data.ts'

test('undoing the order of providers saves the former order', async (t) => {
  answers.set('/admin/sign-in/providers', {
    body: [1, 2].map((id, sortOrder) => ({ id, sortOrder, claims: {}, domains: [], acrValues: [] })),
  })
  const former = await providers.load()
  const sent: unknown[] = []
  t.mock.method(globalThis, 'fetch', (address: string, { body }: RequestInit) => {
    sent.push([Number(address.split('/').at(-1)), JSON.parse(String(body))])
    return Promise.resolve(new Response(JSON.stringify({ claims: {}, domains: [], acrValues: [] })))
  })
  await orderProviders(former.toReversed())
  await orderProviders(former)
  const set = (id: number, sortOrder: number) => [id, { sortOrder }]
  assert.deepEqual(sent, [set(2, 0), set(1, 1), set(1, 0), set(2, 1)])
})
