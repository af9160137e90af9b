/** Where the navigation leads, for whom. */
import type { IconName } from '../parts/icon.tsx'
import { isAdmin, isExecutive, isReceiver } from '../platform/session.ts'
import type { t } from './texts.ts'

export type PageName = keyof typeof t.pages

export interface Section {
  path: string
  name: PageName
  icon: IconName
  /** Whether the person sees it. */
  isFor: () => boolean
}

const everyone = () => true

/** In the order of the navigation: what a role has to do comes straight after home. */
export const sections: Section[] = [
  { path: '/', name: 'home', icon: 'layout-grid', isFor: everyone },
  { path: '/incoming', name: 'receiving', icon: 'inbox', isFor: () => isReceiver.value },
  { path: '/meetings', name: 'meetings', icon: 'calendar', isFor: () => isExecutive.value },
  { path: '/services', name: 'services', icon: 'coffee', isFor: everyone },
  { path: '/orders', name: 'orders', icon: 'clipboard-list', isFor: everyone },
  { path: '/notes', name: 'notes', icon: 'sticky-note', isFor: everyone },
  { path: '/admin/users', name: 'admin', icon: 'shield', isFor: () => isAdmin.value },
]

/** Whether the address is inside a section. */
export const isWithin = (path: string, section: Section) =>
  section.path === '/' ? path === '/' : section.path === '/admin/users' ? path.startsWith('/admin') : path.startsWith(section.path)
