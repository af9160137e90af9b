/** Judges a row of a file, once everything that it names has been looked up. */
import { hasMoved, type Moves, movesBetween, noMoves } from '../../platform/database/sets.ts'
import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import type { Language } from '../../platform/tables.ts'
import type { ColumnName } from './columns.ts'

export const MOST_ROWS = 50_000
export const MOST_COLUMNS = 200

export const verdicts = ['create', 'update', 'unchanged', 'refused', 'deactivate', 'changed_since'] as const
export type Verdict = (typeof verdicts)[number]

/** The most people whom an import may deactivate because its file does not name them: a fifth of the active people. */
export const mostMissing = (active: number) => Math.floor(active / 5)

interface Account {
  email: string
  displayNameAr: string | null
  displayNameEn: string | null
  preferredLanguage: Language
  isActive: boolean
}
/** An account that a row names. */
export interface Known extends Account {
  id: number
  kind: 'person' | 'service'
  username: string
  usernameKey: string
  emailKey: string
  emailVouched: boolean
  isProven: boolean
  isException: boolean
  /** The grants that make the person an administrator. `groupId` is 0 for the role held directly. */
  administers: { groupId: number; isLasting: boolean }[]
  /** The name of the source that manages the person; null if none does. */
  source: string | null
  switchedOff: boolean
  groupIds: number[]
  /** The username of the person's manager. */
  manager: string | null
  /** The person's manager follows from the source. */
  isManagerNamed: boolean
}
export interface KnownGroup {
  id: number
  name: string
  isSystem: boolean
  givesAdmin: boolean
  /** The slug of the provider, or the name of the source, that decides the group's members. */
  manager: string | null
}

/** The changes that a row asks for. */
export interface Wanted {
  username?: string
  email?: string
  fields: Partial<Account>
  /** `isExact`: the named groups replace the person's groups. */
  groups?: { isExact: boolean; names: readonly string[] }
  /** The username of the manager. */
  manager?: string
}

/** A person who can be a manager. `id` is undefined for somebody whom a row above creates or activates. */
interface Manager {
  id?: number
  username: string
}

/** The accounts and groups that were found for a row. */
export interface Facts {
  named: Known | undefined
  mailed: Known | undefined
  emailKey: string | undefined
  /** A free username for somebody new; undefined if none can be made. */
  freeName: string | undefined
  isLookAlike: boolean
  /** The manager whom the row names, if that person can be one. */
  manager: Manager | undefined
  groupOf: (name: string) => KnownGroup | undefined
  groupById: (id: number) => KnownGroup | undefined
  callerId: number
}

export type Changes = Record<string, { from: unknown; to: unknown }>
export interface Judged {
  verdict: Exclude<Verdict, 'deactivate' | 'changed_since'>
  person: Known | undefined
  username: string | null
  fields: Partial<Account>
  moves: Moves
  /** The new manager of the person. */
  manager?: Manager | undefined
  changes: Changes
  details: Detail[]
}

/** Whether somebody is still an administrator after a change; with `lasting`, an administrator whose role has no end. */
export const staysAdministrator = ({ administers }: Known, { fields, moves }: Pick<Judged, 'fields' | 'moves'>, lasting = false) =>
  fields.isActive !== false && administers.some(({ groupId, isLasting }) => (isLasting || !lasting) && !moves.removed.includes(groupId))

const columnOfField = {
  email: 'email',
  displayNameAr: 'display_name_ar',
  displayNameEn: 'display_name_en',
  preferredLanguage: 'language',
  isActive: 'active',
} as const satisfies Record<keyof Account, ColumnName>

/** The groups that a person joins and leaves, and errors. Nobody leaves Everyone, or a group that a provider or source fills. */
function groupMoves(before: readonly number[], { isExact, names }: NonNullable<Wanted['groups']>, facts: Facts) {
  const details: Detail[] = []
  const named = names.flatMap((name) => {
    const group = facts.groupOf(name)
    if (!group) details.push(fieldError('groups', 'unknownGroup', { name }))
    return group ?? []
  })
  const stays = (id: number) => {
    const group = facts.groupById(id)
    return !isExact || group === undefined || group.isSystem || group.manager !== null
  }
  // A new person is in Everyone anyway.
  const joins = named.filter(({ isSystem }) => !isSystem).map(({ id }) => id)
  const moves = movesBetween(before, [...before.filter(stays), ...joins])
  for (const id of moves.added) {
    const { name, givesAdmin, manager } = facts.groupById(id)!
    if (givesAdmin) details.push(fieldError('groups', 'grants_admin', { name }))
    if (manager !== null) details.push(fieldError('groups', 'managed_elsewhere', { name: manager }))
  }
  return { moves, details }
}

const hasChanged = (known: Known, field: keyof Account, to: unknown, facts: Facts) =>
  field === 'email' ? facts.emailKey !== known.emailKey : known[field] !== to

/** The errors that forbid changing a field of an existing account. */
function forbidding(known: Known, field: keyof Account, to: unknown, facts: Facts): Detail[] {
  const path = columnOfField[field]
  const { source } = known
  const found: Detail[] = []
  if (source !== null && (field === 'email' || field === 'displayNameAr' || field === 'displayNameEn'))
    found.push(fieldError(path, 'managed_elsewhere', { name: source }))
  if (field === 'isActive' && to === true && known.switchedOff) found.push(fieldError(path, 'managed_elsewhere', { name: source ?? '' }))
  if (field === 'isActive' && to === false && known.id === facts.callerId) found.push(fieldError(path, 'ownAccount'))
  if (field === 'email' && facts.mailed && facts.mailed.id !== known.id) found.push(fieldError(path, 'taken'))
  return found
}

const entriesOf = (fields: Partial<Account>) => Object.entries(fields) as [keyof Account, Account[keyof Account]][]
const namesOf = (ids: readonly number[], { groupById }: Facts) =>
  ids.flatMap((id) => {
    const group = groupById(id)
    return group && !group.isSystem ? [group.name] : []
  })
const groupChange = (before: readonly number[], { added, removed }: Moves, facts: Facts): Changes =>
  hasMoved({ added, removed })
    ? { groups: { from: namesOf(before, facts), to: namesOf([...before.filter((id) => !removed.includes(id)), ...added], facts) } }
    : {}

/** The change of a person's manager, and the errors that forbid it. */
function judgeManager(known: Known | undefined, name: string | undefined, { manager }: Facts) {
  const found = (...details: Detail[]) => ({ details, manager: undefined, changes: {} })
  if (name === undefined) return found()
  if (manager === undefined) return found(fieldError('manager', 'unknownManager', { name }))
  if (known?.manager === manager.username) return found()
  if (known && manager.id === known.id) return found(fieldError('manager', 'notSelf'))
  if (known?.isManagerNamed) return found(fieldError('manager', 'managed_elsewhere', { name: known.source! }))
  return { details: [], manager, changes: { manager: { from: known?.manager ?? null, to: manager.username } } }
}

function judgeKnown(known: Known, wanted: Wanted, facts: Facts): Judged {
  const details: Detail[] = []
  const altered = entriesOf(wanted.fields).filter(([field, to]) => hasChanged(known, field, to, facts))
  for (const [field, to] of altered) details.push(...forbidding(known, field, to, facts))
  const grouped = wanted.groups ? groupMoves(known.groupIds, wanted.groups, facts) : { moves: noMoves, details: [] }
  // Without the role `admin`, the caller could not finish the import.
  if (known.id === facts.callerId && !staysAdministrator(known, { fields: {}, moves: grouped.moves }))
    details.push(fieldError('groups', 'ownAccount'))
  const { details: ofManager, changes: managerChange, manager } = judgeManager(known, wanted.manager, facts)
  details.push(...grouped.details, ...ofManager)
  const changes: Changes = {
    ...Object.fromEntries(altered.map(([field, to]) => [columnOfField[field], { from: known[field], to }])),
    ...groupChange(known.groupIds, grouped.moves, facts),
    ...managerChange,
  }
  const isChanged = Object.keys(changes).length > 0
  if (known.isException && isChanged) details.push(fieldError('username', 'exception'))
  const isRefused = details.length > 0
  if (!facts.named && wanted.username !== undefined) details.push(fieldError('username', 'usernameKept', { name: known.username }))
  return {
    verdict: isRefused ? 'refused' : isChanged ? 'update' : 'unchanged',
    person: known,
    username: known.username,
    fields: Object.fromEntries(altered),
    moves: grouped.moves,
    manager,
    changes,
    details,
  }
}

function judgeNew(wanted: Wanted, facts: Facts): Judged {
  const details: Detail[] = []
  if (wanted.email === undefined) details.push(fieldError('email', 'required'))
  const username = wanted.username ?? facts.freeName
  if (username === undefined) details.push(fieldError('username', 'required'))
  else if (facts.isLookAlike) details.push(fieldError('username', 'lookAlike'))
  const grouped = wanted.groups ? groupMoves([], wanted.groups, facts) : { moves: noMoves, details: [] }
  const { details: ofManager, changes: managerChange, manager } = judgeManager(undefined, wanted.manager, facts)
  details.push(...grouped.details, ...ofManager)
  const given = entriesOf(wanted.fields).map(([field, to]) => [columnOfField[field], { from: null, to }])
  return {
    verdict: details.length ? 'refused' : 'create',
    person: undefined,
    username: username ?? null,
    fields: wanted.fields,
    moves: grouped.moves,
    manager,
    changes: {
      ...(username !== undefined && { username: { from: null, to: username } }),
      ...Object.fromEntries(given),
      ...groupChange([], grouped.moves, facts),
      ...managerChange,
    },
    details,
  }
}

/** Judges a row. Its username identifies the account; if no account has it, the e-mail address does. */
export function judge(wanted: Wanted, facts: Facts): Judged {
  const { named, mailed } = facts
  const nothing = { person: undefined, username: wanted.username ?? null, fields: {}, moves: noMoves, changes: {} }
  if (named?.kind === 'service') return { ...nothing, verdict: 'refused', details: [fieldError('username', 'taken')] }
  if (named) return judgeKnown(named, wanted, facts)
  if (mailed?.kind === 'service') return { ...nothing, verdict: 'refused', details: [fieldError('email', 'taken')] }
  return mailed ? judgeKnown(mailed, wanted, facts) : judgeNew(wanted, facts)
}
