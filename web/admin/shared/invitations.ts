/** Accounts whose people choose a password by a link. */
import { invalidate } from '../../platform/cache.ts'
import { answer, api, idempotencyKey, type Schemas } from '../../platform/client.ts'

/** So many are invited by one call. */
const AT_ONCE = 500
/** The longest that a username may be, less what a number after it takes. */
const LONGEST = 60

/** The part of an e-mail address before the `@`, as a username may be written. */
export const usernameOf = (email: string) =>
  (email.split('@')[0] ?? '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '.')
    .slice(0, LONGEST)

/** The name itself, or with the first number that nobody has. */
export function firstFree(name: string, taken: readonly string[]) {
  const known = new Set(taken.map((one) => one.toLowerCase()))
  for (let number = 1; ; number++) {
    const proposed = number === 1 ? name : `${name}${number}`
    if (!known.has(proposed.toLowerCase())) return proposed
  }
}

/** What was changed of people shows in their lists. */
export const peopleChanged = () => invalidate('/users', '/groups', '/stats/home')

/** People as one call takes them. */
export const inParts = <T>(all: readonly T[]) =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, part) => all.slice(part * AT_ONCE, (part + 1) * AT_ONCE))

/** What became of one who was to be invited: a link, or why there is no account. */
export interface Invited<P> {
  of: P
  invitation?: Schemas['Invitation']
  verdict?: Schemas['FailedItem']
}

/** Invites the people of one part; under the same key it is done once only. */
export async function invite<P>(
  people: readonly P[],
  itemOf: (one: P) => Schemas['NewUser'],
  key = idempotencyKey(),
): Promise<Invited<P>[]> {
  const items = people.map((one) => ({ ...itemOf(one), invite: true }))
  const { doneIds, invitations, failed } = await answer(api.POST('/users/bulk', { body: { items }, headers: { 'Idempotency-Key': key } }))
  peopleChanged()
  const verdicts = new Map(failed.map((verdict) => [verdict.index, verdict]))
  const links = new Map(invitations.map((invitation) => [invitation.id, invitation]))
  const ids = doneIds.values()
  return people.map((of, index) => {
    const verdict = verdicts.get(index)
    const invitation = verdict ? undefined : links.get(ids.next().value ?? 0)
    return { of, ...(verdict && { verdict }), ...(invitation && { invitation }) }
  })
}
