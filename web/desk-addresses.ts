/** The addresses below those of a desk; '' is the desk's own. Apart from `addresses.ts`, which is part of the first page. */
export const meetings = [
  '',
  ':date',
  // As the Hijri date is written: 14-6-1448.
  '(?<hijri>\\d\\d?-\\d\\d?-1[345]\\d\\d)',
  ':date/wall',
  ':id',
  'week/:date',
  'new',
  'requests',
  'requests/:id',
  'tasks',
  'tasks/:id',
  'archives',
  'archives/fonts',
  'log',
] as const
export const admin = [
  '',
  'users',
  'users/:id',
  'groups',
  'groups/:id',
  'roles',
  'roles/:id',
  'permissions',
  'permissions/:id',
  'service-accounts',
  'service-accounts/:id',
  'tokens',
  'access',
  'apps',
  'apps/:id',
  'services',
  'services/:id',
  'services/:id/form',
  'teams',
  'teams/:id',
  'calendars',
  'calendars/:id',
  'orders',
  'requests',
  'reviews',
  'reviews/:id',
  'statistics',
  'audit',
  'settings',
  'sign-in',
  'sign-in/:id',
  'provisioning',
  'provisioning/:id',
  'system',
] as const

export const reviews = ['', ':id'] as const

/** The addresses of a desk as those of the portal. */
export const belowDesk = (desk: string, rest: readonly string[]) => rest.map((one) => (one ? `${desk}/${one}` : desk))
