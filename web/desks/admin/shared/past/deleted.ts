/** The last names of deleted people and apps, from the audit log. */
import { resource } from '../../../../platform/cache.ts'

/** The names in the newest entry about a record; undefined until it is loaded, and null if the log does not know the record. */
function lastRefs(targetType: 'user' | 'app', targetId: number) {
  const { data } = resource('/admin/audit-logs', { query: { targetType, targetId, limit: 1 } })
  return data && (data.entries[0]?.refs ?? null)
}

export function deletedPerson(id: number) {
  const refs = lastRefs('user', id)
  const names = refs?.users?.[String(id)]
  return names ? { id, avatarUrl: null, ...names } : refs && null
}

export function deletedApp(id: number) {
  const refs = lastRefs('app', id)
  const names = refs?.apps?.[String(id)]
  return names ? { id, iconName: 'layout-grid', imageUrl: null, color: 'var(--ink-2)', ...names } : refs && null
}
