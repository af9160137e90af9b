import { randomBytes } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { hashToken } from '../platform/admission.ts'
import type { Reads, Tx } from '../platform/db.ts'
import { refuse } from '../platform/refusal.ts'
import type { UsersTable } from '../tables.ts'

/** Names of a person's effective roles, and their groups: columns for a select from `users`. */
export const rolesOf = sql<string[]>`array(select r.name from effective_roles er join roles r on r.id = er.role_id
  where er.user_id = users.id order by r.name)`
export const groupsOf = sql<{ id: number; name: string; descriptionAr: string | null; descriptionEn: string | null }[]>`
  (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'descriptionAr', g.description_ar, 'descriptionEn', g.description_en)
     order by g.id), '[]') from group_users gu join groups g on g.id = gu.group_id where gu.user_id = users.id)`

export const personColumns = [
  'users.id',
  'users.username',
  'users.email',
  'users.displayNameAr',
  'users.displayNameEn',
  'users.preferredLanguage',
  'users.clockStyle',
  'users.clockHour12',
  'users.avatarUrl',
  'users.isActive',
  'users.createdAt',
] as const
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
    .select([rolesOf.as('roles'), groupsOf.as('groups')])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()

/** The person a username or an e-mail address names, whatever its case. */
export const findByIdentifier = (db: Reads, identifier: string) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'passwordHash', 'isActive', 'preferredLanguage', 'displayNameAr', 'displayNameEn'])
    .where(({ or, eb }) => {
      const key = sql<string>`lower(${identifier}::text collate "und-x-icu")`
      return or([eb('usernameKey', '=', key), eb('emailKey', '=', key)])
    })
    .executeTakeFirst()

/** A fresh session; answers the token, which is kept nowhere. */
export async function startSession(tx: Tx, userId: number, { ip, userAgent }: { ip: string; userAgent: string | null }, ttlDays: number) {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('sessions')
    .values({ tokenHash: hashToken(token), userId, ip, userAgent, expiresAt: sql<Date>`now() + make_interval(days => ${ttlDays}::int)` })
    .execute()
  return token
}

const living = sql<boolean>`ended_at is null and expires_at > now()`

/** Ends sessions of a person: all, one, or all but one. Answers their ids. */
export async function endSessions(tx: Tx, userId: number, { only, except }: { only?: number; except?: number } = {}) {
  const ended = await tx
    .updateTable('sessions')
    .set({ endedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where(living)
    .$if(only !== undefined, (sessions) => sessions.where('id', '=', only!))
    .$if(except !== undefined, (sessions) => sessions.where('id', '!=', except!))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

export const listSessions = (db: Reads, userId: number) =>
  db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'ip'])
    .where('userId', '=', userId)
    .where(living)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const lockPerson = async (tx: Tx, id: number) =>
  (await tx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')

export type OwnFields = Omit<Updateable<UsersTable>, 'passwordHash' | 'isActive'>

/** A fresh reset token, good for `minutes`; the one before it is void. Answers the token, which is kept nowhere. */
export async function issueResetToken(tx: Tx, userId: number, minutes: number) {
  const token = randomBytes(32).toString('base64url')
  const fields = { tokenHash: hashToken(token), expiresAt: sql<Date>`now() + make_interval(mins => ${minutes}::int)` }
  const { expiresAt } = await tx
    .insertInto('passwordResets')
    .values({ userId, ...fields })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fields))
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  return { token, expiresAt }
}

/** Whether a reset token would be taken now. */
export const isResetToken = async (db: Reads, token: string) =>
  (await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .select('users.id')
    .where('passwordResets.tokenHash', '=', hashToken(token))
    .where('passwordResets.expiresAt', '>', sql<Date>`now()`)
    .where('users.isActive', '=', true)
    .executeTakeFirst()) !== undefined

/** Uses a reset token up; answers whose it was. Refuses `invalid_token`. */
export async function takeResetToken(tx: Tx, token: string) {
  const taken = await tx
    .deleteFrom('passwordResets')
    .where('tokenHash', '=', hashToken(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('userId')
    .executeTakeFirst()
  return taken?.userId ?? refuse('invalid_token')
}

export const activeAdmins = async (db: Reads) =>
  (
    await db
      .selectFrom('effectiveRoles')
      .innerJoin('roles', 'roles.id', 'effectiveRoles.roleId')
      .innerJoin('users', 'users.id', 'effectiveRoles.userId')
      .select('users.id')
      .where('roles.name', '=', 'admin')
      .where('users.isActive', '=', true)
      .execute()
  ).map(({ id }) => id)
