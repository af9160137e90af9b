/** Load that strangers put on the portal, and settings that change during a sign-in, with registration open and closed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { openBrowser, type TestBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD, until } from '../../../test/portal.ts'

const failed = (reason: string) => `/sign-in?failed=${reason}`
const connect = '/sign-in/connect?provider=liar'

for (const registrationOpen of [true, false]) {
  const lying = lyingPortal({ createPeople: true }, { RATE_LIMITS: 'on' })
  const { portal, change, at, link, signIn } = lying
  const mode = registrationOpen ? 'registration is open' : 'registration is closed'
  const settled = async () => {
    await portal.ready
    const { status } = await portal.admin.patch('/settings', { registrationOpen })
    assert.equal(status, 200)
    await portal.sql('delete from rate_limits')
    lying.liar.repent()
  }
  const refusals = async () => {
    await portal.instance.providers.note()
    return (await portal.admin.get(at())).body.refusals24h
  }
  const exchanges = () => lying.liar.asked.filter((path) => path === '/token').length
  const callback = (browser: TestBrowser, state: string, query = '&code=z') =>
    browser.follow(`/api/auth/oidc/liar/callback?state=${state}${query}`)

  test(`${mode}: a sign-in attempt works once, even if it fails, and its failure is counted once`, async () => {
    await settled()
    const before = await refusals()
    for (const [query, reason] of [
      ['&code=z', 'token'],
      ['&error=x', 'denied'],
    ] as const) {
      const browser = openBrowser(portal)
      const state = new URL(await browser.start('liar')).searchParams.get('state')!
      const cookie = browser.cookies().get('portal_sso')!
      lying.liar.asked.length = 0
      const again = async () => {
        browser.cookies().set('portal_sso', cookie)
        return (await callback(browser, state, query)).path
      }
      assert.deepEqual([await again(), await again(), await again()], [failed(reason), failed('state'), failed('state')])
      assert.equal(exchanges(), query === '&code=z' ? 1 : 0)
    }
    const after = await refusals()
    assert.deepEqual([after.token, after.denied], [(before.token ?? 0) + 1, (before.denied ?? 0) + 1])
  })

  test(`${mode}: an attempt that is sent twelve times at once is exchanged once`, async () => {
    await settled()
    const browser = openBrowser(portal)
    const state = new URL(await browser.start('liar')).searchParams.get('state')!
    const headers = { cookie: `portal_sso=${browser.cookies().get('portal_sso')}` }
    lying.liar.asked.length = 0
    const send = async () => {
      const url = `${portal.base}/api/auth/oidc/liar/callback?state=${state}&code=z`
      return (await fetch(url, { redirect: 'manual', headers })).headers.get('location')
    }
    const paths = await Promise.all(Array.from({ length: 12 }, send))
    assert.deepEqual([paths.filter((path) => path === failed('token')).length, exchanges()], [1, 1])
  })

  test(`${mode}: a network may make four exchanges at once, and a hundred failed ones in a quarter of an hour`, async () => {
    await settled()
    const { liar } = lying
    const begun = async () => {
      const browser = openBrowser(portal)
      return { browser, state: new URL(await browser.start('liar')).searchParams.get('state')! }
    }
    const waiting: (() => void)[] = []
    liar.instead.set('/token', (response) => void waiting.push(() => response.writeHead(400).end('{}')))
    const coming = []
    for (let n = 0; n < 6; n++) {
      const { browser, state } = await begun()
      coming.push(callback(browser, state))
    }
    await until('four are asked', () => waiting.length === 4)
    for (let n = 0; n < 6; n++) {
      await until('the next is asked', () => waiting.length > 0)
      assert.ok(waiting.length <= 4)
      waiting.shift()!()
    }
    assert.deepEqual(new Set((await Promise.all(coming)).map(({ path }) => path)), new Set([failed('token')]))
    liar.instead.clear()

    for (let n = 0; n < 100; n++) {
      const { browser, state } = await begun()
      await callback(browser, state)
    }
    liar.asked.length = 0
    assert.equal((await signIn({ sub: 'honest', email: 'honest@example.org' })).path, failed('unreachable'))
    assert.deepEqual([exchanges(), Object.values(await refusals()).reduce((sum: number, n) => sum + Number(n), 0) <= 110], [0, true])
    await change({ nameEn: 'Mended' })
    assert.equal((await signIn({ sub: 'honest', email: 'honest@example.org' })).path, '/')
  })

  const settings: [what: string, settings: () => Record<string, unknown>][] = [
    ['another condition', () => ({ require: [{ claim: 'department', anyOf: ['finance'] }] })],
    ['no linking', () => ({ linking: 'never' })],
    ['a second factor of the portal', () => ({ secondFactor: 'own' })],
    ['shorter sessions', () => ({ sessionHours: 1 })],
    ['other claims', () => ({ claims: { username: 'sub', email: 'mail', nameAr: null, nameEn: null, language: null, groups: null } })],
    ['another client', () => ({ clientId: 'other' })],
  ]
  const usual = {
    require: [],
    linking: 'ask',
    secondFactor: 'trusted',
    sessionHours: null,
    clientId: 'portal',
    claims: { username: 'preferred_username', email: 'email', nameAr: null, nameEn: 'name', language: 'locale', groups: 'groups' },
  }
  test(`${mode}: a change of the settings voids waiting sign-ins and links`, async () => {
    await settled()
    await portal.person('waiting')
    const totp = await portal.person('second')
    const { secret } = await addTotp(totp)
    await link(totp, 'seconds')
    const waiting = async () => {
      await change({ secondFactor: 'own' })
      const second = await signIn({ sub: 'seconds' })
      await change({ secondFactor: 'trusted' })
      const linking = await signIn({ sub: 'waiting', email: 'waiting@example.org' })
      return { linking, second }
    }
    for (const [what, make] of settings) {
      const { linking } = await waiting()
      assert.equal(linking.path, connect)
      await change(make())
      const linked = await linking.browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })
      assert.deepEqual([what, linked.status, linked.body.code], [what, 401, 'invalid_credentials'])
      await change(usual)
    }
    const complete = async (browser: TestBrowser, n: number) =>
      (await browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret, n) })).status
    await change({ secondFactor: 'own' })
    for (const [what, make] of settings) {
      const { browser, path } = await signIn({ sub: 'seconds' })
      assert.equal(path, '/sign-in/second')
      await change({ ...make(), secondFactor: 'claims' })
      assert.deepEqual([what, await complete(browser, 0)], [what, 401])
      await change({ ...usual, secondFactor: 'own' })
      await portal.sql('delete from rate_limits')
    }
    const { browser } = await signIn({ sub: 'seconds' })
    assert.equal(await complete(browser, 0), 200)
    await change({ secondFactor: 'trusted' })
    const { browser: other } = await signIn({ sub: 'waiting', email: 'waiting@example.org' })
    assert.equal((await other.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })).status, 200)
  })

  test(`${mode}: a code of one client is never sent to another`, async () => {
    await settled()
    const browser = openBrowser(portal)
    const begun = await browser.start('liar')
    await change({ clientId: 'other' })
    lying.liar.asked.length = 0
    assert.equal(await lying.liar.answer(browser, { sub: 'mixed', aud: 'other' }, { at: begun }), failed('state'))
    assert.equal(exchanges(), 0)
    await change({ clientId: 'portal' })
  })
}
