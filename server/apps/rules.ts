import type { Actor } from '../platform/auth/actor.ts'
import { refuseField } from '../platform/refusal.ts'
import type { OpenMode } from '../tables.ts'

/** What decides who sees an app. */
export interface Guarded {
  isActive: boolean
  /** Names of the permissions it asks for; any one will do, and none are needed where the list is empty. */
  permissions: readonly string[]
  /** Groups it is granted to. */
  groupIds: readonly number[]
}
type Viewer = Pick<Actor, 'isAdmin' | 'can' | 'access'>

/** Whether an app is on a person's launcher. An inactive one is on nobody's. */
export function sees({ isActive, permissions, groupIds }: Guarded, actor: Viewer) {
  if (!isActive) return false
  if (actor.isAdmin || permissions.length === 0) return true
  return permissions.some((permission) => actor.can(permission)) || groupIds.some((id) => actor.access.groupIds.has(id))
}

/** Whether a person may look an app up: administrators see the inactive ones too. */
export const mayRead = (app: Guarded, actor: Viewer) => actor.isAdmin || sees(app, actor)

/** The apps as a person ordered them; those left out follow as they were. */
export function inOwnOrder<A extends { id: number }>(apps: readonly A[], order: readonly number[]) {
  const rank = new Map(order.map((id, index) => [id, index]))
  const rankOf = ({ id }: A) => rank.get(id) ?? order.length
  return order.length ? apps.toSorted((one, other) => rankOf(one) - rankOf(other)) : apps
}

/** Refuses an order that names an app the person does not see. */
export function checkOrder(visible: readonly { id: number }[], order: readonly number[]) {
  const known = new Set(visible.map(({ id }) => id))
  const unknown = order.findIndex((id) => !known.has(id))
  if (unknown !== -1) refuseField(`order.${unknown}`, 'is not an app you can see')
}

/** An app that opens elsewhere needs an address, and any address it has must be one. */
export function checkAddress({ openMode, externalUrl }: { openMode?: OpenMode; externalUrl?: string | null }) {
  if (externalUrl && !URL.canParse(externalUrl)) refuseField('externalUrl', 'is not an http or https address')
  if (openMode && openMode !== 'internal' && !externalUrl) refuseField('externalUrl', 'is required when the app opens outside the portal')
}

/** Who sees an app. */
export type Viewers = number[] | 'everyone'

/** Everyone who is among one or the other. */
export const inEither = (one: Viewers, other: Viewers): Viewers =>
  one === 'everyone' || other === 'everyone' ? 'everyone' : [...new Set([...one, ...other])]
