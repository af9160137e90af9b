/** The roles and permissions of executive meetings. The permissions only count together with an executive role. */
import type { Guard } from '../../platform/auth/actor.ts'

export const executiveRoles = [
  'admin',
  'executive_ceo',
  'executive_office_manager',
  'executive_coord_lead',
  'executive_coordinator',
  'executive_viewer',
]

const holding = (permission: string): Guard => ({ name: permission, roles: executiveRoles, permission })

/** Anyone with an executive role. */
export const EXECUTIVE: Guard = { name: 'executive', roles: executiveRoles }
export const MUTATE = holding('executive_meetings.mutate')
export const APPROVE = holding('executive_meetings.approve')
export const REQUEST = holding('executive_meetings.request')
export const AUDIT = holding('executive_meetings.audit')
