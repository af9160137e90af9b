/** The sections of the navigation, and the people who see them. */
import type { Audience } from '../addresses.ts'
import type { IconName } from '../parts/show/icon.tsx'
import { isAdmin, isAsked, isExecutive, isLead, isReceiver } from '../platform/session.ts'
import type { t } from './texts.ts'

export type PageName = keyof typeof t.pages

export interface Section {
  path: string
  name: PageName
  icon: IconName
  audience?: Audience
  /** For a section that everyone may open but few need: whether to show it to this person. */
  isShown?: { value: boolean }
  /** The place in the order on a phone, the lowest first. The bar of a phone shows only the first few sections. */
  rank: number
}

/** Whether the person who is signed in may open an address for this audience; undefined while that is not known. */
export const mayOpen = (audience?: Audience) =>
  audience === 'admin' ? isAdmin.value : audience === 'executive' ? isExecutive.value : audience === 'receiver' ? isReceiver.value : true

/** All sections in the order of the bar. */
const sections: Section[] = [
  { path: '/', name: 'home', icon: 'layout-grid', rank: 1 },
  { path: '/services', name: 'services', icon: 'coffee', rank: 5 },
  { path: '/orders', name: 'orders', icon: 'clipboard-list', rank: 6 },
  { path: '/incoming', name: 'receiving', icon: 'inbox', audience: 'receiver', rank: 2 },
  { path: '/approvals', name: 'approvals', icon: 'circle-check', isShown: isAsked, rank: 2 },
  { path: '/team', name: 'team', icon: 'users', isShown: isLead, rank: 3 },
  { path: '/notes', name: 'notes', icon: 'sticky-note', rank: 7 },
  { path: '/meetings', name: 'meetings', icon: 'calendar', audience: 'executive', rank: 3 },
  { path: '/admin', name: 'admin', icon: 'shield', audience: 'admin', rank: 4 },
]

export const mySections = () => sections.filter(({ audience, isShown }) => mayOpen(audience) && (isShown?.value ?? true))

export const isWithin = (path: string, section: Section) => (section.path === '/' ? path === '/' : path.startsWith(section.path))
