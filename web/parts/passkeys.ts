/** Passkeys, by the browser's own means. */
import { answer, api, type Schemas } from '../platform/client.ts'
import { Refusal } from '../platform/refusal.ts'
import { both } from './passkeys-texts.ts'

export type Assertion = Schemas['PasskeyAssertion']
export type Attestation = Schemas['PasskeyAttestation']

/** Whether the browser can use passkeys on this page. */
export const hasPasskeys = () =>
  isSecureContext && typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Whether the browser can offer passkeys in a field. */
export const offersInField = async () => hasPasskeys() && !!(await PublicKeyCredential.isConditionalMediationAvailable?.())

const failed = (what: keyof typeof both.ar) => new Refusal(0, { messageAr: both.ar[what], messageEn: both.en[what] })

/** Why the browser has given no passkey, for a form to show. Its own messages are in the browser's language, and for programmers. */
function meaningOfFailure(failure: unknown) {
  const { name } = failure as Error
  if (name === 'InvalidStateError') return failed('known')
  if (name === 'SecurityError') return failed('address')
  return name === 'NotAllowedError' || name === 'AbortError' ? failed('none') : failed('failed')
}

type Purpose = 'sign_in' | 'second_factor' | 'confirm' | 'link'

/** Asks the browser for a passkey. With `inField` it waits until the person chooses one in a field; `signal` ends that. */
export async function askPasskey(purpose: Purpose, { inField = false, signal }: { inField?: boolean; signal?: AbortSignal } = {}) {
  const { options } = await answer(api.POST('/auth/passkeys/options', { body: { purpose } }))
  try {
    const found = (await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
      ...(inField && { mediation: 'conditional' as const }),
      ...(signal && { signal }),
    })) as PublicKeyCredential
    return found.toJSON() as Assertion
  } catch (failure) {
    throw meaningOfFailure(failure)
  }
}

/** Makes a passkey on this device, or on one that the browser reaches. */
export async function makePasskey() {
  const { options } = await answer(api.POST('/auth/me/passkeys/options'))
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return made.toJSON() as Attestation
  } catch (failure) {
    throw meaningOfFailure(failure)
  }
}

/**
 * Has the browser stop offering those of the person’s passkeys that the portal no longer knows. Only somebody who has just confirmed who they
 * are learns which it knows: somebody who fails to sign in must not. Browsers may ignore it, or lack it.
 */
export async function forgetRemovedPasskeys() {
  if (!hasPasskeys() || !('signalAllAcceptedCredentials' in PublicKeyCredential)) return
  const { options } = await answer(api.POST('/auth/me/passkeys/options'))
  await PublicKeyCredential.signalAllAcceptedCredentials({
    rpId: options.rp.id,
    userId: options.user.id,
    allAcceptedCredentialIds: options.excludeCredentials.map(({ id }) => id),
  })
}
