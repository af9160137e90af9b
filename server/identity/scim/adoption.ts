/** Decides whether a person whom a source sends is new, comes back after the source deleted them, or has an account that the source takes over. */
import type { Refusal } from '../../platform/errors/refusal.ts'
import { scimRefusal } from './errors.ts'
import type { CallingSource } from './queries.ts'
import { type Match, type PersonRow, standingOf } from './user-queries.ts'

type Found = { person: PersonRow } | { refusal: Refusal; unproven?: PersonRow } | { isNew: true }

const taken = (detail: string, { id }: PersonRow, isByEmail = false) =>
  scimRefusal('uniqueness', detail, isByEmail ? 'email_taken' : 'username_taken', id)
const ofAdmin = ({ id }: PersonRow) => scimRefusal('uniqueness', 'This source may not take over administrators.', 'grants_admin', id)

/**
 * Whether an account shares only its username with the person who is sent, and is a program's or managed by a source. The new person then
 * gets another username.
 */
const isNamesake = ({ kind, sourceId, removedAt, isException, isByUsernameAlone }: Match) =>
  isByUsernameAlone && (kind === 'service' || (sourceId !== null && removedAt === null && !isException))

/** Chooses among the accounts that match. An unproven address alone is not enough: a stranger may have registered it. */
export function checkForAdoption(matches: readonly Match[], source: CallingSource): Found {
  const named = matches.find(({ isNamed }) => isNamed)
  if (named) return { refusal: taken('A person of this source has this userName or externalId.', named) }
  const removed = matches.find((one) => standingOf(one, source) === 'removed')
  const person = removed ?? matches[0]
  if (!person || matches.every(isNamesake)) return { isNew: true }
  if (removed) return removed.isAdmin && !source.mayGrantAdmin ? { refusal: ofAdmin(removed) } : { person: removed }
  if (matches.length > 1) return { refusal: taken('One account has this username, and another one this email address.', person) }
  if (person.kind === 'service' || standingOf(person, source) !== 'free' || !source.adoptPeople)
    return { refusal: taken('Another account has this username or email address.', person, matches[0]!.isByEmail) }
  if (!person.isVouched)
    return {
      refusal: taken('Nobody has proven the email address of the account that has it.', person, matches[0]!.isByEmail),
      unproven: person,
    }
  return person.isAdmin && !source.mayGrantAdmin ? { refusal: ofAdmin(person) } : { person }
}
