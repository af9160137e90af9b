/** Fetches the metadata of a provider (OpenID Connect Discovery) and its keys, within limits of size and time. */
import type { JWK } from 'jose'
import { bareHost, type Outbound, OutboundError } from '../outbound.ts'
import { unstorableIn } from '../text.ts'
import { fail, SignInFailure } from './failures.ts'

const MOST_BYTES = 1024 * 1024

interface ProviderRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  withinMs?: number
}
interface ProviderResponse {
  status: number
  headers: Headers
  text: string
}
/** Sends a request to one provider, and notes whether the provider answers. */
export type Ask = (url: URL, asked?: ProviderRequest) => Promise<ProviderResponse>

/**
 * Sends a request to a provider. Fails `unreachable` if the response is missing, late, too long, a redirect, or an error of the server
 * (5xx).
 */
export async function askProvider(outbound: Outbound, url: URL, asked: ProviderRequest = {}): Promise<ProviderResponse> {
  const answer = await outbound.ask(url, { ...asked, mostBytes: MOST_BYTES + 1 }).catch((error: unknown) => {
    if (error instanceof OutboundError) throw new SignInFailure('unreachable', error.message, error)
    throw error
  })
  const { status, text } = answer
  if (Buffer.byteLength(text) > MOST_BYTES) fail('unreachable', `${url.host} answered with more than ${MOST_BYTES} bytes`)
  if (status >= 500 || (status >= 300 && status < 400)) fail('unreachable', `${url.host} answered ${status}`)
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, [value].flat().join(', '))
  return { status, headers, text }
}

/** Parses a JSON object from a provider. Fails `claims` if the text is no JSON object, or longer than `mostBytes`. */
function objectIn(text: string, mostBytes = MOST_BYTES): Record<string, unknown> {
  if (Buffer.byteLength(text) > mostBytes) fail('claims', `more than ${mostBytes} bytes`)
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Text that is not JSON fails below, like JSON that is no object.
  }
  return fail('claims', 'no JSON object')
}

const MOST_METADATA_BYTES = 256 * 1024
const MOST_KEYS = 100

/** The signature algorithms that the portal accepts. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The fields that the portal uses. Other fields are kept as they came, except nested values. */
export interface Metadata {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  userinfo_endpoint?: string
  end_session_endpoint?: string
  id_token_signing_alg_values_supported?: string[]
  code_challenge_methods_supported?: string[]
  token_endpoint_auth_methods_supported?: string[]
  response_types_supported?: string[]
  backchannel_logout_supported?: boolean
  authorization_response_iss_parameter_supported?: boolean
}
const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const optional = ['userinfo_endpoint', 'end_session_endpoint'] as const
const lists = [
  'id_token_signing_alg_values_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'response_types_supported',
] as const

/**
 * Whether the portal may call an address: https, or http to a host that the operator has named, without credentials and without a fragment.
 */
export function isProviderUrl(text: unknown, internalHosts: readonly string[]): text is string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && internalHosts.includes(bareHost(url.hostname)))
}

/** The signature algorithms that both the portal and the provider support. A provider that lists none supports RS256. */
export const algorithmsOf = ({ id_token_signing_alg_values_supported: theirs = ['RS256'] }: Metadata) =>
  ALGORITHMS.filter((algorithm) => theirs.includes(algorithm))

export const isAccepted = (algorithm: unknown) => typeof algorithm === 'string' && ALGORITHMS.includes(algorithm)

const isTexts = (value: unknown) => value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'))

/**
 * Fails `unreachable`, `claims` for metadata that is too long or malformed, or `token` for metadata of another issuer. The discovery of
 * openid-client is not used, because it hides the `Date` of the response, by which the clocks are compared.
 */
export async function fetchMetadata(ask: Ask, issuer: string, internalHosts: readonly string[], withinMs?: number) {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { status, text, headers } = await ask(url, withinMs === undefined ? {} : { withinMs })
  if (status !== 200) fail('unreachable', `${url.host} answered ${status}`)
  const metadata = objectIn(text, MOST_METADATA_BYTES) as Partial<Metadata>
  // The portal needs no nested values, which PostgreSQL refuses beyond some depth.
  for (const [name, value] of Object.entries(metadata)) if (typeof value === 'object' && !isTexts(value)) delete metadata[name as 'issuer']
  if (unstorableIn(metadata, 1).length) fail('claims', 'the metadata has characters that cannot be stored')
  if (metadata.issuer !== issuer) fail('token', 'the metadata is of another issuer')
  const lacking = needed.find((name) => !isProviderUrl(metadata[name], internalHosts))
  if (lacking) fail('claims', `the metadata has no ${lacking} that can be asked`)
  for (const name of optional) if (!isProviderUrl(metadata[name], internalHosts)) delete metadata[name]
  if (!lists.every((name) => isTexts(metadata[name]))) fail('claims', 'the metadata is malformed')
  return { metadata: metadata as Metadata, date: headers.get('date') }
}

/** The public keys of a provider. Fails `unreachable`, or `claims` for too many or malformed ones. */
export async function fetchKeys(ask: Ask, { jwks_uri }: Metadata): Promise<JWK[]> {
  const { status, text } = await ask(new URL(jwks_uri))
  if (status !== 200) fail('unreachable', `the address of the keys answered ${status}`)
  const { keys } = objectIn(text)
  if (!Array.isArray(keys) || keys.length > MOST_KEYS || !keys.every((key) => typeof key === 'object' && key !== null))
    return fail('claims', `the keys are malformed, or more than ${MOST_KEYS}`)
  return keys
}
