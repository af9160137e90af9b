/** Decides whether a person whom a source sends is new, comes back after the source deleted them, or has an account that the source takes over. */
import type { Refusal } from '../../platform/errors/refusal.ts'
import { scimRefusal } from './errors.ts'
import type { CallingSource } from './queries.ts'
import { type PersonRow, standingOf } from './user-queries.ts'

type Found = { person: PersonRow } | { refusal: Refusal; unproven?: PersonRow } | { isNew: true }

const taken = (detail: string, isByEmail = false) => scimRefusal('uniqueness', detail, isByEmail ? 'email_taken' : 'username_taken')
const ofAdmin = () => scimRefusal('uniqueness', 'This source may not take over administrators.', 'grants_admin')

/** Chooses among the accounts that match. An unproven address alone is not enough: a stranger may have registered it. */
export function checkForAdoption(matches: readonly (PersonRow & { isNamed: boolean; isByEmail: boolean })[], source: CallingSource): Found {
  if (matches.some(({ isNamed }) => isNamed)) return { refusal: taken('A person of this source has this userName or externalId.') }
  const removed = matches.find((one) => standingOf(one, source) === 'removed')
  const person = removed ?? matches[0]
  if (!person) return { isNew: true }
  if (removed) return removed.isAdmin && !source.mayGrantAdmin ? { refusal: ofAdmin() } : { person: removed }
  if (matches.length > 1) return { refusal: taken('One account has this username, and another one this email address.') }
  if (person.kind === 'service' || standingOf(person, source) !== 'free' || !source.adoptPeople)
    return { refusal: taken('Another account has this username or email address.', matches[0]!.isByEmail) }
  if (!person.emailVouched)
    return { refusal: taken('Nobody has proven the email address of the account that has it.', matches[0]!.isByEmail), unproven: person }
  return person.isAdmin && !source.mayGrantAdmin ? { refusal: ofAdmin() } : { person }
}
