/** The limits on proofs of accounts and on exchanges, and attempts that are begun again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD, until } from '../../../test/portal.ts'
import { openShares } from '../../platform/oidc/shares.ts'

const { portal, signIn } = lyingPortal({}, { RATE_LIMITS: 'on' })

test('wrong passwords in proofs of an account and in sign-ins count together', async () => {
  await portal.person('huda')
  const { browser, path } = await signIn({ sub: 'hudas', email: 'huda@example.org' })
  assert.equal(path, '/sign-in/connect?provider=liar')
  const prove = async (password: string) => (await browser.call('POST', '/auth/oidc/pending/link', { password })).status
  const login = async () => (await portal.stranger().post('/auth/login', { username: 'huda', password: 'wrong' })).status
  for (let n = 0; n < 5; n++) assert.deepEqual([await prove('wrong'), await login()], [401, 401])
  assert.deepEqual([await login(), await prove(PASSWORD)], [429, 429])
})

test('a start that is repeated with its idempotency key sets its cookie again', async () => {
  const her = await portal.person('again')
  for (const _ of [1, 2]) {
    const { status, headers } = await her.send('POST', '/auth/me/confirm/liar', {}, { 'idempotency-key': 'k' })
    assert.deepEqual([status, headers.getSetCookie().map((cookie) => cookie.split('=')[0])], [200, ['portal_sso']])
  }
})

test('of four exchanges from each of six networks, sixteen run at a time at one provider, and they do not delay another provider', async () => {
  const { exchange } = openShares(true)
  const running: (() => void)[] = []
  const begin = (provider: number, network: number) =>
    exchange(provider, `network ${network}`, () => new Promise<void>((end) => void running.push(end)))
  const all = Array.from({ length: 24 }, (_, n) => begin(1, n % 6))
  await until('sixteen run', () => running.length === 16)
  await setImmediate()
  assert.equal(running.length, 16)
  all.push(begin(2, 0))
  await until('the other provider is asked', () => running.length === 17)
  for (const _ of all) {
    await until('the next runs', () => running.length > 0)
    running.shift()!()
  }
  await Promise.all(all)
})
