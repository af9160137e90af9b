import { type SelectQueryBuilder, sql } from 'kysely'
import { lastFourOf, newApiToken, type TokenKind } from '../../platform/auth/api-tokens.ts'
import type { Scope } from '../../platform/auth/scopes.ts'
import { hashToken } from '../../platform/auth/tokens.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { countOf, paged, partIn } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'

/** SQL: whether a token is valid. Only valid tokens are listed. */
const isLiving = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > now())`
const living = (db: Reads) => db.selectFrom('apiTokens').innerJoin('sessions', 'sessions.id', 'apiTokens.sessionId').where(isLiving)

const columns = [
  'apiTokens.id',
  'apiTokens.name',
  'apiTokens.lastFour',
  'apiTokens.createdAt',
  'apiTokens.expiresAt',
  'apiTokens.lastUsedAt',
  'apiTokens.lastUsedIp',
] as const
const scopesOf = sql<Scope[]>`sessions.scopes`.as('scopes')

type Living = ReturnType<typeof living>
/** The columns of tokens that are shown, the soonest to end first. */
const shown = (tokens: Living) => tokens.select(columns).select(scopesOf).orderBy('apiTokens.expiresAt').orderBy('apiTokens.id')

export const listTokens = (db: Reads, userId: number, part: Page) =>
  partIn(shown(living(db).where('apiTokens.userId', '=', userId)), part).execute()

export const countTokens = (db: Reads, userId: number) => countOf(living(db).where('apiTokens.userId', '=', userId).select('apiTokens.id'))

interface Filter {
  userId?: number
  expiresWithinDays?: number
}
/** The tokens of everybody, with their owners. */
export async function pageTokens(db: Reads, { userId, expiresWithinDays, ...page }: Filter & Page) {
  const found = living(db)
    .$if(userId !== undefined, (tokens) => tokens.where('apiTokens.userId', '=', userId!))
    .$if(expiresWithinDays !== undefined, (tokens) =>
      tokens.where('apiTokens.expiresAt', '<=', sql<Date>`now() + make_interval(days => ${expiresWithinDays!}::int)`),
    )
  const { items, ...rest } = await paged(withOwner(shown(found)), page)
  const owned = items.map(({ ownerId: id, username, kind, sourceId, displayNameAr, displayNameEn, ...token }) => ({
    ...token,
    owner: { id, username, kind, ...(sourceId !== null && { sourceId }), displayNameAr, displayNameEn },
  }))
  return { ...rest, items: owned }
}
const withOwner = <O>(tokens: SelectQueryBuilder<TokenTables, 'apiTokens' | 'sessions', O>) =>
  tokens
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .leftJoin('provisioningSources as source', 'source.userId', 'users.id')
    .select(['users.id as ownerId', 'users.username', 'users.kind', 'source.id as sourceId', 'users.displayNameAr', 'users.displayNameEn'])
type TokenTables = Living extends SelectQueryBuilder<infer DB, never, unknown> ? DB : never

interface NewToken {
  userId: number
  kind: TokenKind
  name: string
  scopes: readonly Scope[]
  days: number
  createdBy: number
}
/** Makes a token for an account, which the caller must have locked. Returns it with its text. */
export async function insertToken(tx: Tx, { userId, kind, name, scopes, days, createdBy }: NewToken) {
  const token = newApiToken(kind)
  const session = await tx
    .insertInto('sessions')
    .values({
      tokenHash: hashToken(token),
      userId,
      kind: 'token',
      scopes: [...scopes],
      expiresAt: sql<Date>`now() + make_interval(days => ${days}::int)`,
      // Long ago, so that the first use of the token is noted at once.
      lastUsedAt: sql<Date>`'epoch'`,
      confirmedAt: null,
    })
    .returning(['id', 'expiresAt'])
    .executeTakeFirstOrThrow()
  const { id } = await tx
    .insertInto('apiTokens')
    .values({ sessionId: session.id, userId, name, lastFour: lastFourOf(token), createdBy, expiresAt: session.expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await shown(living(tx).where('apiTokens.id', '=', id)).executeTakeFirstOrThrow()
  return { ...made, token }
}

/** The owner of a token that is valid. */
export const findTokenOwner = (db: Reads, id: number) =>
  living(db)
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select(['users.id', 'users.username', 'users.kind'])
    .where('apiTokens.id', '=', id)
    .executeTakeFirst()

/** The token with this text, if it is valid. */
export const findToken = (db: Reads, text: string) =>
  living(db).select(['apiTokens.id', 'apiTokens.userId']).where('sessions.tokenHash', '=', hashToken(text)).executeTakeFirst()

export interface EndedToken {
  id: number
  name: string
  lastFour: string
}
/** Ends a token of an account, which the caller must have locked. Returns it; undefined if it was no longer valid. */
export async function endToken(tx: Tx, userId: number, id: number) {
  const { rows } = await sql<EndedToken>`
    update sessions set ended_at = now() from api_tokens as t
    where t.session_id = sessions.id and t.id = ${id} and t.user_id = ${userId} and ${isLiving}
    returning t.id, t.name, t.last_four`.execute(tx)
  return rows[0]
}

interface EndingToken extends EndedToken {
  userId: number
  expiresAt: Date
}
/** The tokens among these that are still valid. */
export const findEnding = (db: Reads, ids: readonly number[]): Promise<EndingToken[]> =>
  living(db)
    .select(['apiTokens.id', 'apiTokens.userId', 'apiTokens.name', 'apiTokens.lastFour', 'apiTokens.expiresAt'])
    .where('apiTokens.id', 'in', ids)
    .orderBy('apiTokens.id')
    .execute()

/** Locks the recipients of a notice against deletion. */
export const holdPeople = (tx: Tx, ids: readonly number[]) =>
  sql`select id from users where id = any(${ids}::int[]) and kind = 'person' order by id for key share`.execute(tx)

/** The names and the contact of a service account; undefined for a person. */
export async function findProgram(db: Reads, userId: number) {
  const { rows } = await sql<{
    username: string
    displayNameAr: string | null
    displayNameEn: string | null
    contactUserId: number | null
  }>`
    select username, display_name_ar, display_name_en, contact_user_id
    from users left join service_accounts on user_id = id where id = ${userId} and kind = 'service'`.execute(db)
  return rows[0]
}
