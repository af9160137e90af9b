import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'

export type Permission = Schemas['Permission']

export const permissionOf = (id: number) => resource('/permissions/{id}', { path: { id } })
export const rolesOf = (id: number, offset: number) =>
  resource('/permissions/{id}/dependents/roles', { path: { id }, query: { limit: 50, offset } })
export const appsOf = (id: number, offset: number) =>
  resource('/permissions/{id}/dependents/apps', { path: { id }, query: { limit: 50, offset } })

export interface Texts {
  descriptionAr: string
  descriptionEn: string
}
export const textsOf = ({ descriptionAr, descriptionEn }: Permission): Texts => ({
  descriptionAr: descriptionAr ?? '',
  descriptionEn: descriptionEn ?? '',
})
const bodyOf = ({ descriptionAr, descriptionEn }: Partial<Texts>) => ({
  ...(descriptionAr !== undefined && { descriptionAr: descriptionAr.trim() || null }),
  ...(descriptionEn !== undefined && { descriptionEn: descriptionEn.trim() || null }),
})

/** Saves the texts of a permission at the given version; returns the new texts. */
export async function saveTexts(id: number, changed: Partial<Texts>, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/permissions/{id}', { params: path, body: bodyOf(changed), headers: ifMatch(version) })
  setCached('/permissions/{id}', data!, path, response)
  invalidate('/permissions', '/roles/{id}/permissions')
  return { from: textsOf(data!), version: versionOf(response) }
}

export async function createPermission({ name, ...texts }: Texts & { name: string }) {
  const permission = await answer(api.POST('/permissions', { body: { name: name.trim(), ...bodyOf(texts) } }))
  invalidate('/permissions')
  return permission
}

export async function deletePermission(id: number) {
  await answer(api.DELETE('/permissions/{id}', { params: { path: { id } } }))
  invalidate('/permissions')
}

/** The key proposed for an English name: "Archive keeper\n…" becomes `portal.archive_keeper`. */
export function proposedKey(english: string) {
  const [line = ''] = english.trim().split('\n')
  const words = line
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s_-]/g, '')
    .match(/[a-z0-9]+/g)
  return words ? `portal.${words.join('_').replace(/^\d+_?/, '')}`.replace(/\.$/, '') : ''
}
