/** Verifies the responses of passkeys. The library is loaded with the first answer: most processes never need its 24 MiB. */

import type { Config } from '../../platform/config.ts'
import { lazily } from '../../platform/lazily.ts'
import type { Assertion, Attestation } from './shapes.ts'

const library = lazily(() => import('@simplewebauthn/server'))

/** EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257]

/** The relying party id: the host of PUBLIC_URL. */
export const rpIdOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => new URL(publicUrl).hostname

type Site = Pick<Config, 'publicOrigin' | 'publicUrl'>
const expectedBy = (site: Site, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: site.publicOrigin,
  expectedRPID: rpIdOf(site),
  requireUserVerification: true,
})

const readClientData = (text: string) =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as { challenge?: unknown; crossOrigin?: unknown }
/** The challenge that a response names; undefined if it names none. */
export function challengeIn({ response }: Assertion | Attestation) {
  try {
    return readClientData(response.clientDataJSON).challenge
  } catch {
    return undefined
  }
}
/** Whether a browser answered in a frame of another site. The library would accept such an answer. */
const isFramed = ({ response }: Assertion | Attestation) => Boolean(readClientData(response.clientDataJSON).crossOrigin)

interface Flags {
  credentialDeviceType: 'singleDevice' | 'multiDevice'
  credentialBackedUp: boolean
}
const backupOf = ({ credentialDeviceType, credentialBackedUp }: Flags) => ({
  maySync: credentialDeviceType === 'multiDevice',
  isSynced: credentialBackedUp,
})

/** A public key (ES256) that has no known private key. Unknown credentials are checked against it, so that they take the same time. */
const NOBODYS_KEY = Buffer.from(
  'pQECAyYgASFYILvIk23aZEhZ-hPpbyZ6zD-2mTdoj543f1QWcrqM34BaIlggHD54orS_-54osJT-hOokg6ftyFTr6nYtrJ7by_Jir48',
  'base64url',
)

/**
 * The counter and the flags of an assertion; undefined if it is not valid. An unknown credential (no key) takes the same time. The
 * caller compares the counter.
 */
export async function verifyAssertion(assertion: Assertion, publicKey: Buffer | undefined, site: Site, challenge: string) {
  const { verifyAuthenticationResponse } = await library.get()
  const { id, rawId, type, response } = assertion
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedBy(site, challenge),
      response: { id, rawId, type, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} },
      credential: { id, publicKey: new Uint8Array(publicKey ?? NOBODYS_KEY), counter: 0 },
    })
    if (!verified || !publicKey || isFramed(assertion)) return undefined
    return { counter: authenticationInfo.newCounter, ...backupOf(authenticationInfo) }
  } catch {
    // The library throws for every invalid assertion.
    return undefined
  }
}

/** The new passkey; undefined if the attestation is not valid. */
export async function verifyAttestation(attestation: Attestation, site: Site, challenge: string) {
  const { verifyRegistrationResponse } = await library.get()
  const { id, rawId, type, response } = attestation
  const { clientDataJSON, attestationObject } = response
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expectedBy(site, challenge),
      supportedAlgorithmIDs: ALGORITHMS,
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    })
    // The id beside the attestation is not signed.
    if (!verified || registrationInfo.credential.id !== id || isFramed(attestation)) return undefined
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      ...backupOf(registrationInfo),
    }
  } catch {
    return undefined
  }
}
