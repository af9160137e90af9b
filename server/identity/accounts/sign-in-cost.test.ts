/** The statements that a sign-in sends to the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsDuring } from '../../../test/counting.ts'
import { addTotp, wrongCode } from '../../../test/factors.ts'
import { PASSWORD, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

const login = (username: string) => portal.stranger().post('/auth/login', { username, password: PASSWORD })

test('a sign-in without factors sends no statement that is only about factors', async () => {
  await portal.person('plain')
  await login('plain')
  const sent = await statementsDuring(() => login('plain'))
  // One statement reads whether passwords are open to the person, and their factors. It follows the lock, because the lock may have waited
  // for a command that changed these.
  assert.equal(sent.length, 11, sent.join('\n'))
  const [first, ...others] = sent.filter((text) => /passkeys|totp|recovery_codes|used_once|trusted/.test(text))
  const readsAgain = sent.find((text) => text.startsWith('select exists (select from totp'))!.slice(0, 40)
  assert.match(first!, /^select "id", "username", .* from "users"/)
  assert.deepEqual(
    others.map((text) => text.slice(0, 40)),
    [first!.slice(0, 40), readsAgain, 'with kept as ( select distinct on (user_'],
  )
})

test('neither a sign-in that waits for a factor nor a wrong factor writes anything', async () => {
  const one = await portal.person('waiting')
  const { secret } = await addTotp(one)
  const browser = portal.stranger()
  const writes = async (act: () => Promise<unknown>) =>
    (await statementsDuring(act)).filter((text) => /\b(insert into|delete from|update "?\w+"? set)\b/.test(text))
  assert.deepEqual(await writes(() => browser.post('/auth/login', { username: 'waiting', password: PASSWORD })), [])
  assert.deepEqual(await writes(() => browser.post('/auth/login/second-factor', { code: wrongCode(secret) })), [])
})
