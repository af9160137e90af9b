import { waitFor } from '../../../platform/acts.ts'
import { invalidate, resource } from '../../../platform/cache.ts'
import { answer, api, guess, type Schemas, shownOnce } from '../../../platform/client.ts'

export type Source = Schemas['Source']

/** All sources. There are at most ten, so the list has no pages. */
export const sources = resource('/admin/provisioning/sources')
export const sourceOf = (id: number) => resource('/admin/provisioning/sources/{id}', { path: { id } })

const changed = () => invalidate('/admin/provisioning/sources', '/admin/provisioning/sources/{id}')

export async function createSource(name: string) {
  const made = await answer(api.POST('/admin/provisioning/sources', { body: { name } }))
  changed()
  return made
}

/** Shows the change at once, and reverts it if the portal refuses. Throws the refusal. */
export async function changeSource(id: number, body: Schemas['SourceChanges']) {
  const call = api.PATCH('/admin/provisioning/sources/{id}', { params: { path: { id } }, body })
  // Answers that are read before the call ends may lack this change.
  waitFor(call, id, '/admin/provisioning/sources', '/admin/provisioning/sources/{id}')
  await guess(
    sourceOf(id).change((now) => ({ ...now, ...body })),
    call,
  )
  changed()
}

export async function removeSource(id: number) {
  await answer(api.DELETE('/admin/provisioning/sources/{id}', { params: { path: { id } } }))
  invalidate('/admin/provisioning/sources')
}

/** Releases up to `allow` held deactivations. */
export async function releaseSource(id: number, allow: number) {
  await answer(api.POST('/admin/provisioning/sources/{id}/release', { params: { path: { id } }, body: { allow } }))
  changed()
}

export async function makeToken(id: number, { name, expiresInDays }: Schemas['NewApiToken']) {
  const body = { name, ...(expiresInDays && { expiresInDays }) }
  const { token } = await answer(api.POST('/admin/provisioning/sources/{id}/tokens', { params: { path: { id } }, body }))
  changed()
  return shownOnce(token)
}

export async function revokeToken(id: number, tokenId: number) {
  await answer(api.DELETE('/admin/provisioning/sources/{id}/tokens/{tokenId}', { params: { path: { id, tokenId } } }))
  changed()
}
