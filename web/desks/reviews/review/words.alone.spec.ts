/** The words and links about the person of an item. */
import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Item } from '../data.ts'

// Relative times are renewed each minute, which would keep the process open.
Object.assign(globalThis, { setInterval: () => 0 })
const { both } = await import('../texts.ts')
const { pageOf, signInOf } = await import('./words.ts')

const person = { id: 7, username: 'stock', displayNameAr: null, displayNameEn: null, avatarUrl: null }
const itemOf = (fields: Partial<Item>) => ({ person, lastSignInAt: null, ...fields }) as Item

test('an item about a service account links to its page or to its source’s page, and names the service account instead of saying “never signed in”', () => {
  assert.equal(pageOf(itemOf({})), '/admin/users/7')
  assert.equal(pageOf(itemOf({ isServiceAccount: true })), '/admin/service-accounts/7')
  assert.equal(pageOf(itemOf({ isServiceAccount: true, sourceId: 3 })), '/admin/provisioning/3')
  const said = [signInOf(itemOf({})), signInOf(itemOf({ isServiceAccount: true }))]
  assert.ok(Object.values(both).some(({ neverIn }) => neverIn.person === said[0] && neverIn.serviceAccount === said[1]))
})
