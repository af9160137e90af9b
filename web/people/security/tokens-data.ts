import { invalidate, resource } from '../../platform/cache.ts'
import { answer, api, type Schemas, shownOnce } from '../../platform/client.ts'

export const tokens = resource('/auth/me/tokens')

/** Makes an API token and returns its text, which the portal sends only this once. */
export async function makeToken(body: Schemas['NewApiToken']) {
  const { token } = await answer(api.POST('/auth/me/tokens', { body }))
  invalidate('/auth/me/tokens')
  return shownOnce(token)
}

export async function revokeToken(id: number) {
  await answer(api.DELETE('/auth/me/tokens/{id}', { params: { path: { id } } }))
  invalidate('/auth/me/tokens')
}
