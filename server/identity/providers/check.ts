/** Checks a provider’s metadata, keys and clock, before people sign in with it. */
import type { JWK } from 'jose'
import { type ClientAuth, SKEW_SECONDS } from '../../platform/oidc/exchange.ts'
import { SignInFailure } from '../../platform/oidc/failures.ts'
import { type Ask, algorithmsOf, fetchKeys, fetchMetadata, isProviderUrl, type Metadata } from '../../platform/oidc/metadata.ts'
import type { ProviderCheck } from './shapes.ts'

const problems = {
  unreachable: ['The provider does not answer at this address.', 'لا يردّ مزوّد الدخول على هذا العنوان.'],
  wrong_issuer: [
    'The provider calls itself something else: enter the issuer exactly as its metadata has it.',
    'يعرّف المزوّد نفسه باسم آخر؛ أدخل عنوان المُصدِر كما يرد في بياناته الوصفية تمامًا.',
  ],
  malformed: ['The provider’s metadata or keys are not valid.', 'البيانات الوصفية للمزوّد أو مفاتيحه غير صالحة.'],
  no_code_flow: ['The provider does not offer the authorization code flow.', 'لا يتيح المزوّد تدفق رمز التفويض.'],
  no_pkce: ['The provider does not support PKCE with S256.', 'لا يدعم المزوّد PKCE بطريقة S256.'],
  no_algorithm: ['The provider signs with none of the accepted algorithms.', 'لا يوقّع المزوّد بأي من الخوارزميات المقبولة.'],
  no_keys: ['The provider publishes no key for its signatures.', 'لا ينشر المزوّد مفتاحًا لتوقيعاته.'],
  client_auth: [
    'The provider does not accept the chosen way of authenticating the portal.',
    'لا يقبل المزوّد الطريقة المختارة لإثبات هوية البوابة.',
  ],
  no_secret: ['The client secret is missing.', 'سر العميل غير موجود.'],
  clock: [
    'The clocks of the portal and of the provider differ by more than a minute.',
    'يزيد الفرق بين ساعة البوابة وساعة المزوّد على دقيقة.',
  ],
} as const satisfies Record<string, readonly [en: string, ar: string]>
type Code = keyof typeof problems

const described = (code: Code) => ({ code, messageAr: problems[code][1], messageEn: problems[code][0] })

const methodOf = { basic: 'client_secret_basic', post: 'client_secret_post', private_key_jwt: 'private_key_jwt' } as const

export interface Checked {
  issuer: string
  clientAuth: ClientAuth
  hasSecret: boolean
}

const isForSignatures = ({ kty, use }: JWK) => kty !== 'oct' && (use === undefined || use === 'sig')

function problemsIn(metadata: Metadata, keys: readonly JWK[], { clientAuth, hasSecret }: Checked): Code[] {
  const {
    response_types_supported: types,
    code_challenge_methods_supported: challenges,
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  } = metadata
  const needsSecret = clientAuth === 'basic' || clientAuth === 'post'
  const isAccepted = clientAuth === 'none' || methods.includes(methodOf[clientAuth])
  return [
    ...(types && !types.includes('code') ? ['no_code_flow' as const] : []),
    ...(challenges && !challenges.includes('S256') ? ['no_pkce' as const] : []),
    ...(algorithmsOf(metadata).length === 0 ? ['no_algorithm' as const] : []),
    ...(keys.some(isForSignatures) ? [] : ['no_keys' as const]),
    ...(isAccepted ? [] : ['client_auth' as const]),
    ...(needsSecret && !hasSecret ? ['no_secret' as const] : []),
  ]
}

/** How many seconds the portal’s clock is ahead of an answer's `Date`; null if the answer has none. */
function secondsAhead(date: string | null) {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(theirs) ? null : Math.round((Date.now() - theirs) / 1000)
}

const codeOf = ({ reason }: SignInFailure): Code =>
  reason === 'token' ? 'wrong_issuer' : reason === 'unreachable' ? 'unreachable' : 'malformed'

/** Asks the provider for its metadata and keys. Returns the result, and the metadata if there are no problems. */
export async function checkProvider(ask: Ask, internalHosts: readonly string[], checked: Checked) {
  const nothing = { issuer: checked.issuer, algorithms: [], endpoints: {}, backchannelLogout: false, clockSeconds: null }
  const failed = (code: Code) => ({ check: { ...nothing, problems: [described(code)] } as ProviderCheck, metadata: null })
  if (!isProviderUrl(checked.issuer, internalHosts)) return failed('unreachable')
  try {
    const { metadata, date } = await fetchMetadata(ask, checked.issuer, internalHosts)
    const keys = await fetchKeys(ask, metadata)
    const clockSeconds = secondsAhead(date)
    const isOff = clockSeconds !== null && Math.abs(clockSeconds) > SKEW_SECONDS
    const codes = [...problemsIn(metadata, keys, checked), ...(isOff ? ['clock' as const] : [])]
    const endpoints = Object.fromEntries(
      Object.entries(metadata).filter(
        (entry): entry is [string, string] => /_(endpoint|uri)$/.test(entry[0]) && typeof entry[1] === 'string',
      ),
    )
    const check: ProviderCheck = {
      issuer: metadata.issuer,
      algorithms: algorithmsOf(metadata),
      endpoints,
      backchannelLogout: metadata.backchannel_logout_supported === true,
      clockSeconds,
      problems: codes.map(described),
    }
    return { check, metadata: codes.length ? null : metadata }
  } catch (error) {
    if (error instanceof SignInFailure) return failed(codeOf(error))
    throw error
  }
}
