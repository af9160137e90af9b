/** The order of the providers on the sign-in page. */
import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, seen } from '../../../testing/outside.ts'
import { orderProviders, providers } from './data.ts'

test('undo of an order of providers sends the former order', async () => {
  const all = [1, 2, 3].map((id, sortOrder) => ({ id, sortOrder, claims: {}, domains: [], acrValues: [] }))
  answers.set('/admin/sign-in/providers', { body: all })
  for (const one of all) answers.set(`/admin/sign-in/providers/${one.id}`, { body: one })
  const [first, second, third] = await providers.load()
  const changed = () => seen.splice(0).map((call) => call.replace('PATCH /admin/sign-in/providers/', ''))
  await orderProviders([second!, first!, third!])
  assert.deepEqual(changed(), ['2', '1'])
  await orderProviders([first!, second!, third!])
  assert.deepEqual(changed(), ['1', '2'])
})
