import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeApp } from './data.ts'

/** Answers a change with version 2 and any later reading with version 3, because somebody else has saved in between. */
function overtaken(_address: string, { method }: RequestInit) {
  const etag = method === 'PATCH' ? '"2"' : '"3"'
  return Promise.resolve(new Response(JSON.stringify({ id: 7, nameAr: 'قهوة', nameEn: 'Coffee' }), { headers: { etag } }))
}

test('the version of a saved app is that of the own change, even if somebody else has saved since', async (t) => {
  t.mock.method(globalThis, 'fetch', overtaken)
  assert.equal((await changeApp(7, { nameEn: 'Coffee' }, '"1"')).version, '"2"')
})
