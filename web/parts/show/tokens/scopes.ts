/** The scopes of API tokens in words, and which of them a person may give. */
import type { Schemas } from '../../../platform/client.ts'
import { t } from './texts.ts'

/** A scope that people can give to a token. The scope of SCIM is not among them: only sources have it. */
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

/** Scopes in words, in one line. */
export const inWords = (scopes: readonly Schemas['TokenScope'][]) => scopes.map((scope) => t.scopes[scope]).join(' · ')

/** Whether a person with these rights can give a token the scope. */
export function mayGive(scope: Scope, { isAdmin, permissions }: { isAdmin: boolean; permissions: ReadonlySet<string> }) {
  const [area, verb] = scope.split(':')
  if (area === 'meetings') return permissions.has(`executive_meetings.${verb}`)
  if (scope === 'orders:receive') return permissions.has('orders.receive')
  return isAdmin || !/^(people|admin|audit):/.test(scope)
}

/** Whether a service account can have the scope. A service account is never an administrator. */
export const mayGiveProgram = (scope: Scope) => !scope.startsWith('admin:')
