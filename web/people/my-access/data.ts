/** A person's grants, the groups that they can ask to join, and requests for access. */
import { useEffect } from 'preact/hooks'
import { titleOf } from '../../parts/show/title.ts'
import { invalidate, resource } from '../../platform/cache.ts'
import { answer, api, ifMatch, onThisClock, type Schemas } from '../../platform/client.ts'
import { Refusal } from '../../platform/refusal.ts'
import { me } from '../../platform/session.ts'
import type { Duration } from './duration.tsx'
import { tellsOfEnd } from './tells-of-end.ts'

export type Grant = Schemas['Grant']
export type GrantedApp = Schemas['GrantedApp']
export type Offer = Schemas['AccessOffer']
export type AccessRequest = Schemas['AccessRequest']

/** How many rows a page of a list has. */
const PART = 50
/** How many offers one call may ask for. */
const MOST = 200

/** The person's memberships and direct roles. */
export const grants = resource('/auth/me/grants')

/** A page of the groups that match `q` and that the person can ask to join. */
export const offersOf = (q: string, offset: number) =>
  resource('/access-requests/offers', { query: { ...(q && { q }), limit: PART, offset } })
/** The groups that the person can join in order to see an app. */
export const offersTo = (app: { appId: number } | { appSlug: string }) => resource('/access-requests/offers', { query: app })
const offersFrom = (offset: number) => resource('/access-requests/offers', { query: { limit: MOST, offset } })

/**
 * The offer of a group; null if the person cannot ask for it, undefined until that is known. A component that calls this function is
 * rendered again when the offers change.
 */
export function offerOf(groupId: number): Offer | null | undefined {
  for (let offset = 0; ; offset += MOST) {
    const { data, error } = offersFrom(offset)
    if (!data) return error instanceof Refusal ? null : undefined
    const found = data.items.find((one) => one.groupId === groupId)
    if (found || data.nextOffset === null) return found ?? null
  }
}

/** The 500 newest notifications of the person, including read ones. */
const told = resource('/notifications', { query: { limit: 500 } })

/** Whether a notification has told the person of the end of this grant; undefined until the notifications are loaded. */
export const wasToldOfEnd = (kind: Grant['kind'], id: number) =>
  told.data?.some((one) => one.relatedType === kind && one.relatedId === id && tellsOfEnd(one))

/** The note and the duration that the person typed for a request. The device stores them until they are sent. */
export interface Typed {
  note: string
  /** Undefined: the duration that was asked for. */
  duration?: Duration | undefined
}
/** The name of the draft of `Typed` for a request. */
export const draftNameOf = (id: number) => `access-request:${id}`

export const requestOf = (id: number) => resource('/access-requests/{id}', { path: { id } })
/** A page of the person's own requests, the newest first. */
export const ownRequests = (offset: number) => resource('/access-requests', { query: { view: 'mine', limit: PART, offset } })
/** A page of the pending requests that the person decides, the oldest first. */
export const reviewOf = (offset: number) => resource('/access-requests', { query: { view: 'review', limit: PART, offset } })

/** The title of the group of a request, in the language of the page. */
export const groupIn = ({ groupName: name, groupDescriptionAr: descriptionAr, groupDescriptionEn: descriptionEn }: AccessRequest) =>
  titleOf({ name, descriptionAr, descriptionEn })

export const isMine = ({ requester }: AccessRequest) => requester.id === me.value?.id
/** The person's own approval of a request that waits for other approvers. */
export const ownApproval = ({ approvals }: AccessRequest) => approvals.find(({ approver }) => approver.id === me.value?.id)
/** The requests on the first page that still wait for the person. */
export const waitingForMe = () => reviewOf(0).data?.items.filter((one) => !ownApproval(one))

/** The longest delay that `setTimeout` accepts, in ms. */
const LONGEST_MS = 2 ** 31 - 1
/** The page knows the portal's clock to within a second. */
const EXACT_MS = 1000

/** Reloads the grants and the apps as soon as the next grant of `all` has ended. The portal's events may come a minute later. */
export function useRereadAtEnds(all: readonly Grant[]) {
  const next = Math.min(...all.flatMap(({ expiresAt }) => (expiresAt ? [onThisClock(expiresAt)] : [])))
  useEffect(() => {
    const wait = next - Date.now() + EXACT_MS
    if (wait > LONGEST_MS) return
    const timer = setTimeout(() => invalidate('/auth/me/grants', '/access-requests/offers', '/apps'), Math.max(wait, 0))
    return () => clearTimeout(timer)
  }, [next])
}

/**
 * The grant that shows an app for the longest time; undefined if a grant without an end shows the app, or if no grant does, as for an app
 * that is open to everyone.
 */
export function lastingGrant(all: readonly Grant[], appId: number) {
  const showing = all.filter(({ apps }) => apps.some(({ id }) => id === appId))
  if (showing.some(({ expiresAt }) => !expiresAt)) return undefined
  return showing.toSorted((one, other) => Date.parse(other.expiresAt!) - Date.parse(one.expiresAt!))[0]
}

const reread = () => invalidate('/access-requests', '/access-requests/{id}', '/access-requests/offers', '/auth/me/grants')

/** Asks to join a group. A repeated call with the same key has no further effect. */
export async function ask(body: Schemas['NewAccessRequest'], key: string) {
  try {
    return await answer(api.POST('/access-requests', { body, headers: { 'idempotency-key': key } }))
  } finally {
    reread()
  }
}

export async function withdraw(id: number) {
  try {
    return await answer(api.POST('/access-requests/{id}/withdraw', { params: { path: { id } } }))
  } finally {
    reread()
  }
}

export const isOutdated = (failure: unknown) => failure instanceof Refusal && failure.code === 'changed_meanwhile'

const overtaken: readonly string[] = ['changed_meanwhile', 'invalid_transition', 'forbidden', 'not_found']

/** Approves or denies the request that the page shows. The portal refuses if the request, or what it gives, has changed since. */
async function decide(id: number, act: (headers: Record<string, string>) => Promise<{ data?: AccessRequest }>) {
  const shown = requestOf(id)
  try {
    return await answer(act(ifMatch(shown.version)))
  } catch (failure) {
    // Somebody else was quicker, or the person may no longer decide: show the current state.
    if (failure instanceof Refusal && overtaken.includes(failure.code)) await shown.refresh()
    throw failure
  } finally {
    reread()
  }
}

export const approve = (id: number, body: Schemas['NewAccessApproval']) =>
  decide(id, (headers) => api.POST('/access-requests/{id}/approve', { params: { path: { id } }, body, headers }))
export const deny = (id: number, note: string) =>
  decide(id, (headers) => api.POST('/access-requests/{id}/deny', { params: { path: { id } }, body: { note }, headers }))
