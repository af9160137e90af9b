/** The pages of the administration, each in its own chunk. */
import { paramsOf, patternOf } from '../../addresses.ts'
import { admin } from '../../desk-addresses.ts'
import { type Load, preloadChunk } from '../../frame/chunk.tsx'

type Path = (typeof admin)[number]

const pages: Record<Path, Load> = {
  '': () => import('./overview/page.tsx'),
  users: () => import('./users/page.tsx'),
  'users/:id': () => import('./user/page.tsx'),
  groups: () => import('./groups/page.tsx'),
  'groups/:id': () => import('./group/page.tsx'),
  roles: () => import('./roles/page.tsx'),
  'roles/:id': () => import('./role/page.tsx'),
  permissions: () => import('./permissions/page.tsx'),
  'permissions/:id': () => import('./permission/page.tsx'),
  'service-accounts': () => import('./service-accounts/page.tsx'),
  'service-accounts/:id': () => import('./service-accounts/page.tsx'),
  tokens: () => import('./tokens/page.tsx'),
  access: () => import('./access/page.tsx'),
  requests: () => import('./requests/page.tsx'),
  reviews: () => import('../reviews/list/page.tsx'),
  'reviews/:id': () => import('../reviews/review/page.tsx'),
  orders: () => import('./orders/page.tsx'),
  'service-reports': () => import('./service-reports/page.tsx'),
  statistics: () => import('./statistics/page.tsx'),
  settings: () => import('./settings/page.tsx'),
  audit: () => import('./audit/page.tsx'),
  services: () => import('./services/page.tsx'),
  'services/:id': () => import('./services/page.tsx'),
  'services/:id/form': () => import('./service-form/page.tsx'),
  teams: () => import('./teams/page.tsx'),
  'teams/:id': () => import('./teams/page.tsx'),
  calendars: () => import('./calendars/page.tsx'),
  'calendars/:id': () => import('./calendars/page.tsx'),
  apps: () => import('./apps/page.tsx'),
  'apps/:id': () => import('./apps/page.tsx'),
  'sign-in': () => import('./sign-in/page.tsx'),
  'sign-in/:id': () => import('./provider/page.tsx'),
  provisioning: () => import('./provisioning/page.tsx'),
  'provisioning/:id': () => import('./provisioning/page.tsx'),
  webhooks: () => import('./webhooks/page.tsx'),
  'webhooks/:id': () => import('./webhooks/page.tsx'),
  'audit-stream': () => import('./audit-stream/page.tsx'),
  system: () => import('./system/page.tsx'),
}
const routes = admin.map((path) => ({ pattern: patternOf(path), load: pages[path] }))

/** The page at an address below `/admin`, or undefined. */
export function findPage(address: string) {
  for (const { pattern, load } of routes) {
    const params = paramsOf(pattern, address)
    if (params) return { load, params }
  }
  return undefined
}

export const preloadPage = (path: Path) => preloadChunk(pages[path])
