import { invalidate, resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'

export type OwnedToken = Schemas['OwnedApiToken']

/** The tokens that end within two weeks. Only their count is used. */
export const endingSoon = resource('/admin/tokens', { query: { expiresWithinDays: 14, limit: 1 } })

/** Revokes a token, and notifies its owner. */
export async function revokeToken(id: number) {
  await answer(api.DELETE('/admin/tokens/{id}', { params: { path: { id } } }))
  invalidate('/admin/tokens', '/service-accounts', '/service-accounts/{id}', '/service-accounts/{id}/tokens')
}
