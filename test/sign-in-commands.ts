/** Commands about factors, providers, the ways to sign in, tokens and service accounts, for the test of the order of locks. */
import assert from 'node:assert/strict'
import { addPasskey, addTotp, assertionOf, codeOf } from './factors.ts'
import type { makers } from './makers.ts'
import { browserOf, openBrowser } from './oidc/browser.ts'
import { openLiar } from './oidc/liar.ts'
import { addProvider } from './oidc/provider.ts'
import { type Answer, type Client, PASSWORD, type TestPortal } from './portal.ts'

/** The body of an answer; fails for a refusal. */
export async function must(answering: Promise<Answer>) {
  const { status, body, text } = await answering
  assert.ok(status < 300, text)
  return body
}

interface Records {
  admin: Client
  huda: Client
  role: { name: string }
  group: { id: number }
}

export const signInCommands = (
  portal: TestPortal,
  make: ReturnType<typeof makers>,
): Record<string, (setting: Records) => Promise<unknown>> => ({
  'factors of a person': async ({ admin }) => {
    const one = await make.newPerson()
    const { authenticator, passkey } = await addPasskey(one)
    const { recoveryCodes } = passkey
    const { secret } = await addTotp(one)
    await must(one.patch(`/auth/me/passkeys/${passkey.id}`, { name: 'Phone' }))
    await must(one.post('/auth/me/confirm', { recoveryCode: recoveryCodes![0] }))
    await must(one.post('/auth/me/confirm', { assertion: await assertionOf(one, authenticator, 'confirm') }))
    for (const proof of [{ code: codeOf(secret, 1) }, { recoveryCode: recoveryCodes![1] }]) {
      const browser = portal.stranger()
      await browser.post('/auth/login', { username: one.username, password: PASSWORD })
      await must(browser.post('/auth/login/second-factor', proof))
    }
    const browser = portal.stranger()
    await must(browser.post('/auth/passkeys/sign-in', { assertion: await assertionOf(browser, authenticator) }))
    await must(one.post('/auth/me/recovery-codes'))
    await must(one.delete('/auth/me/totp'))
    await must(one.delete(`/auth/me/passkeys/${passkey.id}`))
    await addPasskey(one)
    await must(admin.delete(`/users/${one.id}/factors`))
  },
  'signing in by a provider, and what is kept of it': async ({ admin, group }) => {
    const liar = await openLiar()
    const fields = { slug: 'liar', logout: 'provider', logoutHint: 'id_token', groupMode: 'manage', refreshProfile: true }
    const { id: groupId } = await make.newGroup()
    const id = await addProvider(portal, liar, { ...fields, groupRules: [{ value: 'a', groupId }] })
    const at = `/admin/sign-in/providers/${id}`
    await must(
      admin.patch(at, {
        isDefault: true,
        groupRules: [
          { value: 'a', groupId },
          { value: 'b', groupId: group.id },
        ],
      }),
    )
    const come = async (claims: object, browser = openBrowser(portal)) => {
      await liar.answer(browser, { ...claims })
      return browser
    }
    const stranger = { sub: 'stranger', email: 'stranger@example.org', groups: ['a'] }
    const browser = await come(stranger)
    await come({ ...stranger, name: 'Stranger', email: 'strange@example.org', groups: ['b'] }, browser)
    await browser.call('POST', '/auth/logout')
    const [one, other] = [await make.newPerson(), await make.newPerson()]
    const proving = await come({ sub: 'proven', email: `${one.username}@example.org` })
    await proving.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })
    const linking = browserOf(portal, other)
    const go = async (path: string, claims: object) =>
      liar.answer(linking, { auth_time: liar.now(), ...claims }, { at: (await linking.call('POST', path, {})).body.url })
    await go('/auth/me/identities/liar/start', { sub: 'linked' })
    await go('/auth/me/confirm/liar', { sub: 'linked' })
    const [identity] = await must(other.get('/auth/me/identities'))
    await must(other.delete(`/auth/me/identities/${identity.id}`))
    const trying = browserOf(portal, admin)
    await liar.answer(trying, {}, { at: (await trying.call('POST', `${at}/try`)).body.url })
    await come({ sub: 'proven', sid: 'one' })
    const token = { iss: liar.issuer, aud: 'portal', iat: liar.now(), jti: 'one', sid: 'one' }
    const form = new URLSearchParams({
      logout_token: await liar.sign({ ...token, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    })
    const isForm = { 'content-type': 'application/x-www-form-urlencoded' }
    await must(portal.stranger().send('POST', '/auth/oidc/liar/backchannel-logout', String(form), isForm))
    await must(admin.patch(at, { isActive: false }))
    await must(admin.patch(at, { clientId: 'other' }))
    await must(admin.delete(`${at}?force=true`))
  },
  'the ways to sign in': async () => {
    const boss = await make.newPerson({ roles: ['admin'] })
    await addPasskey(boss)
    const settings = '/admin/sign-in/settings'
    await must(boss.patch(settings, { graceDays: 30, secondFactorRoles: ['order_receiver'] }))
    await must(boss.patch(settings, { graceDays: 14, secondFactorRoles: [] }))
    await must(boss.post(`/users/${boss.id}/sign-in-exception`))
    await must(boss.delete(`/users/${boss.id}/sign-in-exception`))
  },
  'tokens and service accounts': async ({ admin, huda, role, group }) => {
    const fields = { name: 'Sync', scopes: ['profile:read'] }
    const made = async (by: Client, path: string) => must(by.post(path, fields))
    await must(huda.delete(`/auth/me/tokens/${(await made(huda, '/auth/me/tokens')).id}`))
    await must(admin.delete(`/admin/tokens/${(await made(huda, '/auth/me/tokens')).id}`))
    await must(portal.stranger().post('/tokens/revoke', { token: (await made(huda, '/auth/me/tokens')).token }))
    const account = { username: 'lock-order', roleNames: [role.name], contactUserId: huda.id }
    const path = `/service-accounts/${(await must(admin.post('/service-accounts', account))).id}`
    await must(admin.post(`/groups/${group.id}/users`, { userId: Number(path.split('/').at(-1)) }))
    await must(admin.patch(path, { roleNames: [], contactUserId: null, nameEn: 'Locks' }))
    await must(admin.delete(`${path}/tokens/${(await made(admin, `${path}/tokens`)).id}`))
    await made(admin, `${path}/tokens`)
    await must(admin.delete(`${path}?force=true`))
  },
})
