import { forgetRemovedPasskeys, makePasskey } from '../../parts/forms/passkeys.ts'
import { invalidate, resource, setCached } from '../../platform/cache.ts'
import { answer, api, type Schemas, shownOnce } from '../../platform/client.ts'

export type Session = Schemas['Session']
export type Passkey = Schemas['Passkey']
export type Identity = Schemas['OwnIdentity']
export type Overview = Schemas['OwnSecurity']

/** Whether somebody has a second factor. */
export const hasFactor = ({ passkeyCount, totpSince }: Overview) => passkeyCount > 0 || totpSince !== null

/** How the person can confirm themselves, which factors they have set up, and by when their role demands a second factor. */
export const overview = resource('/auth/me/security')
export const passkeys = resource('/auth/me/passkeys')
export const identities = resource('/auth/me/identities')
/** The ways to sign in that the portal offers. */
export const methods = resource('/auth/methods')
/** The person's active sessions, including this one. */
export const sessions = resource('/auth/me/sessions')

const changed = () => invalidate('/auth/me/security', '/auth/me/passkeys', '/auth/me/identities', '/auth/me/sessions')

/** Makes a passkey and saves it under a name. Returns recovery codes if it is the first factor, otherwise null. */
export async function addPasskey(name: string) {
  const attestation = await makePasskey()
  const { recoveryCodes } = await answer(api.POST('/auth/me/passkeys', { body: { name, attestation } }))
  changed()
  return recoveryCodes
}

export async function renamePasskey(id: number, name: string) {
  await answer(api.PATCH('/auth/me/passkeys/{id}', { params: { path: { id } }, body: { name } }))
  changed()
}

export async function removePasskey(id: number) {
  await answer(api.DELETE('/auth/me/passkeys/{id}', { params: { path: { id } } }))
  changed()
  // A failure here does no harm: the portal no longer accepts the passkey even if the browser still offers it.
  await forgetRemovedPasskeys().catch(() => {})
}

/** Makes a new secret for an authenticator app. It takes effect once a code proves that the app has it. */
export async function beginTotp() {
  const begun = await answer(api.POST('/auth/me/totp'))
  // `secret` and `uri` are both present, or both null.
  shownOnce(begun.secret)
  return begun as { secret: string; uri: string }
}

/** Proves the secret by a code. Returns recovery codes if the app is the first factor, otherwise null. */
export async function proveTotp(code: string) {
  const { recoveryCodes } = await answer(api.POST('/auth/me/totp/confirm', { body: { code } }))
  changed()
  return recoveryCodes
}

export async function removeTotp() {
  await answer(api.DELETE('/auth/me/totp'))
  changed()
}

/** Replaces the recovery codes; the former ones no longer work. */
export async function renewCodes() {
  const { recoveryCodes } = await answer(api.POST('/auth/me/recovery-codes'))
  changed()
  return shownOnce(recoveryCodes)
}

/** Goes to a provider to connect the person's account there. The provider leads back to the security page. */
export async function connect(slug: string) {
  const returnTo = `/account/security?connected=${slug}`
  const { url } = await answer(api.POST('/auth/me/identities/{slug}/start', { params: { path: { slug } }, body: { returnTo } }))
  location.assign(url)
}

export async function disconnect(id: number) {
  await answer(api.DELETE('/auth/me/identities/{id}', { params: { path: { id } } }))
  changed()
}

/** Changes the password, or sets a first one for somebody who has confirmed themselves; all other sessions end. */
export async function changePassword(currentPassword: string | undefined, newPassword: string) {
  setCached('/auth/me', await answer(api.POST('/auth/me/password', { body: { currentPassword, newPassword } })))
  changed()
}

/** Ends the given sessions: a single one, or all but the current one. */
export const endSessions = async (some: Session[]) => {
  const gone = new Set(some.map(({ id }) => id))
  const undo = sessions.change((all) => all.filter(({ id }) => !gone.has(id)))
  try {
    for (const id of gone) await answer(api.DELETE('/auth/me/sessions/{id}', { params: { path: { id } } }))
  } catch (failure) {
    undo()
    sessions.refresh()
    throw failure
  }
}
