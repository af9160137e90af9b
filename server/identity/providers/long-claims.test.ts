/** The cookie that waits for the proof of an account has room for the longest claims. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD } from '../../../test/portal.ts'

const { portal, signIn, change } = lyingPortal({ refreshProfile: true })

const prove = ({ browser }: Awaited<ReturnType<typeof signIn>>) => browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })

test('an account is proven with the longest claims, and its groups are joined', async () => {
  const huda = await portal.person('huda')
  const { body: group } = await portal.admin.post('/groups', { name: 'Finance' })
  await change({ groupRules: [{ value: 'finance', groupId: group.id }] })
  const groupNames = async () => (await portal.admin.get(`/users/${huda.id}`)).body.groups.map(({ name }: { name: string }) => name)
  const groups = ['finance', ...Array.from({ length: 500 }, (_, n) => `مجموعة ${n}`)]
  const claims = { sub: 'h'.repeat(255), email: 'huda@example.org', preferred_username: 'x'.repeat(4096), name: 'ه'.repeat(200), groups }
  const came = await signIn(claims)
  assert.equal(came.path, '/sign-in/connect?provider=liar')
  assert.equal((await prove(came)).status, 200)
  assert.equal((await came.browser.me()).body.displayNameEn, claims.name)
  assert.ok((await groupNames()).includes('Finance'))
})

test('a sign-in is refused if its claims do not fit into a cookie', async () => {
  await portal.person('lina')
  const { browser, path } = await signIn({ sub: '\u0001'.repeat(255), sid: '\u0001'.repeat(255), email: 'lina@example.org' })
  assert.deepEqual([path, browser.cookies().has('portal_pending')], ['/sign-in?failed=claims', false])
})
