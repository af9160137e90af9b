import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { answers, seen } from '../../testing/outside.ts'
import { forgetRemovedPasskeys } from './passkeys.ts'

const signalled: object[] = []
const plain = Object.assign(() => {}, { parseRequestOptionsFromJSON() {} })
const signalling = Object.assign(() => {}, plain, { signalAllAcceptedCredentials: async (known: object) => signalled.push(known) })
const use = (credential: () => void) => Object.assign(globalThis, { isSecureContext: true, PublicKeyCredential: credential })

beforeEach(() => {
  seen.length = 0
  signalled.length = 0
})

test('the browser is told which of the person’s passkeys the portal still accepts', async () => {
  use(signalling)
  const excludeCredentials = ['one', 'two'].map((id) => ({ id, type: 'public-key', transports: [] }))
  answers.set('/auth/me/passkeys/options', { body: { options: { rp: { id: 'portal.test' }, user: { id: 'handle' }, excludeCredentials } } })
  await forgetRemovedPasskeys()
  assert.deepEqual(signalled, [{ rpId: 'portal.test', userId: 'handle', allAcceptedCredentialIds: ['one', 'two'] }])
})

test('the portal is not called if the browser cannot be told about passkeys', async () => {
  use(plain)
  await forgetRemovedPasskeys()
  assert.deepEqual([seen, signalled], [[], []])
})
