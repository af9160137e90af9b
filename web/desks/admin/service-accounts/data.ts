import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, shownOnce, versionOf } from '../../../platform/client.ts'
import { inLanguage } from '../../../platform/language.ts'
import { roles } from '../shared/directory.ts'

export type Account = Schemas['ServiceAccount']

/** All service accounts. There are at most 200, so the list has no pages. */
export const accounts = resource('/service-accounts')
export const accountOf = (id: number) => resource('/service-accounts/{id}', { path: { id } })
export const tokensOf = (id: number) => resource('/service-accounts/{id}/tokens', { path: { id } })
/** The groups of the account, from its row in the list of accounts. */
export const groupsOf = (id: number) =>
  resource('/users', { query: { kind: 'service', ids: String(id) } }).data?.flatMap(({ groups }) => groups) ?? []

export const titleOf = ({ nameAr, nameEn, username }: Account) => inLanguage(nameAr, nameEn) || username

export interface Values {
  username: string
  nameAr: string
  nameEn: string
  roleIds: number[]
  /** The id of one person, or no id. */
  contactIds: number[]
}
export const noValues: Values = { username: '', nameAr: '', nameEn: '', roleIds: [], contactIds: [] }
export const valuesOf = ({ username, nameAr, nameEn, roleNames, contactUserId }: Account): Values => ({
  username,
  nameAr: nameAr ?? '',
  nameEn: nameEn ?? '',
  roleIds: (roles.data ?? []).filter(({ name }) => roleNames.includes(name)).map(({ id }) => id),
  contactIds: contactUserId === null ? [] : [contactUserId],
})

const namesOf = (ids: readonly number[]) => (roles.data ?? []).filter(({ id }) => ids.includes(id)).map(({ name }) => name)
const bodyOf = ({ nameAr, nameEn, roleIds, contactIds }: Partial<Values>) => ({
  ...(nameAr !== undefined && { nameAr: nameAr.trim() || null }),
  ...(nameEn !== undefined && { nameEn: nameEn.trim() || null }),
  ...(roleIds && { roleNames: namesOf(roleIds) }),
  ...(contactIds && { contactUserId: contactIds[0] ?? null }),
})

export async function createAccount(values: Values) {
  const made = await answer(api.POST('/service-accounts', { body: { username: values.username.trim(), ...bodyOf(values) } }))
  invalidate('/service-accounts', '/users')
  return made
}

async function patch(id: number, body: Schemas['ServiceAccountChanges'], version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/service-accounts/{id}', { params: path, body, headers: ifMatch(version) })
  setCached('/service-accounts/{id}', data!, path, response)
  invalidate('/service-accounts', '/service-accounts/{id}/tokens', '/admin/tokens', '/users')
  return { from: valuesOf(data!), version: versionOf(response) }
}
export const saveAccount = (id: number, changed: Partial<Values>, version: string | undefined) => patch(id, bodyOf(changed), version)
export const setActive = (id: number, isActive: boolean) => patch(id, { isActive }, undefined)

/** Deletes an account. Without `force`, an account with orders stays. */
export async function removeAccount(id: number, force: boolean, version: string | undefined) {
  await answer(api.DELETE('/service-accounts/{id}', { params: { path: { id }, query: { force } }, headers: ifMatch(version) }))
  invalidate('/service-accounts', '/admin/tokens', '/users')
}

export async function makeToken(id: number, body: Schemas['NewApiToken']) {
  const { token } = await answer(api.POST('/service-accounts/{id}/tokens', { params: { path: { id } }, body }))
  invalidate('/service-accounts', '/service-accounts/{id}/tokens', '/admin/tokens')
  return shownOnce(token)
}
export async function revokeToken(id: number, tokenId: number) {
  await answer(api.DELETE('/service-accounts/{id}/tokens/{tokenId}', { params: { path: { id, tokenId } } }))
  invalidate('/service-accounts', '/service-accounts/{id}/tokens', '/admin/tokens')
}
