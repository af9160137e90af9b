import { resource } from '../../../../platform/cache.ts'

const providers = resource('/admin/sign-in/providers')

/** The source that manages the members of a group; undefined without one, or while it is unknown. */
export const sourceOf = (id: number) => (id > 0 ? resource('/groups/{id}/provisioning', { path: { id } }).data?.source : undefined)

/**
 * The providers whose claims put people into a group, as far as they are loaded. `manager` is the provider that alone decides on the
 * members.
 */
export function managersOf(groupId: number) {
  const all = providers.data?.filter(({ groupRules }) => groupRules.some((rule) => rule.groupId === groupId)) ?? []
  const manager = all.find(({ groupMode }) => groupMode === 'manage')
  return { manager, adders: all.filter((one) => one !== manager) }
}
