/** Where the navigation leads, for whom. */
import type { Audience } from '../addresses.ts'
import type { IconName } from '../parts/icon.tsx'
import { isAdmin, isExecutive, isReceiver } from '../platform/session.ts'
import type { t } from './texts.ts'

export type PageName = keyof typeof t.pages

export interface Section {
  path: string
  name: PageName
  icon: IconName
  audience?: Audience
}

/** Whether whoever is signed in may open what is for an audience; undefined while that is not known. */
export const mayOpen = (audience?: Audience) =>
  audience === 'admin' ? isAdmin.value : audience === 'executive' ? isExecutive.value : audience === 'receiver' ? isReceiver.value : true

const sections: Section[] = [
  { path: '/', name: 'home', icon: 'layout-grid' },
  { path: '/incoming', name: 'receiving', icon: 'inbox', audience: 'receiver' },
  { path: '/meetings', name: 'meetings', icon: 'calendar', audience: 'executive' },
  { path: '/services', name: 'services', icon: 'coffee' },
  { path: '/orders', name: 'orders', icon: 'clipboard-list' },
  { path: '/notes', name: 'notes', icon: 'sticky-note' },
  { path: '/admin', name: 'admin', icon: 'shield', audience: 'admin' },
]

/** The person's own, in the order of the navigation: what a role has to do comes straight after home. */
export const mySections = () => sections.filter(({ audience }) => mayOpen(audience))

/** Whether the address is inside a section. */
export const isWithin = (path: string, section: Section) => (section.path === '/' ? path === '/' : path.startsWith(section.path))
