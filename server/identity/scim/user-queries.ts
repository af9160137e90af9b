/** Finds the people whom a source manages, and those whom it may adopt. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keyOf, lowered } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Language } from '../../platform/tables.ts'
import { cleanText } from '../../platform/text.ts'
import { emailOf, type PersonState } from './person.ts'
import { type CallingSource, leftAllowance } from './queries.ts'

/** A person with the record of the source that manages or once managed them, if any. */
export interface PersonRow {
  id: number
  kind: 'person' | 'service'
  username: string
  email: string
  displayNameAr: string | null
  displayNameEn: string | null
  preferredLanguage: Language
  isActive: boolean
  createdAt: Date
  isException: boolean
  isAdmin: boolean
  /** No source manages the account, and nobody gave it its username: it was chosen at registration or came from a provider's claims. */
  isSelfNamed: boolean
  sourceId: number | null
  externalId: string | null
  userName: string | null
  attributes: Record<string, unknown> | null
  switchedOff: boolean
  modifiedAt: Date | null
  removedAt: Date | null
}

export const personColumns = sql`
  u.id, u.kind, u.username, u.email, u.display_name_ar, u.display_name_en, u.preferred_language, u.is_active, u.created_at, u.is_exception,
  p.source_id, p.external_id, p.user_name, p.attributes, coalesce(p.switched_off, false) as switched_off, p.modified_at, p.removed_at,
  exists (select from effective_roles e where e.user_id = u.id and e.role_id = (select id from roles where name = 'admin') offset 0) as is_admin,
  (p.source_id is null or p.removed_at is not null) and exists (
    select from ledger where target_type = 'user' and target_id = u.id
      and (kind = 'user.registered' or kind = 'user.created' and facts -> 'provider' is not null) offset 0) as is_self_named`

/** A source's own people: neither those whom it has deleted nor exceptions, whom no source ever sees. */
export const isOwn = (sourceId: number) => sql<boolean>`p.source_id = ${sourceId} and p.removed_at is null and not u.is_exception`

/** A person with whether a source may trust the address of their account. */
type Candidate = PersonRow & { isVouched: boolean }
/**
 * An account `u` with a proven address; or one whose address a provider of the source has verified, which speaks for its domain, if nothing
 * opens the account but this provider: a stranger may have prepared any other way in.
 */
const candidateColumns = (sourceId: number) => sql`${personColumns}, (u.email_vouched or u.is_proven and u.password_hash is null
  and not exists (select from passkeys where user_id = u.id offset 0) and exists (
    select from identities i join sign_in_providers s on s.id = i.provider_id
    where i.user_id = u.id and s.source_id = ${sourceId} and s.is_active and i.email_verified and ${lowered(sql`i.email`)} = u.email_key
      and split_part(u.email_key, '@', -1) = any(array(select ${lowered(sql`domain`)} from unnest(s.domains) as domain))
      and not exists (select from identities where user_id = u.id and id <> i.id)
      and not exists (
        select from sessions where user_id = u.id and identity_id is distinct from i.id and ended_at is null and expires_at > now())
    offset 0)) as is_vouched`

async function findPerson(db: Reads, source: CallingSource, id: number) {
  const { rows } = await sql<Candidate>`
    select ${candidateColumns(source.id)} from users u left join provisioned_users p on p.user_id = u.id
    where u.id = ${id} and u.kind = 'person'`.execute(db)
  return rows[0]
}

/**
 * How a person stands to a source: `own`; `removed`, if the source has deleted them; `free`, if no source manages them; `foreign`, for an
 * exception or a person of another source.
 */
export function standingOf({ sourceId, removedAt, isException }: PersonRow, source: CallingSource) {
  if (isException) return 'foreign'
  if (sourceId === null || (removedAt !== null && sourceId !== source.id)) return 'free'
  if (sourceId !== source.id) return 'foreign'
  return removedAt === null ? 'own' : 'removed'
}

/** Whether a source may take over an account that no source manages. */
const mayAdopt = (person: Candidate, source: CallingSource) =>
  standingOf(person, source) === 'free' && source.adoptPeople && person.isVouched && (source.mayGrantAdmin || !person.isAdmin)

/** A person of the source, or one whom it could adopt. Refuses `not_found`. */
export async function findVisible(db: Reads, source: CallingSource, id: number | undefined) {
  const person = id === undefined ? undefined : await findPerson(db, source, id)
  if (!person || (standingOf(person, source) !== 'own' && !mayAdopt(person, source))) return refuse('not_found')
  return person
}

interface Names {
  userName: string
  externalId: string | null
  email: string | undefined
}
/** A `userName` in the form of stored usernames and addresses, for comparison with them. */
const asAccount = (userName: string) => keyOf(cleanText(userName, 'line'))

/** Whether an account may be a stranger's, because a source names it by neither its address nor a username that somebody gave it. */
export async function mayBeStrangers(db: Reads, { id, isSelfNamed }: PersonRow, { userName, attributes }: PersonState) {
  if (!isSelfNamed) return false
  const { rows } = await sql`
    select from users where id = ${id} and kind = 'person'
      and email_key <> all(array[${asAccount(userName!)}, ${asAccount(emailOf(attributes) ?? userName!)}])`.execute(db)
  return rows.length > 0
}

export type Match = Candidate & { isNamed: boolean; isByEmail: boolean; isByUsernameAlone: boolean }
/** The people and programs whose accounts match the names of a new person. */
export async function findMatches(db: Reads, source: CallingSource, { userName, externalId, email = userName }: Names) {
  const account = asAccount(userName)
  const { rows } = await sql<Match>`
    select ${candidateColumns(source.id)},
      p.source_id = ${source.id} and p.removed_at is null
        and (p.user_name_key = ${keyOf(userName)} or p.external_id = ${externalId}::text) is true as is_named,
      u.username_key <> ${account} as is_by_email,
      u.username_key = ${account} and u.email_key <> all(array[${account}, ${asAccount(email)}]) as is_by_username_alone
    from users u left join provisioned_users p on p.user_id = u.id
    where u.id = any(array(
      select id from users where username_key = ${account} or email_key = any(array[${account}, ${asAccount(email)}])
      union
      select user_id from provisioned_users where source_id = ${source.id} and user_name_key = ${keyOf(userName)} and removed_at is null
      union
      select user_id from provisioned_users where source_id = ${source.id} and user_name_key = ${keyOf(userName)} and removed_at is not null
      union
      select user_id from provisioned_users where source_id = ${source.id} and external_id = ${externalId}::text and removed_at is null))
    order by p.removed_at desc nulls last, u.id`.execute(db)
  return rows
}

/** The person whom `userName eq` finds although no source manages them. */
export async function findAdoptable(db: Reads, source: CallingSource, userName: string) {
  const account = asAccount(userName)
  const { rows } = await sql<Candidate>`
    select ${candidateColumns(source.id)} from users u left join provisioned_users p on p.user_id = u.id
    where u.kind = 'person' and u.id = any(array(
      select id from users where username_key = ${account} or email_key = ${account}))`.execute(db)
  const [person, ...others] = rows
  return person && others.length === 0 && mayAdopt(person, source) ? person : undefined
}

/**
 * A person's state for a source. If no source manages them, it is derived from the portal's own fields. It lacks the address if nobody gave
 * the account its username, because the account may be a stranger's: a source that only sends differences then sends the address that it
 * means.
 */
export function stateOf(person: PersonRow): PersonState {
  const { isActive: active, userName, externalId, switchedOff, isSelfNamed } = person
  if (person.removedAt === null && userName !== null)
    return { userName, externalId, active, switchedOff, attributes: person.attributes ?? {} }
  const displayName = person.displayNameEn || person.displayNameAr
  const emails = [{ value: person.email, type: 'work', primary: true }]
  const attributes = { ...(displayName && { displayName }), ...(!isSelfNamed && { emails }) }
  return { userName: isSelfNamed ? person.username : person.email, externalId: null, active, switchedOff: false, attributes }
}

interface Shown {
  groups: { value: string; display: string }[]
  roles: string[]
}
/** The groups of a source that people are in, and their effective roles, by the id of the person. */
export async function findHeld(db: Reads, sourceId: number, ids: readonly number[]) {
  const { rows } = await sql<Shown & { id: number }>`
    select u.id,
      (select coalesce(json_agg(json_build_object('value', g.id::text, 'display', g.name) order by g.id), '[]')
       from group_users m join provisioned_groups own on own.group_id = m.group_id and own.source_id = ${sourceId} and own.removed_at is null
         join groups g on g.id = m.group_id
       where m.user_id = u.id) as groups,
      array(select r.name from effective_roles e join roles r on r.id = e.role_id where e.user_id = u.id order by r.name) as roles
    from unnest(${ids}::int[]) as u (id)`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Counts a deactivation by a source. False if it is held; then nothing is counted. */
export async function countDeactivation(tx: Tx, sourceId: number, isHeld: (n: number, activeBefore: number) => boolean) {
  const { rows } = await sql<{ n: number; before: number | null; active: number; allowance: number }>`
    select (select count(*) from source_deactivations where source_id = s.id and at > now() - interval '60 minutes')::int + 1 as n,
      (select active_before from source_deactivations
       where source_id = s.id and at > now() - interval '60 minutes' order by at, id limit 1) as before,
      (select count(*) from provisioned_users p join users u on u.id = p.user_id and u.kind = 'person' and u.is_active
       where p.source_id = s.id and p.removed_at is null)::int as active,
      ${leftAllowance} as allowance
    from provisioning_sources s where s.id = ${sourceId} for no key update`.execute(tx)
  const { n, before, active, allowance } = rows[0]!
  const isOver = isHeld(n, before ?? active)
  if (isOver && allowance === 0) return false
  if (isOver)
    await tx
      .updateTable('provisioningSources')
      .set({ allowance: allowance - 1 })
      .where('id', '=', sourceId)
      .execute()
  await tx.insertInto('sourceDeactivations').values({ sourceId, activeBefore: active }).execute()
  return true
}

/** Notes that a person's deactivation is held. True if it begins a hold, because none was held in the hour before. */
export async function noteHeld(tx: Tx, sourceId: number, userId: number) {
  const { rows } = await sql<{ begins: boolean }>`
    with hold as (
        update provisioning_sources set held_at = now(),
          held_since = case when held_at > now() - interval '60 minutes' then held_since else now() end
        where id = ${sourceId} returning id, held_since = now() as begins),
      noted as (
        insert into held_deactivations (source_id, user_id) select id, ${userId} from hold
        on conflict (source_id, user_id) do update set at = excluded.at)
    select begins from hold`.execute(tx)
  return rows[0]!.begins
}

/** The ids of the groups whose members a source manages. */
export const groupIdsOfSource = async (db: Reads, sourceId: number) =>
  (
    await db
      .selectFrom('provisionedGroups')
      .select('groupId')
      .where('sourceId', '=', sourceId)
      .where('removedAt', 'is', null)
      .orderBy('groupId')
      .execute()
  ).map(({ groupId }) => groupId)
