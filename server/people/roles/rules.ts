import { refuse } from '../../platform/errors/refusal.ts'
import { checkDependents } from '../../platform/http/dependents.ts'

interface RoleFacts {
  name: string
  isSystem: boolean
}

/** The permissions of a system role are fixed. */
export function checkPermissionsMayChange({ isSystem }: RoleFacts) {
  if (isSystem) refuse('system_role_permissions')
}

/** A system role cannot be renamed, not even in case. */
export function checkRename({ name, isSystem }: RoleFacts, to = name) {
  if (isSystem && to !== name) refuse('system_role')
}

/** A role can be deleted only when nobody holds it, and a system role never. */
export function checkRoleMayGo({ isSystem }: RoleFacts, usage: Record<string, number>) {
  if (isSystem) refuse('system_role')
  checkDependents(usage, false)
}

/** A permission can be deleted only when no role grants it and no app requires it, and a built-in one never. */
export function checkPermissionMayGo({ isSystem }: { isSystem: boolean }, usage: Record<string, number>) {
  if (isSystem) refuse('system_permission')
  checkDependents(usage, false)
}
