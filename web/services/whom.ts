/** For whom an order is. */
import { Refusal } from '../platform/refusal.ts'
import { entryOf, type Service } from './data.ts'

interface Person {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
/** Null: the person who orders; with a person of null, it is not chosen yet for whom. */
export type Whom = { person: Person | null } | null

/** Whom an order is for. What was chosen stays if the person may not order for others any more: the order must not become their own. */
export function whomOf(service: Service, chosen: Whom | undefined): Whom {
  const { isForOthers, mayOrderForOthers } = entryOf(service)
  return chosen ?? (isForOthers && mayOrderForOthers ? { person: null } : null)
}
/** Whether it is asked for whom the order is. */
export const asksForWhom = (service: Service, whom: Whom) => whom !== null || entryOf(service).mayOrderForOthers

export const isLacking = (whom: Whom) => whom !== null && whom.person === null
/** The field of the order's body. */
export const bodyFor = (whom: Whom) => (whom?.person ? { forUserId: whom.person.id } : {})

/** Refusals that are about the person for whom it is. */
const aboutPerson: readonly string[] = ['no_approver', 'forbidden', 'beneficiary']
/** What the portal says against the person for whom an order is; undefined if a refusal is about something else. */
export function wrongPerson(failure: unknown, whom: Whom): 'beneficiary' | 'no_approver' | 'forbidden' | undefined {
  if (!(failure instanceof Refusal) || !whom) return undefined
  const rule = failure.body.details?.find(({ path }) => path === 'forUserId') ? 'beneficiary' : failure.code
  return aboutPerson.includes(rule) ? (rule as 'beneficiary' | 'no_approver' | 'forbidden') : undefined
}
