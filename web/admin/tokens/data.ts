import { invalidate, resource } from '../../platform/cache.ts'
import { answer, api, type Schemas } from '../../platform/client.ts'

export type OwnedToken = Schemas['OwnedApiToken']

/** How many tokens end within two weeks. */
export const endingSoon = resource('/admin/tokens', { query: { expiresWithinDays: 14, limit: 1 } })

/** Ends the token of a person or a service account, who is told. */
export async function revokeToken(id: number) {
  await answer(api.DELETE('/admin/tokens/{id}', { params: { path: { id } } }))
  invalidate('/admin/tokens', '/service-accounts', '/service-accounts/{id}', '/service-accounts/{id}/tokens')
}
