import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { ascending, lockExisting } from '../../platform/database/sets.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { refuse, refuseField, refuseFields } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { momentAhead } from '../../platform/http/moments.ts'
import { Id, IdParams, ListPart, Shape } from '../../platform/http/shape.ts'
import { findForm, optionsIn } from '../service-forms/queries.ts'
import { leadsTeam } from '../service-teams/rules.ts'
import { defineSteps, lockApprovers } from './approval-steps.ts'
import { CatalogueEntry, NewServiceNotice, ServiceNotice } from './handling-shapes.ts'
import { findCrewOf, findNotice, listCatalogue, noNotice, setNotice } from './handlings.ts'
import {
  countServices,
  findHandling,
  findKnownService,
  findService,
  lockServiceForChange,
  noHandling,
  readHandling,
  setHandling,
} from './queries.ts'
import { NewHandling, ServiceHandling } from './shapes.ts'

/** The most days ahead at which a notice may end. */
const MOST_DAYS = 92

export const readServiceHandling = query('GET /services/:id/handling', {
  summary: 'Who may order a service, which team does it, and by when',
  description: 'A service without a handling of its own is ordered by everyone and done by all who receive orders.',
  allow: 'admin',
  scope: 'admin:read',
  record: ServiceHandling,
  params: IdParams,
  reply: ServiceHandling,
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await findService(db, id)
    return readHandling(db, id)
  },
})

export const replaceServiceHandling = command('PUT /services/:id/handling', {
  summary: 'Replace who may order a service, which team does it, and by when',
  description:
    'Omitted fields get their defaults. A service has at most 3 steps of approval; their conditions read its form of now. The audience alone knows the service and orders it. Orders in work return to `pending` when their receiver does not belong to the team. Everyone gets `services_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceHandling,
  locks: 'access',
  params: IdParams,
  body: NewHandling,
  reply: ServiceHandling,
  refuses: ['not_found', 'unknown_ids', 'too_many_items'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    await lockServiceForChange(tx, id)
    await ifMatch(() => readHandling(tx, id))
    const given = { ...noHandling, ...body }
    const before = await findHandling(tx, id)
    const after = {
      ...given,
      audienceGroupIds: ascending(new Set(given.audienceGroupIds)),
      onBehalfGroupIds: ascending(new Set(given.onBehalfGroupIds)),
      steps: body.steps?.length ? defineSteps(body.steps, (await findForm(tx, id)).fields) : [],
    }
    checkGroups(
      'audienceGroupIds',
      [before, after].map(({ audience, audienceGroupIds }) => audience === 'groups' && audienceGroupIds),
    )
    checkGroups(
      'onBehalfGroupIds',
      [before, after].map(({ onBehalf, onBehalfGroupIds }) => onBehalf === 'groups' && onBehalfGroupIds),
    )
    const { receiveMinutes, completeMinutes } = after
    if (receiveMinutes !== null && completeMinutes !== null && completeMinutes < receiveMinutes)
      refuseField('completeMinutes', 'minimum', { limit: receiveMinutes })
    await lockExisting(tx, 'serviceTeams', after.teamId === null ? [] : [after.teamId])
    await lockExisting(tx, 'groups', [...after.audienceGroupIds, ...after.onBehalfGroupIds])
    await lockApprovers(tx, after.steps)
    const differences = changedFields(before, after)
    if (Object.keys(differences).length === 0) return unchanged(await readHandling(tx, id))
    await setHandling(tx, id, after)
    return changed(await readHandling(tx, id), { kind: 'service.handling_changed', targetId: id, facts: { changed: differences } })
  },
})

/** Refuses an empty list of groups, unless it was already empty because its groups were deleted. */
function checkGroups(path: string, [before, after]: (number[] | false)[]) {
  if (after && after.length === 0 && !(before && before.length === 0)) refuseField(path, 'noGroups')
}

export const readServiceNotice = query('GET /services/:id/notice', {
  summary: 'What people read about a service before they order it, and whether it is paused',
  description: 'From `until` on it is as if there were none.',
  allow: 'signed-in',
  scope: 'services:read',
  record: ServiceNotice,
  params: IdParams,
  reply: ServiceNotice,
  refuses: ['not_found', 'forbidden'],
  run: async ({ db, actor, params: { id } }) => {
    await findKnownService(db, id, actor)
    if (!actor.isAdmin && !leadsTeam(await findCrewOf(db, id), actor)) refuse('forbidden')
    return findNotice(db, id)
  },
})

export const replaceServiceNotice = command('PUT /services/:id/notice', {
  summary: 'Replace the notice about a service, or pause it',
  description: 'For the leads of its team and for administrators. Omitted fields get their defaults. Everyone gets `services_changed`.',
  allow: 'signed-in',
  scope: ['admin:write', 'orders:receive'],
  record: ServiceNotice,
  params: IdParams,
  body: NewServiceNotice,
  reply: ServiceNotice,
  refuses: ['not_found', 'forbidden'],
  run: async ({ tx, ifMatch, actor, params: { id }, body }) => {
    await findKnownService(tx, id, actor)
    if (!actor.isAdmin && !leadsTeam(await findCrewOf(tx, id), actor)) refuse('forbidden')
    await lockServiceForChange(tx, id)
    const before = await findNotice(tx, id)
    await ifMatch(() => before)
    const until = await momentAhead(tx, body.until ?? null, { path: 'until', days: MOST_DAYS })
    const offOptions = [...new Set(body.offOptions)].toSorted()
    const known = offOptions.length ? optionsIn((await findForm(tx, id)).fields) : []
    const unknown = offOptions.filter((option) => !known.includes(option))
    if (unknown.length)
      refuseFields(
        (body.offOptions ?? []).flatMap((option, n) => (known.includes(option) ? [] : [fieldError(`offOptions.${n}`, 'option')])),
      )
    const after = { ...noNotice, ...body, noticeAr: body.noticeAr || null, noticeEn: body.noticeEn || null, until, offOptions }
    const differences = changedFields(before, after)
    if (Object.keys(differences).length === 0) return unchanged(before)
    await setNotice(tx, id, after)
    return changed(await findNotice(tx, id), { kind: 'service.notice_changed', targetId: id, facts: { changed: differences } })
  },
})

export const readCatalogue = query('GET /service-catalogue', {
  summary: 'What people read about each service that they know before they order it',
  description: 'In the order of the services. A notice that is over is left out.',
  allow: 'signed-in',
  scope: 'services:read',
  record: Type.Array(CatalogueEntry),
  query: ListPart,
  reply: Type.Array(CatalogueEntry),
  total: ({ db, actor }) => countServices(db, actor),
  run: ({ db, actor, query }) => listCatalogue(db, actor, query),
})

export const readCatalogueEntry = query('GET /service-catalogue/:serviceId', {
  summary: 'The same about one service',
  description: 'A service that is not meant for the caller is not found.',
  allow: 'signed-in',
  scope: 'services:read',
  record: CatalogueEntry,
  params: Shape({ serviceId: Id }),
  reply: CatalogueEntry,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { serviceId } }) => (await listCatalogue(db, actor, { serviceId }))[0] ?? refuse('not_found'),
})
