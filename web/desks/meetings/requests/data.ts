/** Requests to change the meetings: the lists, their order, and the steps of a request. */
import { say } from '../../../parts/overlay/toasts.tsx'
import { invalidate, resource } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas } from '../../../platform/client.ts'
import { isolated } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { onward } from '../../../platform/router.ts'
import { me } from '../../../platform/session.ts'
import { standing } from '../shared/standing.ts'
import { subjectOf } from '../shared/subject.ts'
import type { Request } from './proposal.ts'
import { t } from './texts.ts'

export const statuses = ['pending', 'needs_edit', 'approved', 'rejected', 'withdrawn'] as const satisfies Request['status'][]

export const requestOf = (id: number) => resource('/executive-meetings/requests/{id}', { path: { id } })
const [MOST, DECIDED] = [100, 30]
const waiting = resource('/executive-meetings/requests', { query: { status: 'pending', limit: MOST } })
const returned = resource('/executive-meetings/requests', { query: { status: 'needs_edit', limit: MOST } })
/** The newest requests, whatever their status. The decided ones among them are the group `decided`. */
const newest = resource('/executive-meetings/requests', { query: { limit: DECIDED } })
export const lists = [waiting, returned, newest]
export const countsOf = () => newest.data?.counts

export const isMine = ({ requester }: Request) => requester !== null && requester.id === me.value?.id
const mayDecide = ({ next }: Request) => next.includes('approved')

const groups = ['decide', 'edit', 'mine', 'waiting', 'returned', 'decided'] as const
type Group = (typeof groups)[number]
function groupOf(request: Request): Group {
  if (request.status === 'pending') return mayDecide(request) ? 'decide' : isMine(request) ? 'mine' : 'waiting'
  if (request.status === 'needs_edit') return isMine(request) ? 'edit' : 'returned'
  return 'decided'
}

/**
 * The requests by group; those to decide come first. For people without the right to approve, their own come first among the decided ones.
 */
export function grouped(): [group: Group, requests: Request[]][] | undefined {
  if (!waiting.data || !returned.data || !newest.data) return undefined
  const all = new Map([...newest.data.items, ...returned.data.items, ...waiting.data.items].map((one) => [one.id, one]))
  const sorted = [...all.values()].toSorted((one, other) => other.id - one.id)
  const ownFirst = (some: Request[]) => (standing.data?.canApprove ? some : [...some.filter(isMine), ...some.filter((one) => !isMine(one))])
  return groups.flatMap((group) => {
    const some = sorted.filter((one) => groupOf(one) === group)
    return some.length ? [[group, group === 'decided' ? ownFirst(some) : some]] : []
  })
}

/** The ids in the order of the list. */
export const idsInOrder = () => (grouped() ?? []).flatMap(([, some]) => some.map(({ id }) => id))

/** The id of the next request that the person has to decide, or of the first if there is none after it. */
function nextAfter(id: number) {
  const all = (grouped() ?? []).flatMap(([group, some]) => (group === 'decide' ? some.map((one) => one.id) : []))
  const here = all.indexOf(id)
  return all[here + 1] ?? all.find((one) => one !== id)
}

/** A request in one line: "New time of “Budget”". */
export const titleOf = (request: Request) => t.titles[request.type](isolated(subjectOf(request)))

type Decision = 'approved' | 'rejected' | 'needs_edit'
const reread = () => invalidate('/executive-meetings/requests', '/executive-meetings/requests/{id}')

export const isOutdated = (failure: unknown) => failure instanceof Refusal && failure.code === 'changed_meanwhile'

/**
 * Takes the next step of a request. The portal refuses if the request has changed since `version`, by default the version that the page
 * shows.
 */
async function step(id: number, body: Schemas['MeetingRequestStep'], version = requestOf(id).version) {
  const shown = requestOf(id)
  try {
    const headers = ifMatch(version)
    return await answer(api.PATCH('/executive-meetings/requests/{id}', { params: { path: { id } }, body, headers }))
  } catch (failure) {
    // Somebody else was quicker: show their change.
    if (isOutdated(failure) || (failure instanceof Refusal && failure.code === 'invalid_transition')) await shown.refresh()
    throw failure
  } finally {
    reread()
  }
}

/** Decides on a request, and opens the next one to decide. */
export async function decide(request: Request, status: Decision, words: string) {
  const next = nextAfter(request.id)
  const goOn = onward()
  await step(request.id, { status, reviewNotes: words.trim() || null })
  say({ about: `request ${request.id}`, text: t.said[status](titleOf(request)) })
  goOn(next === undefined ? '/meetings/requests' : `/meetings/requests/${next}`)
}

export async function withdraw(request: Request) {
  await step(request.id, { action: 'withdraw' })
  say({ about: `request ${request.id}`, text: t.said.withdrawn(titleOf(request)) })
}

export async function resubmit(request: Request, details: Schemas['MeetingProposal'], reason: string, version: string | undefined) {
  await step(request.id, { action: 'resubmit', details, reason: reason.trim() || null }, version)
  say({ about: `request ${request.id}`, text: t.said.resubmitted(titleOf(request)) })
}
