import { type Static, Type } from 'typebox'
import type { Change } from '../../platform/changes/outcome.ts'
import { titlesOf } from '../../platform/text.ts'

export type GrantKind = 'group' | 'role'
/** A grant of the group or role `id`. */
export interface Grant {
  userId: number
  id: number
  /** Null if the grant has no end. */
  expiresAt: Date | null
}
/** A grant that has ended, with the data for its notice. */
export interface EndedGrant extends Grant {
  expiresAt: Date
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
  isActive: boolean
}

/** The end of a grant before or after a change; null if it has no end. In a move, `id` is the member of the changed set. */
const End = Type.Union([Type.String(), Type.Null()])
export const EndMoves = Type.Array(Type.Object({ id: Type.Integer(), from: End, to: End }))
export type EndMove = Static<typeof EndMoves>[number]

const written = (end: Date | null) => end?.toISOString() ?? null
export const endGiven = (id: number, expiresAt: string): EndMove => ({ id, from: null, to: expiresAt })
export const endLost = (id: number, expiresAt: string): EndMove => ({ id, from: expiresAt, to: null })

/** The moves of the ends of grants that were given or taken. `by` chooses the `id` of a move: the person, or the group or role. */
export function endsOf(by: 'userId' | 'id', moves: { given?: readonly Grant[]; taken?: readonly Grant[] }): EndMove[] {
  const ending = (grants: readonly Grant[] = []) => grants.filter(({ expiresAt }) => expiresAt !== null)
  return [
    ...ending(moves.given).map((grant) => ({ id: grant[by], from: null, to: written(grant.expiresAt) })),
    ...ending(moves.taken).map((grant) => ({ id: grant[by], from: written(grant.expiresAt), to: null })),
  ]
}

export const isOtherEnd = (one: Date | null, other: Date | null) => one?.getTime() !== other?.getTime()
/** The old and the new end of a grant, for the facts of a change. */
export const endMoved = (from: Date | null, to: Date | null) => ({ from: written(from), to: written(to) })
export const endsRemoved = (grants: readonly Grant[]) =>
  grants.map(
    ({ userId, id, expiresAt }): Change => ({
      kind: 'group.member_end_changed',
      targetId: id,
      facts: { userId, ...endMoved(expiresAt, null) },
    }),
  )
/** The end of a new grant in the facts of its change. */
export const withEnd = (end: Date | null | undefined) => (end ? { expiresAt: end.toISOString() } : {})

/** The portal is the author of the end of a grant, even if a person's command removes the ended grant before the job does. */
const author = null

export const membershipsExpired = (ended: readonly EndedGrant[]) =>
  ended.map(
    ({ userId, id, expiresAt, isActive, ...named }): Change => ({
      kind: 'group.member_expired',
      targetId: id,
      facts: { userId, groupName: named.name, expiresAt: expiresAt.toISOString() },
      recipients: isActive ? [userId] : [],
      payload: { titles: titlesOf(named) },
      author,
    }),
  )
export const rolesExpired = (ended: readonly EndedGrant[]) =>
  ended.map(
    ({ userId, id, expiresAt, isActive, ...named }): Change => ({
      kind: 'user.role_expired',
      targetId: userId,
      facts: { roleId: id, roleName: named.name, expiresAt: expiresAt.toISOString() },
      recipients: isActive ? [userId] : [],
      payload: { titles: titlesOf(named) },
      author,
    }),
  )
/** A change without its notice, for a person who is being deleted. */
export const withoutNotice = (change: Change): Change => ({ ...change, recipients: [] }) as Change
