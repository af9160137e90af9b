/** Puts the reasons for seeing an app into words. */

import { titleOf } from '../../../parts/show/title.ts'
import { shortDay } from '../../../platform/dates.ts'
import { isolated, listed, locale } from '../../../platform/language.ts'
import { permissions, roles, groupTitle as titleOfGroup } from '../shared/directory.ts'
import type { Reason } from './data.ts'
import { textsAt } from './past-texts.ts'
import { t } from './texts.ts'

/** The title of the reason's role; the role's key if the roles are not loaded, or if the role no longer has this key. */
function roleTitle({ roleId, roleName = '' }: Reason) {
  const role = roles.data?.find(({ id, name }) => id === roleId && name === roleName)
  return isolated(role ? titleOf(role) : roleName)
}

export function permissionTitle({ permissionId, permissionName = '' }: Pick<Reason, 'permissionId' | 'permissionName'>) {
  const permission = permissions.data?.find(({ id, name }) => id === permissionId && name === permissionName)
  return t.quoted(isolated(permission ? titleOf(permission) : permissionName))
}

export const groupTitle = (reason: Reason) => isolated(titleOfGroup(reason))

/** One reason in a few words: about now or, with `at`, about that moment. */
export function reasonText(reason: Reason, at?: string): string {
  const t = textsAt(at)
  const { via, roleName, groupName, expiresAt } = reason
  if (expiresAt) return t.reasons.until(reasonText({ ...reason, expiresAt: null }, at), shortDay(expiresAt))
  if (via === 'unrestricted') return t.reasons.unrestricted
  if (via === 'admin') return groupName ? t.reasons.adminThrough(groupTitle(reason)) : t.reasons.admin
  if (via === 'group') return t.reasons.group(groupTitle(reason))
  if (roleName === undefined) return t.reasons.permission(permissionTitle(reason))
  return groupName
    ? t.reasons.roleThrough(roleTitle(reason), permissionTitle(reason), groupTitle(reason))
    : t.reasons.role(roleTitle(reason), permissionTitle(reason))
}

/** Names in a sentence: "A, B or C". */
export const anyOf = (names: readonly string[]) => new Intl.ListFormat(locale(), { type: 'disjunction' }).format([...new Set(names)])
export const allOf = (names: readonly string[]) => listed([...new Set(names)])

/** Why a person sees an app, in one sentence. Several reasons are only counted. */
export function because(reasons: readonly Reason[], name: string, app: string, at?: string) {
  const t = textsAt(at)
  const [reason] = reasons
  if (!reason) return ''
  const { via, roleName } = reason
  if (reasons.some((one) => one.via === 'unrestricted')) return t.because.unrestricted(app)
  if (reasons.length > 1) return t.because.several(reasons.length)
  if (via === 'admin') return t.because.admin(name)
  if (via === 'group') return t.because.group(groupTitle(reason), app)
  return roleName === undefined ? '' : t.because.permission(roleTitle(reason), permissionTitle(reason))
}
