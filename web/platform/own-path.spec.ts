import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './own-path.ts'

test('an address that leads to another host becomes /', () => {
  for (const text of [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'https://evil.example',
    'javascript:1',
    '',
  ])
    assert.equal(ownPath(text), '/', JSON.stringify(text))
})

test('an address of the portal stays as it is', () => {
  for (const text of ['/', '/orders?status=pending#top', '/apps/بوابة', '/a//b']) {
    assert.equal(ownPath(text), text)
    assert.equal(new URL(text, 'https://portal.example').host, 'portal.example')
  }
})
