/** Making and ending tokens, with the changes that follow. */
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { TokenKind } from '../../platform/auth/api-tokens.ts'
import { mayHave, type Scope } from '../../platform/auth/scopes.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { quotaExceeded, refuseField } from '../../platform/errors/refusal.ts'
import { type News, recipientsOf } from './changes.ts'
import { countTokens, endToken, holdPeople, insertToken } from './queries.ts'
import { DEFAULT_DAYS, scopes as needs } from './rules.ts'
import type { NewApiToken } from './shapes.ts'

interface Owner {
  id: number
  username: string
  kind: 'person' | 'service'
}
/** The part of a change's facts that describes the token's owner. */
const ownerIn = ({ username, kind }: Owner) => ({ username, ...(kind === 'service' && { ofService: true as const }) })

/** The change that notifies the owner of an event of a token. The portal is its author. */
export const announced = (news: News): Change => ({ kind: 'token.announced', ...news, author: null })

/** The kind of a token, and the limits for tokens of that kind. */
export interface Bounds {
  kind: TokenKind
  mostDays: number
  quota: 'tokens' | 'service_tokens' | 'source_tokens'
  most: number
}

interface Wanted extends Omit<Static<typeof NewApiToken>, 'scopes'> {
  scopes: readonly Scope[]
}

/**
 * Makes a token for an account, which the caller must have locked. Refuses `validation_failed` for a scope that the account lacks and for
 * too long a life, and `quota_exceeded`.
 */
export async function makeToken(
  tx: Tx,
  owner: Actor,
  { name, scopes, expiresInDays }: Wanted,
  { kind, mostDays, quota, most, createdBy }: Bounds & { createdBy: number },
) {
  const lacking = scopes.filter((scope) => !mayHave(owner, needs[scope]))
  if (lacking.length) refuseField('scopes', 'ownerRights', { scopes: lacking })
  const days = expiresInDays ?? Math.min(DEFAULT_DAYS, mostDays)
  if (days > mostDays) refuseField('expiresInDays', 'maximum', { limit: mostDays })
  const used = await countTokens(tx, owner.id)
  if (used >= most) throw quotaExceeded({ quota, used, allowed: most })
  const made = await insertToken(tx, { userId: owner.id, kind, name, scopes, days, createdBy })
  const { id, lastFour } = made
  const expiresAt = made.expiresAt.toISOString()
  const facts = { tokenId: id, tokenName: name, lastFour, ...ownerIn(owner), scopes: [...scopes], expiresAt }
  const changes: Change[] = [
    { kind: 'token.created', targetId: owner.id, facts },
    announced({ targetId: owner.id, facts: { news: 'made', name, lastFour, expiresAt } }),
  ]
  return { made, changes }
}

/** The news that a token has ended, by the party that ends it; null if that is the owner, who needs no notice. */
const ends = { owner: null, administrator: 'ended', finder: 'found' } as const

/** Ends a token of an account, which the caller must have locked. Returns the changes; none if the token was no longer valid. */
export async function revokeToken(tx: Tx, { owner, id, by }: { owner: Owner; id: number; by: keyof typeof ends }) {
  const news = ends[by]
  // The recipients are locked before the session: docs/lock-order.md.
  if (news) await holdPeople(tx, await recipientsOf(tx, owner.id))
  const ended = await endToken(tx, owner.id, id)
  if (!ended) return []
  const { name, lastFour } = ended
  const facts = { tokenId: id, tokenName: name, lastFour, ...ownerIn(owner), by }
  const changes: Change[] = [{ kind: 'token.revoked', targetId: owner.id, facts }]
  const expiresAt = new Date().toISOString()
  if (news) changes.push(announced({ targetId: owner.id, facts: { news, name, lastFour, expiresAt } }))
  return changes
}
