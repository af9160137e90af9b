/** Creates accounts whose owners choose a password through a link. */
import { invalidate } from '../../../platform/cache.ts'
import { answer, api, idempotencyKey, type Schemas } from '../../../platform/client.ts'

/** The most people that one call invites. */
const AT_ONCE = 500
/** The maximum length of a proposed username; leaves room for a number. */
const LONGEST = 60

/** A valid username from the part of an e-mail address before the `@`. */
export const usernameOf = (email: string) =>
  (email.split('@')[0] ?? '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '.')
    .slice(0, LONGEST)

/** The name itself if it is free; otherwise the name with the first free number appended. */
export function firstFree(name: string, taken: readonly string[]) {
  const known = new Set(taken.map((one) => one.toLowerCase()))
  for (let number = 1; ; number++) {
    const proposed = number === 1 ? name : `${name}${number}`
    if (!known.has(proposed.toLowerCase())) return proposed
  }
}

/** Reloads the lists that show people. */
export const peopleChanged = () => invalidate('/users', '/groups', '/stats/home')

/** Splits people into portions of one call each. */
export const inParts = <T>(all: readonly T[]) =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, part) => all.slice(part * AT_ONCE, (part + 1) * AT_ONCE))

/** The outcome for one person: a link, or why there is no account. */
export interface Invited<P> {
  of: P
  invitation?: Schemas['Invitation']
  verdict?: Schemas['FailedItem']
}

/** Invites one portion of people. A repeated call with the same key has no further effect. */
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
