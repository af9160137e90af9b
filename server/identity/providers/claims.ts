/** Reads a provider’s claims about a person, by the claim names in its settings. */

import { languageIn } from '../../platform/languages.ts'
import { isFetched } from '../../platform/objects/pictures.ts'
import { SKEW_SECONDS } from '../../platform/oidc/exchange.ts'
import { fail } from '../../platform/oidc/failures.ts'
import { cleanText, isStorable, isVisible, readAccountName } from '../../platform/text.ts'
import type { Claimed } from '../sessions/claimed.ts'
import type { Requirement, StoredProvider } from './queries.ts'

const MOST_BYTES = 4096
const MOST_GROUPS = 5000
const MOST_NAME = 200
/** A sign-in at the provider within this time counts as a confirmation. */
const FRESH_SECONDS = 300
/** Methods of `amr` that stand for a second factor. */
const STRONG = new Set(['mfa', 'hwk', 'swk', 'pop', 'fpt', 'otp'])

type Claims = Record<string, unknown>

function textOf(claims: Claims, name: string | null) {
  const value = name === null ? undefined : claims[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || Buffer.byteLength(value) > MOST_BYTES || !isStorable(value))
    return fail('claims', `${name} is malformed`)
  return value
}

/** A display name; null if nothing of it is visible. */
function nameOf(claims: Claims, name: string | null) {
  const text = cleanText([...(textOf(claims, name) ?? '')].slice(0, MOST_NAME).join(''), 'line')
  return isVisible(text) ? text : null
}

/** Entra leaves groups out of the claims if there are too many. */
const isOverage = (claims: Claims, name: string | null) =>
  claims['hasgroups'] === true ||
  claims['hasgroups'] === 'true' ||
  (name !== null && (claims['_claim_names'] as Claims | undefined)?.[name] !== undefined)

function groupsOf(claims: Claims, name: string | null) {
  const value = name === null ? undefined : claims[name]
  if (value === undefined || value === null) return null
  const values: unknown[] = [value].flat()
  const isFine = (one: unknown) => typeof one === 'string' && Buffer.byteLength(one) <= MOST_BYTES && isStorable(one)
  if (values.length > MOST_GROUPS || !values.every(isFine))
    return fail('claims', `${name} is malformed, or has more than ${MOST_GROUPS} groups`)
  return [...new Set(values as string[])]
}

/** Whether the claim has one of the values. */
const holds = (claims: Claims, { claim, anyOf }: Requirement) =>
  [claims[claim]].flat().some((value) => ['string', 'number', 'boolean'].includes(typeof value) && anyOf.includes(String(value)))

/** The address in the standard claim `picture` of OpenID Connect. An unusable one is ignored: nobody is kept out because of a picture. */
const pictureOf = ({ picture }: Claims) =>
  typeof picture === 'string' && picture.length <= MOST_BYTES && isFetched(picture) && URL.canParse(picture) ? picture : null

type ClaimSettings = Pick<StoredProvider, 'claims' | 'requirements' | 'secondFactor' | 'acrValues'>

/** The names of the claims that the settings use. */
export const wantedClaims = ({ claims, requirements }: Pick<StoredProvider, 'claims' | 'requirements'>) => [
  ...new Set([...Object.values(claims), ...requirements.map(({ claim }) => claim)].filter((name) => name !== null)),
]

function isStrong(claims: Claims, { secondFactor, acrValues }: ClaimSettings) {
  if (secondFactor === 'trusted') return true
  if (secondFactor === 'own') return false
  const methods = [claims['amr']].flat()
  return methods.some((method) => typeof method === 'string' && STRONG.has(method)) || acrValues.includes(String(claims['acr']))
}

/** Whether the person signed in at the provider within the last five minutes. */
function isFresh({ auth_time: at }: Claims) {
  const age = typeof at === 'number' ? Date.now() / 1000 - at : Number.NaN
  return age <= FRESH_SECONDS && age >= -SKEW_SECONDS
}

/** Reads the claims. Fails `claims` where they are malformed or too long, and `not_allowed` without a required one. */
export function readClaims(claims: Claims & { sub: string }, settings: ClaimSettings): Claimed {
  const { claims: names, requirements } = settings
  if (!requirements.every((requirement) => holds(claims, requirement))) fail('not_allowed', 'a required claim is not there')
  const claimed = textOf(claims, names.email)
  const email = (claimed && readAccountName(claimed, 'email')) || null
  const sid = claims['sid']
  const overage = isOverage(claims, names.groups)
  return {
    subject: claims.sub,
    username: textOf(claims, names.username),
    external: textOf(claims, names.external),
    email,
    // If the address had to be cleaned first, the provider verified another text.
    isEmailVerified: claims['email_verified'] === true && email === claimed,
    nameAr: nameOf(claims, names.nameAr),
    nameEn: nameOf(claims, names.nameEn),
    language: languageIn(textOf(claims, names.language) ?? undefined) ?? null,
    picture: pictureOf(claims),
    groups: overage ? null : groupsOf(claims, names.groups),
    isOverage: overage,
    isFresh: isFresh(claims),
    isStrong: isStrong(claims, settings),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= 255 && isStorable(sid) ? sid : null,
  }
}
