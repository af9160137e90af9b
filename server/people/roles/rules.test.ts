import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPermissionMayGo, checkPermissionsMayChange, checkRename, checkRoleMayGo } from './rules.ts'

const [system, own] = [
  { name: 'admin', isSystem: true },
  { name: 'clerk', isSystem: false },
]
const unused = { userCount: 0, groupCount: 0 }
const ungranted = { roleCount: 0, appCount: 0 }

const allowed: Record<string, () => void> = {
  'permissions of an own role change': () => checkPermissionsMayChange(own),
  'an own role is renamed': () => checkRename(own, 'Clerk'),
  'a system role keeps its name': () => checkRename(system, 'admin'),
  'a system role is not named': () => checkRename(system),
  'a role that nobody holds goes': () => checkRoleMayGo(own, unused),
  'a permission that nothing asks for goes': () => checkPermissionMayGo(own, ungranted),
}
for (const [what, act] of Object.entries(allowed)) test(`${what}`, act)

const refused: [what: string, code: string, act: () => void][] = [
  ['permissions of a system role do not change', 'system_role_permissions', () => checkPermissionsMayChange(system)],
  ['a system role is not renamed, not even in case', 'system_role', () => checkRename(system, 'Admin')],
  ['a system role does not go', 'system_role', () => checkRoleMayGo(system, unused)],
  ['a role that someone holds does not go', 'has_dependents', () => checkRoleMayGo(own, { ...unused, userCount: 1 })],
  ['a role that a group holds does not go', 'has_dependents', () => checkRoleMayGo(own, { ...unused, groupCount: 1 })],
  ['a built-in permission does not go', 'system_permission', () => checkPermissionMayGo(system, ungranted)],
  ['a permission that a role grants does not go', 'has_dependents', () => checkPermissionMayGo(own, { ...ungranted, roleCount: 1 })],
  ['a permission that an app asks for does not go', 'has_dependents', () => checkPermissionMayGo(own, { ...ungranted, appCount: 1 })],
]
for (const [what, code, act] of refused) test(what, () => assert.throws(act, { code }))

test('the refusal counts the dependents', () => {
  assert.throws(() => checkRoleMayGo(own, { userCount: 2, groupCount: 3 }), { extras: { body: { userCount: 2, groupCount: 3 } } })
})
