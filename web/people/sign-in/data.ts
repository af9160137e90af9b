import { resource } from '../../platform/cache.ts'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { setting } from '../../platform/device.ts'
import { enterAs } from '../../platform/entering.ts'
import { Refusal } from '../../platform/refusal.ts'
import { LEAVING } from '../../platform/session.ts'

export type Provider = Schemas['SignInMethods']['providers'][number]

/** The ways to sign in that the portal offers. The form does not wait for them. */
export const methods = resource('/auth/methods')

/**
 * The setting that remembers that only exceptional accounts sign in by password, so that the password form does not appear and then
 * disappear.
 */
const FOLDED = 'sign-in-folded'
export const isFolded = () => (methods.data ? methods.data.password === 'exceptions' : setting.read(FOLDED) !== null)
export const rememberFolded = (is: boolean) => setting.write(FOLDED, is ? 'yes' : null)

/** The portal's conditions for the second step. They are lost when the page reloads; the form then accepts any kind of proof. */
let second: { methods: readonly string[]; expiresAt: string; mayTrust: boolean } | undefined
export const secondStep = () => second

/** Signs in. Returns whether a second step is needed. */
export async function signIn(username: string, password: string) {
  try {
    await enterAs(await answer(api.POST('/auth/login', { body: { username, password } })))
    return false
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'second_factor_required')) throw failure
    const { methods, expiresAt, mayTrustDevice } = failure.body
    second = { methods: (methods ?? []) as string[], expiresAt: String(expiresAt), mayTrust: mayTrustDevice === true }
    return true
  }
}

export const passSecondStep = async (proof: Schemas['SecondFactor']) =>
  enterAs(await answer(api.POST('/auth/login/second-factor', { body: proof })))

export const signInByPasskey = async (assertion: Schemas['PasskeyAssertion']) =>
  enterAs(await answer(api.POST('/auth/passkeys/sign-in', { body: { assertion } })))

/** Proves that the account with the provider's e-mail address belongs to the person, and signs in. */
export const proveAccount = async (proof: Schemas['AccountProof']) =>
  enterAs(await answer(api.POST('/auth/oidc/pending/link', { body: proof })))

/** Goes to a provider, which leads back to `returnTo`. */
export async function goToProvider(slug: string, returnTo: string, loginHint?: string) {
  const body = { returnTo, ...(loginHint && { loginHint }) }
  const { url } = await answer(api.POST('/auth/oidc/{slug}/start', { params: { path: { slug } }, body }))
  // A pending sign-out is dropped, because the session from the provider replaces the one that it should end.
  setting.write(LEAVING, null)
  location.assign(url)
}
