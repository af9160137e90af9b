import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from './secrets.ts'

const [key, former] = ['k', 'f'].map((letter) => Buffer.alloc(32, letter).toString('base64url')) as [string, string]
const place = { table: 'things', column: 'secret', row: 7 }

test('a secret is decrypted in its place, and nowhere else', () => {
  const secrets = openSecrets({ secretsKey: key })
  const encrypted = secrets.encrypt(place, 'hunter2')
  assert.equal(secrets.decrypt(place, encrypted), 'hunter2')
  assert.equal(secrets.decrypt({ ...place, row: '7' }, encrypted), 'hunter2')
  for (const elsewhere of [{ row: 8 }, { table: 'others' }, { column: 'other' }])
    assert.throws(() => secrets.decrypt({ ...place, ...elsewhere }, encrypted), /^Error: the secret in .+ cannot be decrypted$/)
})

test('while the key is being changed, secrets of both keys are read, and new ones have the new key', () => {
  const before = openSecrets({ secretsKey: former }).encrypt(place, 'old')
  const secrets = openSecrets({ secretsKey: key, secretsKeyBefore: former })
  assert.equal(secrets.decrypt(place, before), 'old')
  const after = secrets.encrypt(place, 'new')
  assert.equal(openSecrets({ secretsKey: key }).decrypt(place, after), 'new')
  assert.throws(() => openSecrets({ secretsKey: key }).decrypt(place, before))
})

test('without a key, encrypting and decrypting are refused with `secrets_not_configured`', () => {
  const encrypted = openSecrets({ secretsKey: key }).encrypt(place, 'hunter2')
  const secrets = openSecrets({})
  assert.deepEqual([secrets.isConfigured, openSecrets({ secretsKey: key }).isConfigured], [false, true])
  for (const act of [() => secrets.encrypt(place, 'x'), () => secrets.decrypt(place, encrypted)])
    assert.throws(act, { name: 'Refusal', code: 'secrets_not_configured' })
})
