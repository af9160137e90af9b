import { lockGroup } from '../../people/groups/queries.ts'
import { StaleCaller } from '../../platform/auth/hold.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { Nothing } from '../../platform/http/shape.ts'
import { LongList, WithHeaders } from '../../platform/http/wire.ts'
import { scimRefusal } from './errors.ts'
import { readGroupEdit } from './group-moves.ts'
import { findByExternalId, findByName, findVisibleGroup, type GroupRow, isOwn, mayAdopt } from './group-queries.ts'
import { listGroups, versionOfGroup, wholeGroup, writtenGroup } from './group-resource.ts'
import { createGroup, isNamed, nameOfGroup, removeGroupOfSource, writeGroup } from './group-writing.ts'
import { type Move, readPatch, readResource } from './patch.ts'
import { baseUrlOf, type CallingSource, findCaller, findReader } from './queries.ts'
import { checkMatch, readAsked, readSelection } from './resource.ts'
import { idIn } from './rules.ts'
import { ScimBody, ScimGroupBody, ScimId, ScimList, ScimReply } from './shapes.ts'

type Reply = Record<string, unknown>
const scim = { allow: 'source', scope: 'scim' } as const
const takes = ['application/scim+json', 'application/json'] as const

export const listScimGroups = query('GET /scim/v2/Groups', {
  ...scim,
  summary: 'The groups of the source that meet a filter, by id',
  query: ScimList,
  reply: ScimReply,
  run: async (call) => listGroups(call.db, call.config, await findReader(call), readAsked('Group', call.query)),
})

export const searchScimGroups = query('POST /scim/v2/Groups/.search', {
  ...scim,
  summary: 'The same, with the parameters in the body',
  takes,
  body: ScimBody,
  reply: ScimReply,
  run: async (call) => listGroups(call.db, call.config, await findReader(call), readAsked('Group', call.body)),
})

export const readScimGroup = query('GET /scim/v2/Groups/:id', {
  ...scim,
  summary: 'One group of the source, or one that it could adopt, with its members',
  params: ScimId,
  query: ScimList,
  reply: ScimReply,
  refuses: ['not_found'],
  run: async (call) => {
    const { db, config, params, query } = call
    const source = await findReader(call)
    const group = await findVisibleGroup(db, source, idIn(params.id))
    const written = writtenGroup({ db, config, source }, group, readSelection('Group', query))
    return new WithHeaders<Reply>(new LongList<Reply>(written), { etag: versionOfGroup(group) })
  },
})

export const createScimGroup = command('POST /scim/v2/Groups', {
  ...scim,
  summary: 'Create a group with its members, or adopt the group with the same name',
  takes,
  query: ScimList,
  body: ScimGroupBody,
  reply: ScimReply,
  status: 201,
  locks: 'access',
  refuses: ['name_taken'],
  prepare: async (call) => {
    await findReader(call)
    const edit = readGroupEdit(await readResource('Group', call.body))
    if (edit.displayName === undefined) throw scimRefusal('invalidValue', 'displayName is required.')
    return { ...edit, displayName: nameOfGroup(edit.displayName) }
  },
  run: async ({ tx, actor, config, query, prepared: edit }) => {
    const source = await findCaller(tx, actor.id)
    const same = typeof edit.externalId === 'string' && (await findByExternalId(tx, source.id, edit.externalId))
    const named = await findByName(tx, edit.displayName)
    if (same || (named && !mayAdopt(named, source)))
      throw scimRefusal('uniqueness', 'Another group has this displayName or externalId.', 'name_taken')
    if (named) {
      await lockGroup(tx, named.id)
      // The group may have got another name before it was locked.
      if ((await findByName(tx, edit.displayName))?.id !== named.id) throw new StaleCaller()
    }
    const { id, changes } = named
      ? { id: named.id, changes: await writeGroup(tx, source, named, edit) }
      : await createGroup(tx, source, edit)
    const group = await findVisibleGroup(tx, source, id)
    const headers = { etag: versionOfGroup(group), location: `${baseUrlOf(config)}/Groups/${id}` }
    const resource = await wholeGroup({ db: tx, config, source }, group, readSelection('Group', query))
    return changedIf(new WithHeaders<Reply>(resource, headers), changes)
  },
})

const changing = {
  ...scim,
  params: ScimId,
  query: ScimList,
  takes,
  body: ScimGroupBody,
  locks: 'access',
} as const

/** Locks the group that a change is about, and reads it. Refuses `not_found`. */
async function lockForChange(tx: Tx, source: CallingSource, params: { id: string }, moves: readonly Move[]) {
  const names = (group: GroupRow) => isNamed(group, readGroupEdit(moves, group.id))
  const { id } = await findVisibleGroup(tx, source, idIn(params.id), names)
  await lockGroup(tx, id)
  return findVisibleGroup(tx, source, id, names)
}

export const replaceScimGroup = command('PUT /scim/v2/Groups/:id', {
  ...changing,
  summary: 'Replace a group of the source; without `members`, they stay',
  reply: ScimReply,
  refuses: ['not_found', 'name_taken', 'grants_admin', { code: 'changed_meanwhile' }],
  prepare: async (call): Promise<Move[]> => {
    await findReader(call)
    return readResource('Group', call.body)
  },
  run: async ({ tx, actor, config, query, request, params, prepared: moves }) => {
    const source = await findCaller(tx, actor.id)
    const before = await lockForChange(tx, source, params, moves)
    const { id } = before
    checkMatch(request.ifMatch, versionOfGroup(before))
    const changes = await writeGroup(tx, source, before, readGroupEdit(moves, id))
    const group = await findVisibleGroup(tx, source, id)
    const resource = await wholeGroup({ db: tx, config, source }, group, readSelection('Group', query))
    return changedIf(new WithHeaders<Reply>(resource, { etag: versionOfGroup(group) }), changes)
  },
})

export const patchScimGroup = command('PATCH /scim/v2/Groups/:id', {
  ...changing,
  summary: 'Change a group of the source',
  description: 'It costs what its operations cost, however many members the group has.',
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'name_taken', 'grants_admin', { code: 'changed_meanwhile' }],
  prepare: async ({ db, actor, body }): Promise<Move[]> => {
    await findCaller(db, actor.id)
    return readPatch('Group', body)
  },
  run: async ({ tx, actor, request, params, prepared: moves }) => {
    const source = await findCaller(tx, actor.id)
    const before = await lockForChange(tx, source, params, moves)
    const { id } = before
    checkMatch(request.ifMatch, versionOfGroup(before))
    const changes = await writeGroup(tx, source, before, readGroupEdit(moves, id))
    const etag = changes.length ? versionOfGroup(await findVisibleGroup(tx, source, id)) : versionOfGroup(before)
    return changedIf(new WithHeaders<null>(null, { etag }), changes)
  },
})

export const deleteScimGroup = command('DELETE /scim/v2/Groups/:id', {
  ...scim,
  summary: 'Delete a group of the source; one that gives roles or apps stays without members',
  params: ScimId,
  locks: 'access',
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'grants_admin', { code: 'changed_meanwhile' }],
  run: async ({ tx, actor, request, params, deletionHooks }) => {
    const source = await findCaller(tx, actor.id)
    const { id } = await findVisibleGroup(tx, source, idIn(params.id))
    const holders = deletionHooks('groups')
    await holders.lock(tx, id)
    await lockGroup(tx, id)
    const group = await findVisibleGroup(tx, source, id)
    if (!isOwn(group, source)) return refuse('not_found')
    checkMatch(request.ifMatch, versionOfGroup(group))
    return changedIf(null, await removeGroupOfSource(tx, source, group, holders))
  },
})
