import { findPolicy } from '../../people/groups/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { changed } from '../../platform/changes/outcome.ts'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import {
  checkAskable,
  countApprovals,
  countNotices,
  decide,
  endAfter,
  findAskable,
  grantMembership,
  insertRequest,
  putApproval,
  takeTurn,
  touch,
} from './deciding.ts'
import { readGains } from './gains.ts'
import { pageOffers } from './offers.ts'
import { lockRequest, pageRequests, type RequestView, readRequest } from './queries.ts'
import { checkDays, checkDecider, checkPending, checkRequester, leastDays, paramsFor } from './rules.ts'
import {
  AccessRequest,
  AccessRequestsPage,
  AlreadyRequested,
  ApprovalBody,
  Denial,
  NewAccessRequest,
  OffersPage,
  OffersQuery,
  RequestsQuery,
  UnknownGroups,
} from './shapes.ts'

const shown = ({ isDecider, requesterId: _, ...request }: RequestView) => ({
  ...request,
  mayDecide: isDecider && request.status === 'pending',
})

/** A request as its reader sees it. Refuses `not_found`. */
async function show(db: Reads, id: number, actor: Actor) {
  const request = await readRequest(db, id, actor.id)
  const view = shown(request)
  return view.mayDecide ? { ...view, ...(await readGains(db, request.groupId, request.requesterId, actor.language)) } : view
}

const aboutRequest = ({ groupId, groupName, requesterId: userId }: RequestView) => ({ groupId, groupName, userId })

export const listAccessOffers = query('GET /access-requests/offers', {
  summary: 'The groups that the caller can ask to join, by name',
  description:
    '`appId` and `appSlug` select the groups that would show the caller this app; an app that is unknown, inactive or visible already, or to which no group leads, gives an empty page. `q` ignores case, diacritics and letter variants.',
  allow: 'signed-in',
  query: OffersQuery,
  reply: OffersPage,
  run: ({ db, actor, query }) => pageOffers(db, query, actor.id, actor.language),
})

export const requestAccess = command('POST /access-requests', {
  summary: 'Ask to join a group',
  description:
    'A member whose membership ends asks for a later end. A person has at most 20 pending requests, and makes at most 5 for one group within 24 hours. At most 200 approvers are notified, and all get `access_request_changed`.',
  allow: 'signed-in',
  record: AccessRequest,
  body: NewAccessRequest,
  reply: AccessRequest,
  status: 201,
  refuses: [
    { code: 'not_found', body: UnknownGroups },
    'reason_required',
    'already_member',
    { code: 'already_requested', body: AlreadyRequested },
    'no_approver',
    'quota_exceeded',
  ],
  run: async ({ tx, actor, body: { groupId, reason = null, days = null } }) => {
    await takeTurn(tx, actor.id)
    const group = await findAskable(tx, groupId, actor.id)
    const { minApprovals, deciders, maxDays, reasonRequired, approvers: recipients } = group
    checkDays(days, maxDays)
    if (reasonRequired && !reason) refuse('reason_required')
    checkAskable(group)
    const id = await insertRequest(tx, actor, { groupId, reason, days, neededApprovals: Math.min(minApprovals, deciders) })
    await countNotices(tx, actor.id, recipients.length)
    const request = await readRequest(tx, id, actor.id)
    return changed(shown(request), {
      kind: 'access_request.made',
      targetId: id,
      facts: { ...aboutRequest(request), status: 'pending' },
      recipients,
      payload: { params: paramsFor(request, request.requester) },
    })
  },
})

export const listAccessRequests = query('GET /access-requests', {
  summary: 'The caller’s requests, those that wait for the caller, or all',
  description:
    '`review` has the pending requests of others of which the caller is an approver, oldest first; the other views are newest first. Only administrators may read `all`.',
  allow: 'signed-in',
  query: RequestsQuery,
  reply: AccessRequestsPage,
  refuses: ['forbidden'],
  run: ({ db, actor, query }) => {
    if (query.view === 'all' && !actor.isAdmin) refuse('forbidden')
    return inSnapshot(db, async (snapshot) => {
      const { items, ...page } = await pageRequests(snapshot, query, actor.id)
      return { ...page, items: items.map(shown) }
    })
  },
})

export const readAccessRequest = query('GET /access-requests/:id', {
  summary: 'One request, for its requester, for who may decide on it, and for who did',
  description:
    'For anyone else, it is not found. People who may decide on it now also get what the requester would newly have (`gains`), and the number of members.',
  allow: 'signed-in',
  record: AccessRequest,
  params: IdParams,
  reply: AccessRequest,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id } }) => inSnapshot(db, (snapshot) => show(snapshot, id, actor)),
})

export const approveAccessRequest = command('POST /access-requests/:id/approve', {
  summary: 'Approve a request; the last approval that it needs makes the requester a member',
  description:
    'Approvals count while their givers could still give them. A second approval of the same person replaces the first. Nobody decides on their own requests. The membership ends after the fewest of the days asked for, those of each approval and those that the group allows; it never ends sooner than before. The requester is notified.',
  allow: 'signed-in',
  confirm: 'administration',
  record: AccessRequest,
  locks: { accessOf: ({ prepared }: { prepared: RequestView }) => prepared.requesterId },
  params: IdParams,
  body: ApprovalBody,
  reply: AccessRequest,
  refuses: ['changed_meanwhile', 'not_found', 'forbidden', 'invalid_transition'],
  prepare: async ({ db, actor, params: { id } }) => {
    const request = await readRequest(db, id, actor.id)
    checkDecider(request)
    return request
  },
  run: async ({ tx, ifMatch, actor, params: { id }, body }) => {
    await lockRequest(tx, id)
    const request = await readRequest(tx, id, actor.id)
    checkDecider(request)
    await ifMatch(() => show(tx, id, actor))
    checkPending(request)
    const { maxDays } = await findPolicy(tx, request.groupId)
    checkDays(body.days, request.days, maxDays)
    await putApproval(tx, id, actor, body)
    const { approvals, days } = await countApprovals(tx, request)
    const { neededApprovals } = request
    const isLast = approvals >= neededApprovals
    const granted = isLast ? await grantMembership(tx, request, await endAfter(tx, leastDays(request.days, days, maxDays))) : null
    if (granted) await decide(tx, id, { status: 'approved', by: actor, note: body.note, neededApprovals, grantEndsAt: granted.endsAt })
    else await touch(tx, id, neededApprovals)
    const view = await show(tx, id, actor)
    const own = view.approvals.find(({ approver }) => approver.id === actor.id)!
    return changed(
      view,
      {
        kind: 'access_request.approved',
        targetId: id,
        facts: { ...aboutRequest(request), status: isLast ? 'approved' : 'pending' },
        payload: { params: paramsFor(request, own.approver) },
      },
      ...(granted?.changes ?? []),
    )
  },
})

export const denyAccessRequest = command('POST /access-requests/:id/deny', {
  summary: 'Deny a request; one denial decides',
  description: 'The requester is notified, and reads the note. People who approved it may still deny it.',
  allow: 'signed-in',
  record: AccessRequest,
  params: IdParams,
  body: Denial,
  reply: AccessRequest,
  refuses: ['changed_meanwhile', 'not_found', 'forbidden', 'invalid_transition'],
  run: async ({ tx, ifMatch, actor, params: { id }, body: { note } }) => {
    await lockRequest(tx, id)
    const request = await readRequest(tx, id, actor.id)
    checkDecider(request)
    await ifMatch(() => show(tx, id, actor))
    checkPending(request)
    await decide(tx, id, { status: 'denied', by: actor, note, neededApprovals: request.neededApprovals })
    const view = await show(tx, id, actor)
    return changed(view, {
      kind: 'access_request.denied',
      targetId: id,
      facts: { ...aboutRequest(request), status: 'denied' },
      payload: { params: paramsFor(request, view.decidedBy!) },
    })
  },
})

export const withdrawAccessRequest = command('POST /access-requests/:id/withdraw', {
  summary: 'Withdraw one’s own request',
  description: 'Nobody is notified; the notifications of the approvers are marked as read.',
  allow: 'signed-in',
  record: AccessRequest,
  params: IdParams,
  reply: AccessRequest,
  refuses: ['not_found', 'forbidden', 'invalid_transition'],
  run: async ({ tx, actor, params: { id } }) => {
    await lockRequest(tx, id)
    const request = await readRequest(tx, id, actor.id)
    checkRequester(request, actor.id)
    checkPending(request)
    await decide(tx, id, { status: 'withdrawn', neededApprovals: request.neededApprovals })
    return changed(await show(tx, id, actor), {
      kind: 'access_request.withdrawn',
      targetId: id,
      facts: { ...aboutRequest(request), status: 'withdrawn' },
    })
  },
})
