import { fieldError } from '../../platform/errors/field-errors.ts'
import { refuseFields } from '../../platform/errors/refusal.ts'
import { isProviderUrl } from '../../platform/oidc/metadata.ts'
import { isDomain } from '../../platform/text.ts'

export const MOST_PROVIDERS = 20
export const MOST_RULES = 2000

/** Notices: to a person about a new identity, to administrators about a provider that does not answer. */
export const providerNotices = {
  'identity.linked': ({ providerNameAr: ar, providerNameEn: en }: { providerNameAr: string; providerNameEn: string }) =>
    ({ template: 'identity_linked', params: { ar: { provider: ar }, en: { provider: en } } }) as const,
  'provider.unreachable': ({ nameAr: ar, nameEn: en }: { nameAr: string; nameEn: string }) =>
    ({ template: 'provider_unreachable', params: { ar: { provider: ar }, en: { provider: en } } }) as const,
}

interface ProviderSettings {
  issuer: string
  scopes: string
  linking: string
  domains: readonly string[]
}

/** Refuses an unusable issuer, scopes without `openid`, malformed domains, and linking by verified addresses without any domain. */
export function checkSettings({ issuer, scopes, linking, domains }: ProviderSettings, internalHosts: readonly string[]) {
  const isIssuer = isProviderUrl(issuer, internalHosts) && !new URL(issuer).search
  const details = [
    ...(isIssuer ? [] : [fieldError('issuer', 'providerAddress')]),
    ...(scopes.split(/\s+/).includes('openid') ? [] : [fieldError('scopes', 'enum', { allowedValues: ['openid'] })]),
    ...(linking === 'verified_email' && domains.length === 0 ? [fieldError('domains', 'minItems', { limit: 1 })] : []),
    ...domains.flatMap((domain, n) => (isDomain(domain) ? [] : [fieldError(`domains.${n}`, 'pattern', { form: 'domain' })])),
  ]
  if (details.length) refuseFields(details)
}

/** The domain of an address in lower case; undefined for a text that is not an address. */
const domainOf = (email: string) => /@([^@]+)$/.exec(email)?.[1]?.toLowerCase()

/** Whether the provider speaks for the domain of an address, regardless of case. Subdomains do not count. */
export const speaksFor = (domains: readonly string[], email: string) => {
  const domain = domainOf(email)
  return domain !== undefined && domains.some((one) => one.toLowerCase() === domain)
}

const MOST_CHARACTERS = 60
const ALLOWED = /\p{L}\p{M}*|[\p{Nd}._-]/gu
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Makes a username from a claim: the part before `@`, without characters that usernames cannot have; empty if nothing is left. */
export function usernameFrom(claim: string) {
  const text = claim
    .replace(/(?<=.)@.*$/s, '')
    .normalize('NFC')
    .replace(INVISIBLE, '')
  return [...(text.match(ALLOWED) ?? []).join('')].slice(0, MOST_CHARACTERS).join('')
}

const LAST_SUFFIX = 99
/** The usernames to try, one after the other. */
export const usernamesFrom = (name: string) => [name, ...Array.from({ length: LAST_SUFFIX - 1 }, (_, n) => `${name}-${n + 2}`)]
