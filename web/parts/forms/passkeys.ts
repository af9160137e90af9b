/** Making and using passkeys through the browser's WebAuthn API. */
import { answer, api, type Schemas } from '../../platform/client.ts'
import { Refusal } from '../../platform/refusal.ts'
import { both } from './passkeys-texts.ts'

export type Assertion = Schemas['PasskeyAssertion']
export type Attestation = Schemas['PasskeyAttestation']

/** Whether the browser can use passkeys on this page. */
export const hasPasskeys = () =>
  isSecureContext && typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Whether the browser can offer passkeys in a field. */
export const offersInField = async () => hasPasskeys() && !!(await PublicKeyCredential.isConditionalMediationAvailable?.())

const failed = (what: keyof typeof both.ar) => new Refusal(0, { messageAr: both.ar[what], messageEn: both.en[what] })

/** A text for a form about why the browser gave no passkey. The browser's own messages are in its language and for programmers. */
function meaningOfFailure(failure: unknown) {
  const { name } = failure as Error
  if (name === 'InvalidStateError') return failed('known')
  if (name === 'SecurityError') return failed('address')
  return name === 'NotAllowedError' || name === 'AbortError' ? failed('none') : failed('failed')
}

type Purpose = 'sign_in' | 'second_factor' | 'confirm' | 'link'

/** Asks the browser for a passkey. With `inField` it waits until the person chooses one in a field, or `signal` aborts. */
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

/** Makes a passkey on this device, or on a nearby device that the browser can reach. */
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
 * Tells the browser to stop offering passkeys of the person that the portal no longer accepts. Some browsers ignore this or lack it. Only
 * for people who have just confirmed themselves: the list of accepted passkeys must not reach somebody who fails to sign in.
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
