/** Creating, adopting and changing people at the request of a source. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { take } from '../../access/grants/queries.ts'
import { endsOf } from '../../access/grants/rules.ts'
import { createPerson, hasWaysIn, lockPerson, type NewPerson, setFields } from '../../people/users/queries.ts'
import { isOtherAddress } from '../../people/users/rules.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import { brokenUnique, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Language } from '../../platform/tables.ts'
import { displayName } from '../../platform/text.ts'
import { addInvitation } from '../passwords/queries.ts'
import { usernameFrom, usernamesFrom } from '../providers/rules.ts'
import { refuseScim } from './errors.ts'
import { adminsMoved } from './group-queries.ts'
import { followManagers, lockNames, type ManagerNames, managerNames } from './managers.ts'
import { emailOf, facetsOf, languageOf, managerOf, namesOf, type PersonState } from './person.ts'
import type { CallingSource } from './queries.ts'
import { mayBeStrangers, type PersonRow, standingOf, stateOf } from './user-queries.ts'

export interface Writing {
  tx: Tx
  source: CallingSource
  config: Config
  holders: HoldersOf<'users'>
}

/** Refuses a change of an administrator by a source that may not change them. */
export const refuseAdmin = () => refuseScim('uniqueness', 'This source may not change administrators.', 'grants_admin')

interface Fields {
  email?: string
  displayNameAr?: string | null
  displayNameEn?: string | null
  preferredLanguage?: Language
  isActive?: boolean
}

/** The portal's own fields, derived from a state. A name that the source took away is cleared, unless the account is `isNew` to the source. */
function fieldsOf(before: PersonState, after: PersonState, source: CallingSource, isNew: boolean): Fields {
  const language = source.nameLanguage as 'auto' | Language
  const [had, names] = [isNew ? {} : namesOf(before.attributes, language), namesOf(after.attributes, language)]
  const cleared = Object.fromEntries(Object.keys(had).map((name) => [name, null]))
  const [email, preferredLanguage] = [emailOf(after.attributes), languageOf(after.attributes)]
  return {
    ...(email !== undefined && { email }),
    ...cleared,
    ...names,
    ...(preferredLanguage && { preferredLanguage }),
    isActive: after.active,
  }
}

/** The changes that a call would make to a person; nothing is written. `isNew`: the source creates the person, and may find an account. */
export function differencesOf(person: PersonRow, before: PersonState, after: PersonState, source: CallingSource, isNew = false) {
  const isAdopted = standingOf(person, source) !== 'own'
  const fields = changedFields(person, fieldsOf(before, after, source, isNew))
  // A person who is already inactive may now be switched off by the source as well.
  const switched = 'isActive' in fields ? {} : changedFields(before, { switchedOff: after.switchedOff })
  const kept = { ...attributesChanged(before, after), ...switched }
  const needsAccess = isAdopted || 'isActive' in fields || 'email' in fields || before.externalId !== after.externalId
  return { fields, kept, isAdopted, needsAccess, isNothing: !isAdopted && !Object.keys({ ...fields, ...kept }).length }
}

/** The stored attributes that change, as the audit log has them. */
function attributesChanged(before: PersonState, after: PersonState) {
  const flat = ({ userName, externalId, attributes }: PersonState) => ({ userName, externalId, ...attributes })
  const [from, to] = [flat(before) as Record<string, unknown>, flat(after) as Record<string, unknown>]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => !isDeepStrictEqual(from[name], to[name]))
  if (names.length === 0) return {}
  const only = (all: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, all[name] ?? null]))
  return { attributes: { from: only(from), to: only(to) } }
}

const recordOf = (state: PersonState) => ({
  userName: state.userName!,
  externalId: state.externalId,
  switchedOff: state.switchedOff,
  attributes: JSON.stringify(state.attributes),
  facets: facetsOf(state.attributes),
})

function refuseTaken(error: unknown): never {
  const broken = brokenUnique(error)
  if (broken === 'provisioned_name_taken') refuseScim('uniqueness', 'Another person of this source has this userName.', 'username_taken')
  if (broken === 'provisioned_id_taken') refuseScim('uniqueness', 'Another person of this source has this externalId.', 'username_taken')
  throw error
}

/** Stores the state that the source sent, in place of an earlier one. */
async function keepRecord(tx: Tx, userId: number, sourceId: number, state: PersonState) {
  const record = { ...recordOf(state), sourceId, removedAt: null, modifiedAt: new Date() }
  await tx
    .insertInto('provisionedUsers')
    .values({ ...record, userId })
    .onConflict((known) => known.column('userId').doUpdateSet(record))
    .execute()
    .catch(refuseTaken)
}

/** Creates a person in the source. Refuses `uniqueness` and `invalidValue`. */
export async function createInSource({ tx, source, config }: Writing, state: PersonState) {
  const userName = state.userName!
  const email =
    emailOf(state.attributes) ?? emailOf({ emails: [{ value: userName }] }) ?? refuseScim('invalidValue', 'An email address is required.')
  const { displayNameAr = null, displayNameEn = null } = namesOf(state.attributes, source.nameLanguage as 'auto' | Language)
  const preferredLanguage = languageOf(state.attributes)
  const name = usernameFrom(userName) || usernameFrom(email) || refuseScim('invalidValue', 'No username can be made of userName.')
  const isInvited = source.invite && state.active
  const fields = {
    email,
    passwordHash: null,
    displayNameAr,
    displayNameEn,
    isActive: state.active,
    emailVouched: true as const,
    ...(preferredLanguage && { preferredLanguage }),
    ...(isInvited && { invitation: 'pending' as const }),
  }
  await lockNames(tx, source, managerNames(null, null, state))
  const { id, username, roleIds, groupIds } = await createAccount(tx, name, fields)
  await keepRecord(tx, id, source.id, state)
  if (isInvited && config.smtpUrl) await addInvitation(tx, { id, username })
  const facts = { username, email, roleIds, groupIds, ...(isInvited && { isInvited: true as const }) }
  const change: Change = { kind: 'user.created', targetId: id, facts }
  return { id, changes: [change, ...(await followManagers(tx, source, id, { before: null, after: state }))] }
}

/** Creates an account under the first free one of the usernames that a name suggests. Refuses `uniqueness`. */
async function createAccount(tx: Tx, name: string, fields: Omit<NewPerson, 'username'>) {
  for (const username of usernamesFrom(name)) {
    try {
      return { username, ...(await createPerson(tx, { ...fields, username }, [], 409)) }
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'username_taken')) throw error
    }
  }
  return refuseScim('uniqueness', 'All usernames that userName suggests are taken.', 'username_taken')
}

/** Writes the new state of a person and returns the changes. The caller must have locked the person. */
export async function writePerson(writing: Writing, person: PersonRow, after: PersonState, isNew: boolean): Promise<Change[]> {
  const { tx, source, config, holders } = writing
  const before = stateOf(person)
  const { id, isActive } = person
  const { fields, kept, isAdopted, isNothing } = differencesOf(person, before, after, source, isNew)
  if (isNothing) return []
  const isOfEmail = isOtherAddress(person.email, emailOf(after.attributes))
  if (person.isAdmin && !source.mayGrantAdmin && (isOfEmail || 'isActive' in fields)) refuseAdmin()
  const isFree = standingOf(person, source) === 'free'
  // The account may be a stranger's. It becomes unproven, so that `entrust` hands it to the owner of the address that the source gives.
  if (isFree && (await mayBeStrangers(tx, person, after))) {
    if (!isOfEmail) refuseScim('invalidValue', 'An email address is required.')
    await setFields(tx, id, { emailVouched: false, isProven: false })
  }
  const entrusted = isOfEmail ? await holders.entrust(tx, person, config) : []
  const written = Object.fromEntries(Object.entries(fields).map(([field, { to }]) => [field, to]))
  // Perhaps only a provider has verified the address so far.
  const proof = isOfEmail ? { emailVouched: true, hasOlderWays: await hasWaysIn(tx, id), isProven: true } : isFree && { emailVouched: true }
  await setFields(tx, id, { ...written, ...proof })
  await keepRecord(tx, id, source.id, after)
  const changed = { ...fields, ...kept }
  const adopted: Change = {
    kind: 'user.adopted',
    targetId: id,
    facts: {
      source: source.name,
      personAr: displayName(person, 'ar'),
      personEn: displayName(person, 'en'),
      ...(person.isAdmin && { ofAdmin: true as const }),
    },
  }
  const updated: Change = { kind: 'user.updated', targetId: id, facts: { changed, groups: { added: [], removed: [] } } }
  return [
    ...(isAdopted ? [adopted] : []),
    ...(Object.keys(changed).length ? [updated] : []),
    ...(await followManagers(tx, source, id, { before: isAdopted ? null : before, had: managerOf(person.attributes ?? {}), after })),
    ...entrusted,
    ...(isActive && !after.active ? await holders.deactivate(tx, [id]) : []),
  ]
}

/** Removes a person from the source and its groups, and deactivates them. The caller must have locked the person. */
export async function removeFromSource(
  { tx, source, holders }: Writing,
  person: PersonRow,
  groupIds: readonly number[],
): Promise<Change[]> {
  const { id, isActive } = person
  if (isActive && person.isAdmin && !source.mayGrantAdmin) refuseAdmin()
  if (isActive) await setFields(tx, id, { isActive: false })
  const taken = await take(tx, 'group', { userIds: [id], ids: groupIds })
  await tx
    .updateTable('provisionedUsers')
    .set({ externalId: null, removedAt: new Date(), modifiedAt: new Date() })
    .where('userId', '=', id)
    .execute()
  const changed = { ...(isActive && { isActive: { from: true, to: false } }), source: { from: source.name, to: null } }
  const removed = taken.map(({ id: group }) => group).sort((one, other) => one - other)
  const groups = removed.length ? { groupIds: { from: removed, to: [] } } : {}
  const ends = endsOf('id', { taken })
  return [
    { kind: 'user.updated', targetId: id, facts: { changed: { ...changed, ...groups }, groups: { added: [], removed, ends } } },
    ...(await adminsMoved(tx, source, removed)),
    ...(isActive ? await holders.deactivate(tx, [id]) : []),
  ]
}

const NO_NAMES: ManagerNames = { own: [], named: [] }
/** Locks a person for a change by a source. Before a change of access it locks the source, because deactivations are counted there. */
export async function lockForWriting(tx: Tx, source: Pick<CallingSource, 'id'>, id: number, needsAccess: boolean, names = NO_NAMES) {
  if (needsAccess) await sql`select from provisioning_sources where id = ${source.id} for no key update`.execute(tx)
  await lockNames(tx, source, names)
  return lockPerson(tx, id, needsAccess ? 'rights' : 'texts')
}
