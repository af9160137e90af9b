import assert from 'node:assert/strict'
import { test } from 'node:test'
import argon2 from '@node-rs/argon2'
import { openPasswords } from './passwords.ts'

const passwords = openPasswords()
const strong = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

test('a password is hashed with the OWASP parameters and a fresh salt', async () => {
  const [one, other] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
  assert.match(one, strong)
  assert.match(other, strong)
  assert.notEqual(one, other)
})

test('a password matches only its own hash', async () => {
  const hash = await passwords.hash('mine')
  assert.deepEqual([await passwords.isRight('mine', hash), await passwords.isRight('Mine', hash)], [true, false])
})

test('without a stored hash, a check costs as much as with one', async (t) => {
  const verify = t.mock.method(argon2, 'verify')
  assert.equal(await passwords.isRight('nobody has this password', undefined), false)
  const [call, ...others] = verify.mock.calls
  assert.match(String(call!.arguments[0]), strong)
  assert.deepEqual(others, [])
})
