/** Where the navigation leads, for whom. */
import type { IconName } from '../parts/icon.tsx'
import { isAdmin, isExecutive, isReceiver } from '../platform/session.ts'
import { t } from './texts.ts'

export interface Section {
  path: string
  text: () => string
  icon: IconName
  /** Whether the person sees it. */
  isFor: () => boolean
}

const everyone = () => true

/** In the order of the navigation. */
export const sections: Section[] = [
  { path: '/', text: () => t.pages.home, icon: 'layout-grid', isFor: everyone },
  { path: '/services', text: () => t.pages.services, icon: 'coffee', isFor: everyone },
  { path: '/orders', text: () => t.pages.orders, icon: 'clipboard-list', isFor: everyone },
  { path: '/incoming', text: () => t.pages.receiving, icon: 'inbox', isFor: () => isReceiver.value },
  { path: '/notes', text: () => t.pages.notes, icon: 'sticky-note', isFor: everyone },
  { path: '/meetings', text: () => t.pages.meetings, icon: 'calendar', isFor: () => isExecutive.value },
  { path: '/admin/users', text: () => t.pages.admin, icon: 'shield', isFor: () => isAdmin.value },
]

/** Whether the address is inside a section. */
export const isWithin = (path: string, section: Section) =>
  section.path === '/' ? path === '/' : section.path === '/admin/users' ? path.startsWith('/admin') : path.startsWith(section.path)
