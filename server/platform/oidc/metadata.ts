/** What a provider says of itself (OpenID Connect Discovery), and its keys. */
import type { JsonWebKey } from 'node:crypto'
import { bareHost } from '../outbound.ts'
import type { Ask } from './asking.ts'
import { fail } from './failures.ts'
import { jsonWithin } from './json-within.ts'

const MOST_METADATA_BYTES = 256 * 1024
const MOST_KEYS = 100

/** The signatures that the portal accepts. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The fields that the portal uses; others are kept as they came. */
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

export type Key = JsonWebKey & { kid?: string; alg?: string; use?: string }

/** Whether an address may be asked: https, or http of a host that the operator has named. */
export function isProviderUrl(text: unknown, internalHosts: readonly string[]): text is string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && internalHosts.includes(bareHost(url.hostname)))
}

/** The signatures that both sides know. A provider that names none has RS256. */
export const algorithmsOf = ({ id_token_signing_alg_values_supported: theirs = ['RS256'] }: Metadata) =>
  ALGORITHMS.filter((algorithm) => theirs.includes(algorithm))

export const isAccepted = (algorithm: unknown) => typeof algorithm === 'string' && ALGORITHMS.includes(algorithm)

const isTexts = (value: unknown) => value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'))

/** Fails `unreachable`; `claims` for metadata that is too long or malformed; `token` for that of another issuer. */
export async function fetchMetadata(ask: Ask, issuer: string, internalHosts: readonly string[], withinMs?: number) {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { status, text, headers } = await ask(url, withinMs === undefined ? {} : { withinMs })
  if (status !== 200) fail('unreachable', `${url.host} answered ${status}`)
  const metadata = jsonWithin(text, MOST_METADATA_BYTES) as Partial<Metadata>
  if (metadata.issuer !== issuer) fail('token', 'the metadata is of another issuer')
  const lacking = needed.find((name) => !isProviderUrl(metadata[name], internalHosts))
  if (lacking) fail('claims', `the metadata has no ${lacking} that can be asked`)
  for (const name of optional) if (!isProviderUrl(metadata[name], internalHosts)) delete metadata[name]
  // As the URL parser writes them: calls are told apart by their address.
  for (const name of [...needed, ...optional]) if (metadata[name] !== undefined) metadata[name] = new URL(metadata[name]).href
  if (!lists.every((name) => isTexts(metadata[name]))) fail('claims', 'the metadata is malformed')
  return { metadata: metadata as Metadata, date: headers.get('date') }
}

/** The public keys of a provider. Fails `unreachable`, or `claims` for too many or malformed ones. */
export async function fetchKeys(ask: Ask, { jwks_uri }: Metadata): Promise<Key[]> {
  const { status, text } = await ask(new URL(jwks_uri))
  if (status !== 200) fail('unreachable', `the address of the keys answered ${status}`)
  const { keys } = jsonWithin(text)
  if (!Array.isArray(keys) || keys.length > MOST_KEYS || !keys.every((key) => typeof key === 'object' && key !== null))
    return fail('claims', `the keys are malformed, or more than ${MOST_KEYS}`)
  return keys
}
