import { useEffect } from 'preact/hooks'
import { invalidate, invalidateRecord, resource } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type Provider = Schemas['Provider']
export type Rule = Schemas['ProviderGroupRule']
export interface Requirement extends Readonly<Schemas['ClaimRequirement']> {
  /** The text that the person has typed in place of `anyOf`. */
  typed?: string
}
export type Check = Schemas['ProviderCheck']
export type Trial = Schemas['ProviderTry']
export type Settings = Schemas['SignInSettings']

export const providers = resource('/admin/sign-in/providers')
export const providerOf = (id: number) => resource('/admin/sign-in/providers/{id}', { path: { id } })
/** The result of this administrator's last trial of a provider. Refused if there was none, or none recently. */
export const trialOf = (id: number) => resource('/admin/sign-in/providers/{id}/try', { path: { id } })
export const settings = resource('/admin/sign-in/settings')
const requirements = resource('/admin/sign-in/requirements')
/** The unmet conditions of required sign-in, and the exceptions. Reloaded on each visit, because no event announces a new password. */
export function useRequirements() {
  useEffect(() => {
    if (!requirements.isFetching) requirements.refresh()
  }, [])
  return requirements
}
export const MOST_EXCEPTIONS = 5
export const clientAuths = ['basic', 'post', 'none', 'private_key_jwt'] as const
export const linkings = ['ask', 'verified_email', 'never'] as const
export const secondFactors = ['trusted', 'claims', 'own'] as const
export const claimNames = ['username', 'email', 'nameAr', 'nameEn', 'language', 'groups', 'external'] as const
export type ClaimName = (typeof claimNames)[number]

/** The values of the form. Lists are texts with one entry a line; empty texts stand for missing values. */
export interface Values {
  nameAr: string
  nameEn: string
  iconName: string
  issuer: string
  clientId: string
  clientSecret: string
  clientAuth: Provider['clientAuth']
  scopes: string
  claims: Record<ClaimName, string>
  require: Requirement[]
  createPeople: boolean
  linking: Provider['linking']
  domains: string
  groupRules: Rule[]
  groupMode: Provider['groupMode']
  /** The id of the source; '' for none. */
  sourceId: string
  refreshProfile: boolean
  secondFactor: Provider['secondFactor']
  acrValues: string
  sessionHours: string
  logout: Provider['logout']
  logoutHint: Provider['logoutHint']
}

export const valuesOf = (one: Provider): Values => ({
  ...{ nameAr: one.nameAr, nameEn: one.nameEn, iconName: one.iconName },
  ...{ issuer: one.issuer, clientId: one.clientId, clientSecret: '', clientAuth: one.clientAuth, scopes: one.scopes },
  claims: Object.fromEntries(claimNames.map((name) => [name, one.claims[name] ?? ''])) as Values['claims'],
  ...{ require: one.require, createPeople: one.createPeople, linking: one.linking, domains: one.domains.join('\n') },
  ...{ groupRules: one.groupRules, groupMode: one.groupMode },
  ...{ sourceId: String(one.sourceId ?? ''), refreshProfile: one.refreshProfile },
  ...{ secondFactor: one.secondFactor, acrValues: one.acrValues.join('\n'), sessionHours: String(one.sessionHours ?? '') },
  ...{ logout: one.logout, logoutHint: one.logoutHint },
})

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean)

/** The body of the call that saves the changes. */
function bodyOf({
  claims,
  require,
  domains,
  acrValues,
  sessionHours,
  sourceId,
  clientSecret,
  ...rest
}: Partial<Values>): Schemas['ProviderChanges'] {
  return {
    ...rest,
    ...(clientSecret && { clientSecret }),
    ...(claims && {
      claims: {
        ...(Object.fromEntries(claimNames.map((name) => [name, claims[name].trim() || null])) as unknown as Schemas['ClaimNames']),
        ...{ username: claims.username.trim(), email: claims.email.trim() },
      },
    }),
    ...(require && {
      require: require.map(({ claim, anyOf, typed }) => ({ claim, anyOf: typed === undefined ? anyOf : linesOf(typed) })),
    }),
    ...(domains !== undefined && { domains: linesOf(domains) }),
    ...(acrValues !== undefined && { acrValues: linesOf(acrValues) }),
    ...(sourceId !== undefined && { sourceId: sourceId ? Number(sourceId) : null }),
    ...(sessionHours !== undefined && { sessionHours: sessionHours ? Number(sessionHours) : null }),
  }
}

function changed(id: number) {
  invalidateRecord('/admin/sign-in/providers/{id}', id)
  invalidate('/admin/sign-in/providers', '/auth/methods')
}

export async function changeProvider(id: number, body: Schemas['ProviderChanges'], version: string | undefined) {
  const { data, response } = await api.PATCH('/admin/sign-in/providers/{id}', {
    params: { path: { id } },
    body,
    headers: ifMatch(version),
  })
  changed(id)
  return { from: valuesOf(data!), version: versionOf(response) }
}

export const saveProvider = (id: number, values: Partial<Values>, version: string | undefined) =>
  changeProvider(id, bodyOf(values), version)

export async function addProvider(body: Schemas['NewProvider']) {
  const made = await answer(api.POST('/admin/sign-in/providers', { body }))
  invalidate('/admin/sign-in/providers')
  return made
}

/** Deletes a provider. Without `force`, returns the number of people who could not sign in any more if it were deleted. */
export async function removeProvider(id: number, force: boolean) {
  try {
    await answer(api.DELETE('/admin/sign-in/providers/{id}', { params: { path: { id }, query: { force } } }))
    invalidate('/admin/sign-in/providers', '/auth/methods')
    return undefined
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'last_sign_in_method')) throw failure
    return Number(failure.body['count'])
  }
}

/** Saves the order of the buttons on the sign-in page. */
export async function orderProviders(order: readonly Provider[]) {
  const former = new Map(providers.peek()?.map(({ id, sortOrder }) => [id, sortOrder]))
  const undo = providers.change(() => order.map((one, sortOrder) => ({ ...one, sortOrder })))
  try {
    for (const [sortOrder, { id }] of order.entries()) if (sortOrder !== former.get(id)) await changeProvider(id, { sortOrder }, undefined)
  } catch (failure) {
    undo()
    providers.refresh()
    throw failure
  }
}

export async function checkProvider(id: number) {
  const found = await answer(api.POST('/admin/sign-in/providers/{id}/check', { params: { path: { id } } }))
  changed(id)
  return found
}

/** Sends the administrator to the provider, which sends them back with their claims. */
export async function tryProvider(id: number) {
  const { url } = await answer(api.POST('/admin/sign-in/providers/{id}/try', { params: { path: { id } } }))
  location.assign(url)
}

export async function changeSettings(body: Schemas['SignInSettingsChanges'], version = settings.version) {
  const { data, response } = await api.PATCH('/admin/sign-in/settings', { body, headers: ifMatch(version) })
  invalidate(
    '/admin/sign-in/settings',
    '/admin/sign-in/requirements',
    '/admin/sign-in/without-factor',
    '/auth/methods',
    '/auth/me/security',
  )
  await settings.refresh()
  return { now: data!, version: versionOf(response) }
}

/** Confirms the administrator's identity through a provider, which redirects back to this page. */
export async function proveBy(slug: string) {
  const { url } = await answer(api.POST('/auth/me/confirm/{slug}', { params: { path: { slug } }, body: { returnTo: '/admin/sign-in' } }))
  location.assign(url)
}

export async function setException(id: number, is: boolean) {
  const params = { path: { id } }
  if (is) await answer(api.POST('/users/{id}/sign-in-exception', { params }))
  else await answer(api.DELETE('/users/{id}/sign-in-exception', { params }))
  invalidate('/admin/sign-in/requirements')
  await requirements.refresh()
}
