/**
 * Logout tokens of providers (OpenID Connect Back-Channel Logout). Strangers can send them, so reading and verifying one makes no request.
 */

import type { JSONWebKeySet } from 'jose'
import { isObject } from '../is-object.ts'
import { isStorable } from '../text.ts'
import { fail, SignInFailure } from './failures.ts'
import { algorithmsOf, isAccepted, type Metadata } from './metadata.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const SKEW_SECONDS = 120
const MOST_CHARACTERS = 255

/** The sessions to end: those with `sid` (only those of `sub` if both are given), or all sessions of `sub`. */
export interface Logout {
  sub: string | null
  sid: string | null
  jti: string
  /** The time after which the token is too old to be accepted. */
  until: Date
}

/** Loaded on first use: most portals have no provider. */
const load = () => import('jose')

/** A text claim of at most 255 characters; null if it is missing or empty. Fails `token` for any other value. */
function textOf(value: unknown) {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' && value.length <= MOST_CHARACTERS && isStorable(value) ? value : fail('token', 'a claim is malformed')
}

/**
 * The id of the key that signed a logout token; undefined if the header names none. Reads only the header, and fails `token` if it cannot
 * be that of a logout token.
 */
export async function readKeyId(token: string) {
  const { decodeProtectedHeader } = await load()
  const header = await Promise.resolve(token)
    .then(decodeProtectedHeader)
    .catch(() => fail('token', 'it is no token'))
  const { kid, typ, alg } = header
  if (typ !== undefined && !/^(application\/)?logout\+jwt$/i.test(String(typ))) fail('token', 'typ is not logout+jwt')
  if (!isAccepted(alg)) fail('token', 'its algorithm is not accepted')
  return typeof kid === 'string' ? kid : undefined
}

/** The data that verifies a provider’s tokens. */
interface Signing {
  issuer: string
  clientId: string
  metadata: Metadata
  keys: JSONWebKeySet
}

/** Verifies a logout token. Fails `token` or `clock` if it is not valid. */
export async function readLogoutToken({ issuer, clientId, metadata, keys }: Signing, token: string): Promise<Logout> {
  const { createLocalJWKSet, jwtVerify } = await load()
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms: algorithmsOf(metadata),
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    const { iat, events, nonce } = payload
    if (Math.abs(Date.now() / 1000 - iat!) > SKEW_SECONDS) fail('clock', 'iat is out of its time')
    if (nonce !== undefined) fail('token', 'it has a nonce')
    if (!isObject(events) || !isObject(events[EVENT])) fail('token', 'it has no logout event')
    const [sub, sid, jti] = [textOf(payload.sub), textOf(payload['sid']), textOf(payload.jti)]
    if (!jti || !(sub || sid)) return fail('token', 'it has no jti, or neither sub nor sid')
    return { sub, sid, jti, until: new Date((iat! + SKEW_SECONDS) * 1000) }
  } catch (error) {
    if (error instanceof SignInFailure) throw error
    return fail('token', (error as { code?: string }).code)
  }
}
