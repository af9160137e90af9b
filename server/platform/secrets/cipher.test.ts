import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decrypt, decryptWithAny, deriveKey, encrypt } from './cipher.ts'

const key = Buffer.alloc(32, 'k')
const other = Buffer.alloc(32, 'o')

test('any text decrypts to the same text with the same key and context', () => {
  for (const text of ['', 'hunter2', 'كلمة السر', 'x'.repeat(100_000), '\0\ud83d\ude00'])
    assert.equal(decrypt(key, encrypt(key, text, 'here'), 'here'), text)
})

test('a text is encrypted differently each time, and the result does not contain it', () => {
  const [one, two] = [encrypt(key, 'hunter2'), encrypt(key, 'hunter2')]
  assert.ok(!one.equals(two))
  assert.ok(!one.includes('hunter2'))
})

test('decrypting fails with another key or context, and after any changed, missing or added byte', () => {
  const encrypted = encrypt(key, 'hunter2', 'here')
  assert.throws(() => decrypt(other, encrypted, 'here'))
  assert.throws(() => decrypt(key, encrypted, 'there'))
  assert.throws(() => decrypt(key, encrypted))
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted)
    changed[at]! ^= 1
    assert.throws(() => decrypt(key, changed, 'here'), `byte ${at}`)
    assert.throws(() => decrypt(key, encrypted.subarray(0, at), 'here'), `the first ${at} bytes`)
  }
  assert.throws(() => decrypt(key, Buffer.concat([encrypted, Buffer.alloc(1)]), 'here'))
})

test('of several keys, the one that fits is found', () => {
  const encrypted = encrypt(other, 'hunter2', 'here')
  assert.equal(decryptWithAny([key, other], encrypted, 'here'), 'hunter2')
  assert.equal(decryptWithAny([key], encrypted, 'here'), undefined)
  assert.equal(decryptWithAny([other], encrypted, 'there'), undefined)
})

test('keys for different purposes differ, and each purpose has one', () => {
  assert.ok(deriveKey(key, 'one').equals(deriveKey(key, 'one')))
  assert.ok(!deriveKey(key, 'one').equals(deriveKey(key, 'two')))
  assert.ok(!deriveKey(key, 'one').equals(deriveKey(other, 'one')))
  // The expected value is from another implementation of HKDF-SHA-256 (RFC 5869), without salt.
  assert.equal(
    deriveKey(Buffer.alloc(32, 1), 'totp.secret').toString('hex'),
    'a85b385d0eca08ac23cf3601b8b029c5e9bd287348daa5bff7b4a4e7f942591d',
  )
})
