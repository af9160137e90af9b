/** The places of the administration, for the side list, the list on phones and the palette. */
import type { admin } from '../../desk-addresses.ts'
import type { IconName } from '../../parts/show/icon.tsx'
import type { t } from './texts.ts'

export interface Place {
  /** The address below `/admin`. */
  path: (typeof admin)[number]
  name: keyof typeof t.names
  icon: IconName
}
type Group = { name: keyof typeof t.groups; places: Place[] }

export const overview: Place = { path: '', name: 'overview', icon: 'layout-grid' }

export const groups: Group[] = [
  {
    name: 'people',
    places: [
      { path: 'users', name: 'users', icon: 'users' },
      { path: 'groups', name: 'groups', icon: 'building-2' },
      { path: 'roles', name: 'roles', icon: 'id-card' },
      { path: 'permissions', name: 'permissions', icon: 'key-round' },
      { path: 'access', name: 'access', icon: 'circle-help' },
      { path: 'requests', name: 'requests', icon: 'hand' },
      { path: 'reviews', name: 'reviews', icon: 'circle-check' },
    ],
  },
  {
    name: 'programs',
    places: [
      { path: 'service-accounts', name: 'serviceAccounts', icon: 'bot' },
      { path: 'tokens', name: 'tokens', icon: 'code' },
    ],
  },
  {
    name: 'used',
    places: [
      { path: 'apps', name: 'apps', icon: 'boxes' },
      { path: 'services', name: 'services', icon: 'coffee' },
      { path: 'teams', name: 'teams', icon: 'inbox' },
      { path: 'calendars', name: 'calendars', icon: 'clock' },
      { path: 'orders', name: 'orders', icon: 'clipboard-list' },
    ],
  },
  {
    name: 'happened',
    places: [
      { path: 'service-reports', name: 'serviceReports', icon: 'chart-bar' },
      { path: 'statistics', name: 'statistics', icon: 'chart-line' },
      { path: 'audit', name: 'audit', icon: 'history' },
    ],
  },
  {
    name: 'portal',
    places: [
      { path: 'settings', name: 'settings', icon: 'settings' },
      { path: 'sign-in', name: 'signIn', icon: 'log-in' },
      { path: 'provisioning', name: 'provisioning', icon: 'link' },
      { path: 'webhooks', name: 'webhooks', icon: 'send' },
      { path: 'audit-stream', name: 'auditStream', icon: 'external-link' },
      { path: 'system', name: 'system', icon: 'activity' },
    ],
  },
]

export const addressOf = ({ path }: Place) => (path ? `/admin/${path}` : '/admin')
