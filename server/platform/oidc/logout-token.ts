/** Logout tokens of providers (OpenID Connect Back-Channel Logout). */
import { isStorable } from '../text.ts'
import { fail } from './failures.ts'
import { algorithmsOf } from './metadata.ts'
import type { Issuer, Providers, Stored } from './providers.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const SKEW_SECONDS = 120
const MOST_CHARACTERS = 255

/** Whose sessions end: those under `sid`, of `sub` alone where both are given, or all that began by `sub`. */
export interface Logout {
  sub: string | null
  sid: string | null
  jti: string
  /** After this moment, the token counts no longer. */
  until: Date
}

/** Loaded with the first use: most portals have no provider. */
const load = () => import('jose')

/** A short text of the token; null for a missing or empty one. */
function textOf(value: unknown) {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' && value.length <= MOST_CHARACTERS && isStorable(value) ? value : fail('token', 'a claim is malformed')
}

/** Reads a logout token. Fails as `SignInFailure` if it is not valid; throws another error if the provider’s keys cannot be had. */
export async function readLogoutToken(
  providers: Providers,
  { issuer, clientId, stored, ...provider }: Issuer & { clientId: string; stored: Stored },
  token: string,
): Promise<Logout> {
  const of = { ...provider, issuer }
  const { createLocalJWKSet, decodeProtectedHeader, jwtVerify } = await load()
  const metadata = await providers.metadataOf(of, stored)
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    if (typ !== undefined && !/^(application\/)?logout\+jwt$/i.test(typ)) fail('token', 'typ is not logout+jwt')
    const keys = await providers.keysOf(of, metadata, kid)
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: keys.map((key) => ({ ...key, kty: String(key.kty) })) }), {
      issuer,
      audience: clientId,
      algorithms: algorithmsOf(metadata),
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    const { iat, events, nonce } = payload
    if (Math.abs(Date.now() / 1000 - iat!) > SKEW_SECONDS) fail('clock', 'iat is out of its time')
    if (nonce !== undefined) fail('token', 'it has a nonce')
    const member = (events as Record<string, unknown> | null)?.[EVENT]
    if (typeof member !== 'object' || member === null) fail('token', 'it has no logout event')
    const [sub, sid, jti] = [textOf(payload.sub), textOf(payload['sid']), textOf(payload.jti)]
    if (!jti || !(sub || sid)) return fail('token', 'it has no jti, or neither sub nor sid')
    return { sub, sid, jti, until: new Date((iat! + SKEW_SECONDS) * 1000) }
  } catch (error) {
    if (error instanceof Error && error.name === 'SignInFailure') throw error
    return fail('token', (error as { code?: string }).code)
  }
}
