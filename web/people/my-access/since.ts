/** The changes of a request since a person began to read it. Pure. */
import type { AccessRequest } from './data.ts'

export interface Change {
  kind: 'approved' | 'needs' | 'adds' | 'lacks'
  /** The new approver. */
  person?: AccessRequest['requester']
  /** How many approvals are needed now. */
  needed?: number
  /** The apps, roles and permissions that the group newly gives, or no longer gives. */
  things?: Thing[]
}
/** An app, or a role or permission. */
export type Thing = { nameAr: string; nameEn: string } | { name: string; descriptionAr: string | null; descriptionEn: string | null }

type Gains = NonNullable<AccessRequest['gains']>
const parts = ['apps', 'roles', 'permissions'] as const

/** The things in `some` that are not in `others`. */
function without(some: Gains | undefined, others: Gains | undefined): Thing[] {
  if (!some || !others) return []
  return parts.flatMap((part) => {
    const known = new Set(others[part].map(({ id }) => id))
    return (some[part] as (Thing & { id: number })[]).filter(({ id }) => !known.has(id))
  })
}

/** The changes between two states of a pending request. `own` is the id of the reader, whose own approval is left out. */
export function changesSince(before: AccessRequest, now: AccessRequest, own: number | undefined): Change[] {
  const approved = new Map(before.approvals.map(({ approver, at }) => [approver.id, at]))
  const newly = now.approvals.filter(({ approver, at }) => approver.id !== own && approved.get(approver.id) !== at)
  const [adds, lacks] = [without(now.gains, before.gains), without(before.gains, now.gains)]
  return [
    ...newly.map(({ approver }) => ({ kind: 'approved' as const, person: approver })),
    ...(before.neededApprovals === now.neededApprovals ? [] : [{ kind: 'needs' as const, needed: now.neededApprovals }]),
    ...(adds.length ? [{ kind: 'adds' as const, things: adds }] : []),
    ...(lacks.length ? [{ kind: 'lacks' as const, things: lacks }] : []),
  ]
}
