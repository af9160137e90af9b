/** What API tokens may do, in words, and what a person may let a token do. */
import type { Schemas } from '../../platform/client.ts'
import { t } from './texts.ts'

/** A scope that people give; that of SCIM is a source’s alone. */
export type Scope = Schemas['GivenTokenScope']
export type Token = Schemas['ApiToken']

/** The scopes by area, in the order of the form. */
export const areas: [area: keyof typeof t.areas, scopes: Scope[]][] = [
  ['profile', ['profile:read', 'apps:read', 'services:read', 'settings:read']],
  ['orders', ['orders:read', 'orders:write', 'orders:receive']],
  ['notifications', ['notifications:read', 'notifications:write']],
  ['meetings', ['meetings:read', 'meetings:mutate', 'meetings:approve', 'meetings:request', 'meetings:audit']],
  ['admin', ['people:read', 'admin:read', 'admin:write', 'audit:read']],
]

/** What scopes allow, in one line. */
export const inWords = (scopes: readonly Schemas['TokenScope'][]) => scopes.map((scope) => t.scopes[scope]).join(' · ')

/** Whether a person with these rights can give a token the scope. */
export function mayGive(scope: Scope, { isAdmin, permissions }: { isAdmin: boolean; permissions: ReadonlySet<string> }) {
  const [area, verb] = scope.split(':')
  if (area === 'meetings') return permissions.has(`executive_meetings.${verb}`)
  if (scope === 'orders:receive') return permissions.has('orders.receive')
  return isAdmin || !/^(people|admin|audit):/.test(scope)
}

/** A program is never an administrator. */
export const mayGiveProgram = (scope: Scope) => !scope.startsWith('admin:')
