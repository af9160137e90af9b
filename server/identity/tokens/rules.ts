import type { Need } from '../../platform/auth/scopes.ts'
import { APPROVE, AUDIT, executiveRoles, MUTATE, REQUEST } from '../../work/meetings/rules.ts'

const everyone: Need = { of: 'signed-in' }
const administrators: Need = { of: 'admin' }

/** The scopes of tokens, and the right that each requires of the owner. */
export const scopes = {
  'profile:read': everyone,
  'apps:read': everyone,
  'services:read': everyone,
  'settings:read': everyone,
  'orders:read': everyone,
  'orders:write': everyone,
  'orders:receive': { of: 'orders.receive' },
  'notifications:read': everyone,
  'notifications:write': everyone,
  'meetings:read': { of: { name: 'executive_meetings.read', roles: executiveRoles, permission: 'executive_meetings.read' } },
  'meetings:mutate': { of: MUTATE },
  'meetings:approve': { of: APPROVE },
  'meetings:request': { of: REQUEST },
  'meetings:audit': { of: AUDIT },
  'people:read': { of: 'admin', ofService: 'directory.read' },
  'admin:read': administrators,
  'admin:write': administrators,
  'audit:read': { of: 'admin', ofService: 'audit.read' },
  scim: { of: 'source' },
} as const satisfies Record<string, Need>
export const scopeNames = Object.keys(scopes) as (keyof typeof scopes)[]
/** The scopes that people may give to tokens: all but `scim`, which only tokens of sources have. */
export const givenScopes = scopeNames.filter((name): name is Exclude<typeof name, 'scim'> => name !== 'scim')

declare module '../../platform/registry.ts' {
  interface Registry {
    scopes: typeof scopes
  }
}

/** How long a token of a service account may last. */
export const MOST_SERVICE_DAYS = 1095
export const DEFAULT_DAYS = 90
export const MOST_PERSONAL = 20
export const MOST_OF_SERVICE = 10
export const MOST_OF_SOURCE = 2
