import { isDeepStrictEqual } from 'node:util'
import { StaleCaller } from '../../platform/auth/hold.ts'
import { useOnce } from '../../platform/auth/used-once.ts'
import type { DeletionHooks } from '../../platform/changes/deletion-hooks.ts'
import { changedIf, type Outcome } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { Refusal, refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { Nothing } from '../../platform/http/shape.ts'
import { WithHeaders } from '../../platform/http/wire.ts'
import { displayName } from '../../platform/text.ts'
import { checkForAdoption } from './adoption.ts'
import { scimRefusal } from './errors.ts'
import { type ManagerNames, managerNames } from './managers.ts'
import { readPatch, readResource } from './patch.ts'
import { applyMoves, emailOf, type PersonState } from './person.ts'
import { baseUrlOf, type CallingSource, findCaller, findReader } from './queries.ts'
import { checkMatch, personResource, readAsked, readSelection, type Selection, selected, versionOfPerson } from './resource.ts'
import { idIn, isHeld } from './rules.ts'
import { ScimBody, ScimId, ScimList, ScimReply } from './shapes.ts'
import { listPeople } from './user-lists.ts'
import {
  countDeactivation,
  findHeld,
  findMatches,
  findVisible,
  groupIdsOfSource,
  noteHeld,
  type PersonRow,
  standingOf,
  stateOf,
} from './user-queries.ts'
import { createInSource, differencesOf, lockForWriting, refuseAdmin, removeFromSource, type Writing, writePerson } from './user-writing.ts'

type Reply = Record<string, unknown>
const scim = { allow: 'source', scope: 'scim' } as const
const takes = ['application/scim+json', 'application/json'] as const

async function show(db: Reads, config: Config, source: CallingSource, person: PersonRow, asked: Selection = {}, isNew = false) {
  const held = await findHeld(db, source.id, [person.id])
  const resource = personResource(config, person, held.get(person.id))
  const location = `${baseUrlOf(config)}/Users/${person.id}`
  const headers = { etag: versionOfPerson(person.id, stateOf(person)), ...(isNew && { location }) }
  return new WithHeaders<Reply>(selected(resource, asked), headers)
}

/** Refuses a deactivation that is held, and notes it. Only the first one of a hold is a change. */
async function held(tx: Tx, { id, name }: CallingSource, person: PersonRow): Promise<Outcome<WithHeaders<Reply>>> {
  const isFirst = await noteHeld(tx, id, person.id)
  const detail = 'Too many people would be deactivated at once. An administrator of the portal can let them through.'
  const refusal = new Refusal('rate_limited', { retryAfter: 3600, body: { detail } })
  return changedIf(new WithHeaders<Reply>({}, {}, refusal), isFirst ? [{ kind: 'source.held', targetId: id, facts: { name } }] : [])
}

/**
 * Writes a person's state, unless it deactivates the person and the deactivation is held. A source that may not change administrators may
 * not change their `externalId` either: a provider connects people by it, so the source's token would open their accounts.
 */
async function write(writing: Writing, person: PersonRow, after: PersonState, asked?: Selection, isNew = false) {
  const { tx, source, config } = writing
  const isDeactivated = person.isActive && !after.active
  if (person.isAdmin && !source.mayGrantAdmin && (isDeactivated || stateOf(person).externalId !== after.externalId)) refuseAdmin()
  if (isDeactivated && !(await countDeactivation(tx, source.id, isHeld))) return held(tx, source, person)
  const changes = await writePerson(writing, person, after, isNew)
  const now = await findVisible(tx, source, person.id)
  return changedIf(await show(tx, config, source, now, asked, isNew), changes)
}

export const listScimUsers = query('GET /scim/v2/Users', {
  ...scim,
  summary: 'The people of the source who meet a filter, by id',
  query: ScimList,
  reply: ScimReply,
  run: async (call) => listPeople(call.db, call.config, await findReader(call), readAsked('User', call.query)),
})

export const searchScimUsers = query('POST /scim/v2/Users/.search', {
  ...scim,
  summary: 'The same, with the parameters in the body',
  takes,
  body: ScimBody,
  reply: ScimReply,
  run: async (call) => listPeople(call.db, call.config, await findReader(call), readAsked('User', call.body)),
})

export const readScimUser = query('GET /scim/v2/Users/:id', {
  ...scim,
  summary: 'One person of the source, or one whom it could adopt',
  params: ScimId,
  query: ScimList,
  reply: ScimReply,
  refuses: ['not_found'],
  run: async (call) => {
    const { db, config, params, query } = call
    const source = await findReader(call)
    return show(db, config, source, await findVisible(db, source, idIn(params.id)), readSelection('User', query))
  },
})

interface Prepared {
  state: PersonState
  /** Whether the body has a value for `active`. */
  saysActive: boolean
  isAdopting: boolean
}
const nobody: PersonState = { userName: null, externalId: null, active: true, switchedOff: false, attributes: {} }

export const createScimUser = command('POST /scim/v2/Users', {
  ...scim,
  summary: 'Create a person, or adopt the account with the same username or e-mail address',
  takes,
  query: ScimList,
  body: ScimBody,
  reply: ScimReply,
  status: 201,
  refuses: ['username_taken', 'email_taken', 'grants_admin', 'rate_limited'],
  prepare: async ({ db, actor, body }): Promise<Prepared> => {
    const source = await findCaller(db, actor.id)
    const moves = await readResource('User', body)
    const state = applyMoves(nobody, moves)
    if (state.userName === null) throw scimRefusal('invalidValue', 'userName is required.')
    const found = checkForAdoption(await findMatches(db, source, namesIn(state)), source)
    const saysActive = moves.some(({ attribute, value }) => attribute.name === 'active' && value !== null)
    return { state, saysActive, isAdopting: 'person' in found }
  },
  // Creating a person takes nothing from anybody. But it locks the names of managers, which a change of access may hold, so it needs
  // `texts`: docs/lock-order.md.
  locks: { when: ({ prepared }: { prepared: Prepared }) => (prepared.isAdopting ? 'access' : 'texts') },
  run: async ({ tx, actor, config, query, prepared: { state, saysActive, isAdopting }, deletionHooks }) => {
    const source = await findCaller(tx, actor.id)
    const writing = { tx, source, config, holders: deletionHooks('users') }
    const found = checkForAdoption(await findMatches(tx, source, namesIn(state)), source)
    if ('refusal' in found) {
      const { refusal, unproven } = found
      if (!unproven || !(await useOnce(tx, `adoption:${source.id}:${unproven.id}`, new Date(Date.now() + 24 * 3600_000)))) throw refusal
      const facts = { source: source.name, personAr: displayName(unproven, 'ar'), personEn: displayName(unproven, 'en') }
      return changedIf(new WithHeaders<Reply>({}, {}, refusal), [{ kind: 'user.adoption_refused', targetId: unproven.id, facts }])
    }
    // A matching account was created or removed since `prepare`.
    if ('person' in found !== isAdopting) throw new StaleCaller()
    if ('person' in found) {
      const { id } = found.person
      await lockForWriting(tx, source, id, true, managerNames(id, null, state))
      // The account may have changed before it was locked.
      const locked = checkForAdoption(await findMatches(tx, source, namesIn(state)), source)
      if (!('person' in locked) || locked.person.id !== id) throw new StaleCaller()
      // A person that the source had deleted comes back active.
      const comesBack = standingOf(locked.person, source) === 'removed'
      const after = saysActive || comesBack ? state : { ...state, active: locked.person.isActive }
      return write(writing, locked.person, after, readSelection('User', query), true)
    }
    const { id, changes } = await createInSource(writing, state)
    return changedIf(await show(tx, config, source, await findVisible(tx, source, id), readSelection('User', query), true), changes)
  },
})

const namesIn = ({ userName, externalId, attributes }: PersonState) => ({
  userName: userName!,
  externalId,
  email: emailOf(attributes),
})

const changing = {
  ...scim,
  params: ScimId,
  query: ScimList,
  takes,
  body: ScimBody,
  reply: ScimReply,
} as const

type AfterOf = (before: PersonState, body: Record<string, unknown>, id: number) => Promise<PersonState>

const patched: AfterOf = async (before, body, id) => applyMoves(before, await readPatch('User', body), id)
/** `PUT` removes the attributes that the resource lacks, except `active` and `externalId`. */
const replaced: AfterOf = async ({ externalId, active, switchedOff }, body, id) => {
  const after = applyMoves({ ...nobody, externalId, active, switchedOff }, await readResource('User', body), id)
  if (after.userName === null) throw scimRefusal('invalidValue', 'userName is required.')
  if (emailOf(after.attributes) === undefined) throw scimRefusal('invalidValue', 'An email address is required.')
  return after
}

interface Changing {
  actor: { id: number }
  params: { id: string }
  body: Record<string, unknown>
  request: { ifMatch: string | undefined }
}
/** The person's state before a call and after it. The first change adopts a person whom no source manages. */
async function planOf(db: Reads, { actor, params, body, request }: Changing, afterOf: AfterOf) {
  const source = await findCaller(db, actor.id)
  const person = await findVisible(db, source, idIn(params.id))
  const before = stateOf(person)
  checkMatch(request.ifMatch, versionOfPerson(person.id, before))
  const after = await afterOf(before, body, person.id)
  const differences = differencesOf(person, before, after, source)
  return { source, person, after, names: managerNames(person.id, differences.isAdopted ? null : before, after), ...differences }
}

/** `PUT` and `PATCH`. A call that changes nothing opens no transaction; one that changes only names needs no lock of access. */
const changingBy = (afterOf: AfterOf) =>
  ({
    answer: async (call: Changing & { db: Reads; config: Config; query: Record<string, unknown> }) => {
      const { source, person, isNothing } = await planOf(call.db, call, afterOf)
      return isNothing ? show(call.db, call.config, source, person, readSelection('User', call.query)) : undefined
    },
    prepare: async (call: Changing & { db: Reads }) => {
      const { source, person, needsAccess, names } = await planOf(call.db, call, afterOf)
      return { id: person.id, sourceId: source.id, needsAccess, names }
    },
    locks: { when: ({ prepared }: { prepared: Planned }) => (prepared.needsAccess ? 'access' : 'texts') },
    run: async (call: Changing & Call & { prepared: Planned }) => {
      const { tx, config, query, prepared, deletionHooks } = call
      await lockForWriting(tx, { id: prepared.sourceId }, prepared.id, prepared.needsAccess, prepared.names)
      const { source, person, after, needsAccess, names } = await planOf(tx, call, afterOf)
      if ((needsAccess && !prepared.needsAccess) || !isDeepStrictEqual(names, prepared.names)) throw new StaleCaller()
      return write({ tx, source, config, holders: deletionHooks('users') }, person, after, readSelection('User', query))
    },
  }) as const
interface Planned {
  id: number
  sourceId: number
  needsAccess: boolean
  names: ManagerNames
}
interface Call {
  tx: Tx
  config: Config
  query: Record<string, unknown>
  deletionHooks: DeletionHooks
}

export const replaceScimUser = command('PUT /scim/v2/Users/:id', {
  ...changing,
  summary: 'Replace a person of the source; what the body lacks is cleared',
  refuses: ['not_found', 'username_taken', 'email_taken', 'grants_admin', 'rate_limited', { code: 'changed_meanwhile' }],
  ...changingBy(replaced),
})

export const patchScimUser = command('PATCH /scim/v2/Users/:id', {
  ...changing,
  summary: 'Change a person of the source',
  refuses: ['not_found', 'username_taken', 'email_taken', 'grants_admin', 'rate_limited', { code: 'changed_meanwhile' }],
  ...changingBy(patched),
})

export const deleteScimUser = command('DELETE /scim/v2/Users/:id', {
  ...scim,
  summary: 'Deactivate a person and take them out of the source',
  description: 'Their notes and orders stay. If the source creates them again, they come back under the same id.',
  params: ScimId,
  locks: 'access',
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'grants_admin', 'rate_limited', { code: 'changed_meanwhile' }],
  run: async ({ tx, actor, config, request, params, deletionHooks }): Promise<Outcome<null> | Outcome<WithHeaders<null>>> => {
    const source = await findCaller(tx, actor.id)
    const id = idIn(params.id)
    const { id: own } = await findVisible(tx, source, id)
    await lockForWriting(tx, source, own, true)
    const person = await findVisible(tx, source, own)
    if (standingOf(person, source) !== 'own') return refuse('not_found')
    checkMatch(request.ifMatch, versionOfPerson(own, stateOf(person)))
    if (person.isActive && !(person.isAdmin && !source.mayGrantAdmin) && !(await countDeactivation(tx, source.id, isHeld))) {
      const { reply, changes } = await held(tx, source, person)
      return changedIf(new WithHeaders<null>(null, {}, reply.refusal), changes)
    }
    const writing = { tx, source, config, holders: deletionHooks('users') }
    return changedIf(null, await removeFromSource(writing, person, await groupIdsOfSource(tx, source.id)))
  },
})
