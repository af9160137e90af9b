/** The person for whom an order is placed. */
import { Refusal } from '../../platform/refusal.ts'
import { entryOf, type Service } from './data.ts'

interface Person {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
/** Null: the person who orders. `{ person: null }`: somebody else, who is not chosen yet. */
export type Whom = { person: Person | null } | null

/** For whom an order is. A choice stays even if the person may no longer order for others: the order must not become their own. */
export function whomOf(service: Service, chosen: Whom | undefined): Whom {
  const { isForOthers, mayOrderForOthers } = entryOf(service)
  return chosen ?? (isForOthers && mayOrderForOthers ? { person: null } : null)
}
/** Whether the form asks for whom the order is. */
export const asksForWhom = (service: Service, whom: Whom) => whom !== null || entryOf(service).mayOrderForOthers

export const isLacking = (whom: Whom) => whom !== null && whom.person === null
/** The part of the order's body that says for whom it is. */
export const bodyFor = (whom: Whom) => (whom?.person ? { forUserId: whom.person.id } : {})

/** Refusals about the person for whom an order is. */
const aboutPerson: readonly string[] = ['no_approver', 'forbidden', 'beneficiary']
/** Why the portal refuses the person for whom an order is; undefined if the refusal is about something else. */
export function wrongPerson(failure: unknown, whom: Whom): 'beneficiary' | 'no_approver' | 'forbidden' | undefined {
  if (!(failure instanceof Refusal) || !whom) return undefined
  const rule = failure.body.details?.find(({ path }) => path === 'forUserId') ? 'beneficiary' : failure.code
  return aboutPerson.includes(rule) ? (rule as 'beneficiary' | 'no_approver' | 'forbidden') : undefined
}
