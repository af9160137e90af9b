/** Changes of access run one at a time, so that the rules about administrators hold under concurrency. */
import { type RawBuilder, sql } from 'kysely'
import type { Reads, Tx } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'
import { requireInAdministration } from './confirmation.ts'
import { administrators } from './held.ts'
import type { Session } from './sessions.ts'

/**
 * Locks the epoch, which every change of access increases. Take it before any other lock: it serialises these changes, and later statements
 * see the result of the previous one.
 */
export async function lockAccess(tx: Tx) {
  await tx.selectFrom('accessEpoch').select('value').forUpdate().executeTakeFirstOrThrow()
}

/**
 * Waits for all running commands and lets none begin until the transaction ends. Where possible, it is called after the work of a change of
 * access, so that other commands wait as briefly as possible.
 */
export const blockCommands = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('access'), 0)`.execute(tx)

/** The active people with the role `admin`, directly or through a group. */
const activeAdministrators = (db: Reads) =>
  db
    .selectFrom('effectiveRoles')
    .innerJoin('users', 'users.id', 'effectiveRoles.userId')
    .select('users.id')
    // A join with roles would keep the role's id from being pushed into the view, which would then read every membership.
    .where('effectiveRoles.roleId', '=', (eb) => eb.selectFrom('roles').select('roles.id').where('roles.name', '=', 'admin'))
    .where('users.isActive', '=', true)
    .where('users.kind', '=', 'person')

/** The ids of the active administrators. */
export const findAdministrators = async (db: Reads) =>
  (await sql<{ ids: number[] }>`select ${administrators} as ids`.execute(db)).rows[0]!.ids

/** The ids of the active people who hold the role `admin` without an end. */
export const findLastingAdministrators = async (db: Reads) =>
  (await db.selectFrom('lastingAdministrators').select('userId').execute()).map(({ userId }) => userId)

export const isAnyLastingAdministrator = async (db: Reads) =>
  (await db.selectFrom('lastingAdministrators').select('userId').limit(1).executeTakeFirst()) !== undefined

/**
 * The entries that decide who is an administrator: grants, groups that give the role, and the items by which a review will take it. `until` is
 * the end of an entry, in seconds since 1970; null without an end.
 */
type Administration = [entry: string, until: number | null][]

/** Whether a source may make people administrators by its groups; undefined if the account is no active source. */
async function findSource(tx: Tx, userId: number) {
  const source = tx.selectFrom('provisioningSources').select('mayGrantAdmin').where('userId', '=', userId).where('isActive', '=', true)
  return source.executeTakeFirst()
}

async function readAdministration(tx: Tx, isGuarded: RawBuilder<boolean>) {
  const { rows } = await sql<{ held: Administration | null; now: number }>`
    select case when ${isGuarded} then (
        select coalesce(json_agg(json_build_array(entry, extract(epoch from until)) order by entry, until), '[]') from administration) end as held,
      extract(epoch from clock_timestamp())::float8 as now
    from sign_in_settings`.execute(tx)
  return rows[0]!
}

/**
 * Guards who is an administrator, now or by a grant that begins later. The only token that may change that is the token of a source that
 * may make administrators; a person must confirm if the settings say so. Call it before the command, and the check that it returns after
 * the command: if the administrators have changed, the check refuses a source with `grants_admin`, and any other caller like
 * `requireInAdministration`. Grants that ran out in between do not count: the command did not end them.
 */
export async function guardAdministration(tx: Tx, session: Session) {
  const isSource = session.scopes?.includes('scim') ?? false
  if (isSource && (await findSource(tx, session.userId))?.mayGrantAdmin) return async () => {}
  const { held: before } = await readAdministration(tx, sql`confirm_administration or ${session.kind === 'token'}`)
  return async () => {
    if (!before) return
    const { held: after, now } = await readAdministration(tx, sql`true`)
    const living = (some: Administration) => JSON.stringify(some.filter(([, until]) => until === null || until > now))
    if (living(before) === living(after!)) return
    if (isSource) refuse('grants_admin', { status: 409 })
    await requireInAdministration(tx, session)
  }
}

/** Refuses `forbidden` when the person was demoted or deactivated after authentication, or the source was switched off. */
export async function requireAdministrator(tx: Tx, userId: number) {
  const found = await activeAdministrators(tx).where('users.id', '=', userId).executeTakeFirst()
  if (!found && !(await findSource(tx, userId))) refuse('forbidden')
}

const PROGRAM = 'A service account cannot have the role admin, neither directly nor through a group.'
const programAdministers = { error: PROGRAM, messageAr: 'لا يُمنح حساب خدمة دور المدير، لا مباشرة ولا من خلال مجموعة.', messageEn: PROGRAM }
export const refuseAdministeringProgram = () => refuse('grants_admin', { body: programAdministers })

/** Refuses `grants_admin` when a service account has the role `admin`, directly or through a group. */
export async function keepProgramsFromAdministering(tx: Tx) {
  const { rows } = await sql`
    select from users where kind = 'service' and (
      exists (select from user_roles as own where own.user_id = users.id and own.role_id = (select id from roles where name = 'admin'))
      or exists (
        select from group_users as own join group_roles using (group_id)
        where own.user_id = users.id and role_id = (select id from roles where name = 'admin')))
    limit 1`.execute(tx)
  if (rows.length) refuseAdministeringProgram()
}

/** Refuses `last_admin` when no active administrator without an end is left. */
export async function keepAnAdministrator(tx: Tx) {
  if (!(await isAnyLastingAdministrator(tx))) refuse('last_admin')
}
