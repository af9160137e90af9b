import { sql } from 'kysely'
import { heldColumns, personColumns } from '../../people/users/queries.ts'
import { CONFIRMED_MINUTES } from '../../platform/auth/sessions.ts'
import { hashToken, newToken } from '../../platform/auth/tokens.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { partIn } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'

const preferenceColumns = [
  'users.notificationSoundOrder',
  'users.notificationSoundMeeting',
  'users.notificationSoundNote',
  'users.notifyOrdersEnabled',
  'users.notifyMeetingsEnabled',
  'users.notifyNotesEnabled',
  'users.vibrationEnabledOrder',
  'users.vibrationEnabledMeeting',
  'users.vibrationEnabledNote',
  'users.notificationsMuted',
] as const

export const readAuthUser = (db: Reads, id: number) =>
  db
    .selectFrom('users')
    .select([...personColumns, ...preferenceColumns])
    .select(heldColumns)
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()

export interface Beginning {
  /** 2 if the person has shown two factors. */
  level?: 1 | 2
  /**
   * Whether the sign-in counts as a confirmation. A password alone does not if the person has a factor, nor does an old sign-in at a
   * provider.
   */
  confirms?: boolean
  byPasskey?: boolean
  /** The provider that signed the person in, instead of the portal itself. */
  by?: ProviderSignIn
}
/** The provider and identity of a sign-in, as its session stores them. */
export interface SignedInBy {
  providerId: number
  identityId: number
  /** The id of the session at the provider. */
  sid: string | null
  /** The hours after which the session ends, however much it is used; null without such a limit. */
  hours: number | null
  /** The version of the provider's settings at the sign-in. */
  version: number
}
/** The version of a provider’s settings. Waiting sign-ins and links are void once it changes. */
export const versionOf = ({ updatedAt }: { updatedAt: Date }) => updatedAt.getTime()

interface ProviderSignIn extends SignedInBy {
  /** Stored only if signing out at the provider has to show it. */
  idToken: string | null
  secrets: Secrets
}

/** Starts a session; returns its token. */
export async function startSession(
  tx: Tx,
  userId: number,
  { ip, userAgent }: { ip: string; userAgent: string | null },
  ttlDays: number,
  { level = 1, confirms = true, byPasskey = false, by }: Beginning = {},
) {
  const token = newToken()
  const livesUntil = sql<Date>`now() + make_interval(hours => ${by?.hours ?? null}::int)`
  const fields = { tokenHash: hashToken(token), userId, ip, userAgent, level, byPasskey, confirmedAt: confirms ? sql<Date>`now()` : null }
  const { id } = await tx
    .insertInto('sessions')
    .values({
      ...fields,
      expiresAt: sql<Date>`least(now() + make_interval(days => ${ttlDays}::int), ${livesUntil})`,
      ...(by && { livesUntil, providerId: by.providerId, identityId: by.identityId, sid: by.sid }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Without SECRETS_KEY, people still sign in; only the hint for signing out at the provider is missing.
  if (by?.idToken && by.secrets.isConfigured)
    await tx
      .updateTable('sessions')
      .set({ idToken: by.secrets.encrypt(idTokenAt(id), by.idToken) })
      .where('id', '=', id)
      .execute()
  return token
}

/** Counts the session as confirmed from now on; returns until when. `by` is the provider that confirmed it. */
export async function confirmSession(tx: Tx, id: number, { level = 1, by = null }: { level?: 1 | 2; by?: number | null } = {}) {
  const { until } = await tx
    .updateTable('sessions')
    .set({ confirmedAt: sql<Date>`now()`, confirmedProviderId: by, level: sql<number>`greatest(level, ${level}::int)` })
    .where('id', '=', id)
    .returning(sql<Date>`now() + make_interval(mins => ${CONFIRMED_MINUTES}::int)`.as('until'))
    .executeTakeFirstOrThrow()
  return until
}

/** Where the id token of a session is stored. */
export const idTokenAt = (row: number) => ({ table: 'sessions', column: 'id_token', row })

const living = sql<boolean>`ended_at is null and expires_at > now()`

interface Which {
  only?: number
  except?: number
  /** Ends only sessions of browsers, not those of API tokens and calendar feeds. */
  ofBrowsers?: boolean
}
/** Ends sessions of a person: all, one, or all but one; with `ofBrowsers`, only those of browsers. Returns their ids. */
export async function endSessions(tx: Tx, userId: number, { only, except, ofBrowsers = false }: Which = {}) {
  const ended = await tx
    .updateTable('sessions')
    .set({ endedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where(living)
    .$if(only !== undefined, (sessions) => sessions.where('id', '=', only!))
    .$if(except !== undefined, (sessions) => sessions.where('id', '!=', except!))
    .$if(ofBrowsers, (sessions) => sessions.where('kind', '=', 'browser'))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** The number of browser sessions of these people. */
export const countSessions = async (db: Reads, userIds: number[]) =>
  (
    await db
      .selectFrom('sessions')
      .select(sql<number>`count(*)`.as('count'))
      .where('userId', '=', sql<number>`any(${userIds}::int[])`)
      .where('kind', '=', 'browser')
      .where(living)
      .executeTakeFirstOrThrow()
  ).count

/** Sessions of browsers: API tokens have a list of their own. */
export const listSessions = (db: Reads, userId: number, part: Page) =>
  partIn(
    db
      .selectFrom('sessions')
      .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'ip'])
      .where('userId', '=', userId)
      .where('kind', '=', 'browser')
      .where(living)
      .orderBy('lastUsedAt', 'desc')
      .orderBy('id', 'desc'),
    part,
  ).execute()
