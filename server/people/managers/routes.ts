import { changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { checkUserExists } from '../users/queries.ts'
import { findManager, findManagerIds, findNamedElsewhere, lockActive, lockManaged, setManagers } from './queries.ts'
import { Manager, ManagersChanged, NewManager, SomeManagers } from './shapes.ts'

export const readManager = query('GET /users/:id/manager', {
  summary: 'The manager of a person',
  description: 'One who is inactive approves nothing: then administrators do.',
  allow: 'admin',
  scope: 'people:read',
  record: Manager,
  params: IdParams,
  reply: Manager,
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await checkUserExists(db, id)
    return findManager(db, id)
  },
})

export const replaceManager = command('PUT /users/:id/manager', {
  summary: 'Set the manager of a person, or that there is none',
  description: 'An active person other than themselves. `managed_elsewhere` while a source names the manager.',
  allow: 'admin',
  scope: 'admin:write',
  record: Manager,
  params: IdParams,
  body: NewManager,
  reply: Manager,
  refuses: ['not_found', 'unknown_ids', 'managed_elsewhere'],
  run: async ({ tx, ifMatch, params: { id }, body: { userId: managerId } }) => {
    if (!(await lockManaged(tx, [id])).has(id)) refuse('not_found')
    const before = await findManager(tx, id)
    await ifMatch(() => before)
    const elsewhere = (await findNamedElsewhere(tx, [id])).get(id)
    if (elsewhere) throw elsewhere
    if (managerId === id) refuseField('userId', 'notSelf')
    // The present manager may be saved again, even when inactive by now.
    const isKnown = managerId === null || managerId === before.userId || (await lockActive(tx, [managerId])).has(managerId)
    if (!isKnown) refuse('unknown_ids', { body: { unknownIds: [managerId] } })
    const [change] = await setManagers(tx, [{ userId: id, managerId }])
    return change ? changed(await findManager(tx, id), change) : unchanged(before)
  },
})

export const replaceManagers = command('PUT /users/managers', {
  summary: 'Set the managers of many people at once',
  description: 'Of two items about one person, the last counts. Those that cannot be done are in `failedIds`; the others are done.',
  allow: 'admin',
  scope: 'admin:write',
  body: SomeManagers,
  reply: ManagersChanged,
  run: async ({ tx, body: { items } }) => {
    const asked = new Map(items.map(({ userId, managerId }) => [userId, managerId]))
    const people = await lockManaged(tx, [...asked.keys()])
    const managers = await lockActive(
      tx,
      items.flatMap(({ managerId }) => managerId ?? []),
    )
    const elsewhere = await findNamedElsewhere(tx, [...people])
    const before = await findManagerIds(tx, [...people])
    // The present manager may be saved again, even when inactive by now.
    const isKnown = (userId: number, managerId: number | null) =>
      managerId === null || managers.has(managerId) || managerId === before.get(userId)
    const isFit = (userId: number, managerId: number | null) =>
      people.has(userId) && !elsewhere.has(userId) && managerId !== userId && isKnown(userId, managerId)
    const done = [...asked].filter(([userId, managerId]) => isFit(userId, managerId))
    const doneIds = done.map(([userId]) => userId)
    const changes = await setManagers(
      tx,
      done.map(([userId, managerId]) => ({ userId, managerId })),
    )
    return changedIf({ doneIds, failedIds: [...asked.keys()].filter((id) => !doneIds.includes(id)) }, changes)
  },
})

export const readOwnManager = query('GET /auth/me/manager', {
  summary: 'The caller’s manager',
  description: 'One who is inactive counts as none.',
  allow: 'signed-in',
  record: Manager,
  reply: Manager,
  run: ({ db, actor }) => findManager(db, actor.id, { onlyActive: true }),
})
