/** People with second factors. */
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { type Authenticator, type Lie, newAuthenticator } from './authenticator.ts'
import { type Answer, type Client, PASSWORD } from './client.ts'
import type { TestPortal } from './portal.ts'

const STEP_MS = 30_000

/** The code of a secret, `steps` time steps from now. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: Date.now() + steps * STEP_MS })

/** A code that is wrong for the secret now and in the nearest time steps. */
export function wrongCode(secret: string) {
  const around = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !around.includes(code))!
}

const ok = ({ status, body, text }: Answer) => {
  assert.ok(status < 300, text)
  return body
}

/** Gives somebody an authenticator app. It is confirmed with the code of the previous time step, so the present code is unused. */
export async function addTotp(client: Client) {
  const { secret } = ok(await client.post('/auth/me/totp'))
  const prove = () => client.post('/auth/me/totp/confirm', { code: codeOf(secret, -1) })
  const first = await prove()
  // On a slow machine, the time step can end before the call arrives; the code is then too old.
  const { recoveryCodes } = ok(first.status === 400 ? await prove() : first)
  return { secret: secret as string, recoveryCodes: recoveryCodes as string[] | null }
}

export const ORIGIN = 'http://localhost:3000'

export async function addPasskey(client: Client, authenticator: Authenticator = newAuthenticator(ORIGIN), name = 'Laptop', lie: Lie = {}) {
  const { options } = ok(await client.post('/auth/me/passkeys/options'))
  const passkey = ok(await client.post('/auth/me/passkeys', { name, attestation: authenticator.create(options, lie) }))
  return { authenticator, passkey: passkey as { id: number; recoveryCodes: string[] | null } }
}

/** An assertion for a purpose, in the browser of the client. */
export async function assertionOf(client: Client, authenticator: Authenticator, purpose = 'sign_in', lie: Lie = {}) {
  const { options } = ok(await client.post('/auth/passkeys/options', { purpose }))
  return authenticator.get(options, lie)
}

interface Whose {
  /** The person whose factors change. */
  of: () => Client
  another: () => Promise<Client>
  /** Watches the events of somebody else. */
  watch: (one: Client) => Promise<unknown>
}
/** For each kind of change of factors, an act that causes such a change. */
export const factorActs = (portal: TestPortal, { of, another, watch }: Whose) => ({
  'factor.added': () => addPasskey(of()),
  'factor.removed': async () => of().delete(`/auth/me/passkeys/${(await addPasskey(of())).passkey.id}`),
  'passkey.renamed': async () => of().patch(`/auth/me/passkeys/${(await addPasskey(of())).passkey.id}`, { name: 'Phone' }),
  'recovery_codes.replaced': () => of().post('/auth/me/recovery-codes'),
  'recovery_code.used': async () => {
    await addTotp(of())
    const { recoveryCodes } = (await of().post('/auth/me/recovery-codes')).body
    const browser = portal.stranger()
    await browser.post('/auth/login', { username: of().username, password: PASSWORD })
    await browser.post('/auth/login/second-factor', { recoveryCode: recoveryCodes[0] })
    return of().delete('/auth/me/totp')
  },
  'factors.reset': async () => {
    const holder = await another()
    await addPasskey(holder)
    await watch(holder)
    return portal.admin.delete(`/users/${holder.id}/factors`)
  },
})
