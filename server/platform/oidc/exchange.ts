/**
 * The authorization code flow with PKCE: sends a browser to the provider, and obtains claims for the code with which the browser returns.
 */
import { createHash, createPrivateKey, hash } from 'node:crypto'
import { isStorable } from '../text.ts'
import { fail, SignInFailure } from './failures.ts'
import { algorithmsOf, type Metadata } from './metadata.ts'
import type { Issuer, Providers, Stored } from './providers.ts'

export const SKEW_SECONDS = 60
const MOST_TOKEN_BYTES = 64 * 1024
const MOST_SUBJECT = 255

export type ClientAuth = 'basic' | 'post' | 'none' | 'private_key_jwt'

/** The portal's registration as a client of a provider. */
export interface ClientOf extends Issuer {
  clientId: string
  clientAuth: ClientAuth
  clientSecret: string | null
  /** PKCS #8 as PEM. */
  privateKey: string | null
  scopes: string
}

/** The secrets of an attempt, which the browser's return from the provider must match. */
interface Attempted {
  state: string
  nonce: string
  verifier: string
}

interface Authorization extends Attempted {
  redirectUri: string
  loginHint?: string | undefined
  /** Whether the provider must ask the person to sign in again. */
  isFresh?: boolean
}

/** The address at the provider that begins an attempt. */
export function authorizationUrl(
  client: ClientOf,
  metadata: Metadata,
  { state, nonce, verifier, redirectUri, loginHint, isFresh }: Authorization,
) {
  const url = new URL(metadata.authorization_endpoint)
  const parameters = {
    client_id: client.clientId,
    response_type: 'code',
    // A POST from another site would lack the cookie of the attempt.
    response_mode: 'query',
    scope: client.scopes,
    redirect_uri: redirectUri,
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...(loginHint && { login_hint: loginHint }),
    ...(isFresh && { prompt: 'login', max_age: '0' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The claims of a person, checked. */
export interface Claims {
  sub: string
  [name: string]: unknown
}

interface Back {
  attempt: Attempted
  redirectUri: string
  /** The parameters with which the browser returned from the provider. */
  answer: { code: string; iss?: string | undefined }
  stored: Stored
  /** The claims that userinfo is asked for if the id token lacks them. */
  wanted: readonly string[]
  /** The claim that has the person's e-mail address. */
  emailClaim: string
}

/** Loaded on first use: most portals have no provider. */
const load = () => import('openid-client')
type Library = Awaited<ReturnType<typeof load>>

async function authOf(library: Library, { clientAuth, clientSecret, privateKey }: ClientOf) {
  if (clientAuth === 'none') return library.None()
  if (clientAuth === 'private_key_jwt') {
    if (!privateKey) return fail('token', 'the portal has no key for this provider')
    const pkcs8 = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' })
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    return library.PrivateKeyJwt({ key, kid: KEY_ID })
  }
  if (!clientSecret) return fail('token', 'the provider’s secret is missing')
  return clientAuth === 'post' ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret)
}

/** The id of the portal’s own key at a provider. The portal has one key at a time for each provider. */
export const KEY_ID = 'portal'

/**
 * Exchanges an authorization code for the claims of a person. openid-client checks the id token’s issuer, audience, nonce and times, but
 * not its signature, its `at_hash` or whether it is from the future: jose verifies the signature, by the keys that also verify logout
 * tokens, and the rest is checked here. Every error is a `SignInFailure`.
 */
export async function exchange(providers: Providers, client: ClientOf, { attempt, redirectUri, answer, stored, ...claims }: Back) {
  const metadata = await providers.metadataOf(client, stored)
  const [library, { compactVerify }] = await Promise.all([load(), import('jose')])
  const algorithms = algorithmsOf(metadata)
  const config = new library.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: algorithms },
    client.clientId,
    { [library.clockTolerance]: SKEW_SECONDS },
    await authOf(library, client),
  )
  // `isProviderUrl` and the outbound calls decide which addresses may be http.
  library.allowInsecureRequests(config)
  let failure: SignInFailure | undefined
  // The library has no limits of size and time of its own.
  config[library.customFetch] = async (address, { method, headers, body }) => {
    try {
      const sent = body === undefined || body === null ? {} : { body: Buffer.from(String(body)) }
      const got = await providers.askOf(client)(new URL(address), { method: method as 'GET', headers: { ...headers }, ...sent })
      return new Response(got.status === 204 ? null : got.text, { status: got.status, headers: got.headers })
    } catch (error) {
      if (error instanceof SignInFailure) failure = error
      throw error
    }
  }

  const current = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, state: attempt.state }))
    if (value !== undefined) current.searchParams.set(name, value)
  try {
    const tokens = await library.authorizationCodeGrant(config, current, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    const [idToken, own] = [tokens.id_token!, tokens.claims()!]
    if (Buffer.byteLength(idToken) > MOST_TOKEN_BYTES) fail('claims', 'the id token is longer than 64 KiB')
    const { protectedHeader } = await compactVerify(idToken, await providers.keysOf(client, metadata), { algorithms })
    checkTimes(own)
    checkAccessToken(own['at_hash'], tokens.access_token, protectedHeader.alg)
    checkSubject(own.sub)
    const isComplete = claims.wanted.every((name) => own[name] !== undefined || isLeftOut(own, name))
    if (isComplete || !metadata.userinfo_endpoint) return { claims: own as Claims, idToken }
    const more = await library.fetchUserInfo(config, tokens.access_token, own.sub)
    return { claims: together(more, own, claims.emailClaim), idToken }
  } catch (error) {
    throw failure ?? failureOf(error)
  }
}

/** Whether the provider says that it leaves a claim out because of its length. */
const isLeftOut = (claims: Record<string, unknown>, name: string) =>
  (claims['_claim_names'] as Record<string, unknown> | undefined)?.[name] !== undefined

/**
 * Claims about the sign-in itself, taken from the signed token alone. Many providers let people edit their userinfo, and an
 * access token may be older than the sign-in.
 */
const OF_THE_TOKEN = new Set(['iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'jti', 'nonce', 'at_hash', 'c_hash', 's_hash'])
for (const name of ['amr', 'acr', 'auth_time', 'sid', 'hasgroups', '_claim_names', '_claim_sources']) OF_THE_TOKEN.add(name)

/** The claims of the id token, and those that only userinfo has. `email_verified` comes from the same source as the address. */
function together(more: Record<string, unknown>, own: Record<string, unknown>, emailClaim: string): Claims {
  const isOwn = own[emailClaim] !== undefined
  const others = Object.entries(more).filter(([name]) => !OF_THE_TOKEN.has(name) && (name !== 'email_verified' || !isOwn))
  const { email_verified: verified, ...rest } = own
  return { ...Object.fromEntries(others), ...rest, ...(isOwn && verified !== undefined && { email_verified: verified }) } as Claims
}

function checkTimes({ iat }: { iat: number }) {
  if (iat > Date.now() / 1000 + SKEW_SECONDS) fail('clock', 'the id token is from the future')
}

function checkSubject(sub: unknown) {
  if (typeof sub !== 'string' || sub === '' || sub.length > MOST_SUBJECT || !isStorable(sub)) fail('claims', 'sub is malformed')
}

/** Checks `at_hash`: the left half of the access token's hash, by the hash function of the signature. */
function checkAccessToken(claimed: unknown, accessToken: string, algorithm: string) {
  if (claimed === undefined) return
  const digest = createHash(/(?:256|384|512)$/.test(algorithm) ? `sha${algorithm.slice(-3)}` : 'sha512')
    .update(accessToken)
    .digest()
  const expected = digest.subarray(0, digest.length / 2).toString('base64url')
  if (claimed !== expected) fail('token', 'at_hash is not that of the access token')
}

/** The code of openid-client’s errors about times. */
const TIME = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'

/** Turns an error of a library into a failure. Only the error's code is used, because its message can contain claims. */
function failureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error
  const { code } = error as { code?: unknown }
  return new SignInFailure(code === TIME ? 'clock' : 'token', typeof code === 'string' ? code : 'the answer is not valid')
}
