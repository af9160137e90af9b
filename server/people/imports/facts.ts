/** Looks up the accounts, groups and usernames in the rows of a file, for many rows at once. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { lowered } from '../../platform/database/search.ts'
import { titlesOf } from '../../platform/text.ts'
import { NAMES_MANAGER } from '../managers/queries.ts'
import type { Known, KnownGroup } from './rules.ts'

interface Found {
  usernameKey: string | null
  emailKey: string | null
  namedId: number | null
  mailedId: number | null
}
/**
 * For each username and the e-mail address at the same index: their keys, and the ids of the accounts that have them, regardless of case.
 */
export async function findAccounts(db: Reads, usernames: readonly (string | null)[], emails: readonly (string | null)[]) {
  const { rows } = await sql<Found>`
    with sent as materialized (
      select place, ${lowered(sql.ref('username'))} as username_key, ${lowered(sql.ref('email'))} as email_key
      from unnest(${usernames}::text[], ${emails}::text[]) with ordinality as sent (username, email, place))
    select username_key, email_key, (select id from users as u where u.username_key = sent.username_key) as named_id,
      (select id from users as u where u.email_key = sent.email_key) as mailed_id
    from sent order by place`.execute(db)
  return rows
}

/** The stored data of these accounts, by id. */
export async function findKnown(db: Reads, ids: readonly number[]) {
  const { rows } = await sql<Known>`
    select id, kind, username, username_key, email, email_key, display_name_ar, display_name_en, preferred_language, is_active, email_vouched, is_proven,
      is_exception, (
        select coalesce(json_agg(json_build_object('groupId', group_id, 'isLasting', expires_at is null)), '[]') from (
          select 0 as group_id, user_id, role_id, expires_at from user_roles
          union all
          select group_id, user_id, role_id, expires_at from group_users join group_roles using (group_id)) as held
        where user_id = u.id and role_id = (select id from roles where name = 'admin')) as administers,
      (select s.name from provisioned_users p join provisioning_sources s on s.id = p.source_id
       where p.user_id = u.id and p.removed_at is null) as source,
      exists (select from provisioned_users p where p.user_id = u.id and p.removed_at is null and p.switched_off) as switched_off,
      array(select group_id from group_users where user_id = u.id order by group_id) as group_ids,
      (select m.username from managers join users m on m.id = manager_id where managers.user_id = u.id) as manager,
      exists (select from provisioned_users p where p.user_id = u.id and p.removed_at is null and ${NAMES_MANAGER}) as is_manager_named
    from users u where id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map((known) => [known.id, known]))
}

/** The keys of these usernames and the active people who have them, in the order of the names. */
export async function findManagers(db: Reads, names: readonly (string | null)[]) {
  if (names.every((name) => name === null)) return names.map(() => ({ key: null, person: undefined }))
  const found = await findAccounts(
    db,
    names,
    names.map(() => null),
  )
  const known = await findKnown(db, [...new Set(found.flatMap(({ namedId }) => namedId ?? []))])
  return found.map(({ namedId, usernameKey: key }) => {
    const one = namedId === null ? undefined : known.get(namedId)
    return { key, person: one?.isActive && one.kind === 'person' ? one : undefined }
  })
}

/**
 * All groups, by id and by name: whether they give the role `admin`, and the provider or source that their members follow from. An exact
 * name is preferred to one in another case, and a name to a description. A description, or its title, which pages show as the name of the
 * group in that language, names a group only if no other group has it.
 */
export async function findGroups(db: Reads) {
  const { rows } = await sql<KnownGroup & { descriptionAr: string | null; descriptionEn: string | null }>`
    select g.id, g.name, g.is_system, g.description_ar, g.description_en,
      exists (select from group_roles r where r.group_id = g.id and r.role_id = (select id from roles where name = 'admin')) as gives_admin,
      coalesce((select slug from sign_in_providers where id = g.managed_by_provider),
        (select s.name from provisioned_groups p join provisioning_sources s on s.id = p.source_id
         where p.group_id = g.id and p.removed_at is null)) as manager
    from groups g order by g.id`.execute(db)
  const byId = new Map(rows.map((group) => [group.id, group]))
  const key = (name: string) => name.normalize('NFC').toLowerCase()
  const byName = new Map(rows.toReversed().map((group) => [key(group.name), group]))
  const exactly = new Map(rows.map((group) => [group.name, group]))
  const described = Map.groupBy(
    rows.flatMap((group) => {
      const { ar, en } = titlesOf(group)
      const descriptions = [group.descriptionAr, group.descriptionEn, ar, en].flatMap((text) => (text ? key(text) : []))
      return [...new Set(descriptions)].map((description) => ({ description, group }))
    }),
    ({ description }) => description,
  )
  const byDescription = (name: string) => {
    const found = described.get(key(name))
    return found?.length === 1 ? found[0]!.group : undefined
  }
  return {
    groupById: (id: number) => byId.get(id),
    groupOf: (name: string) => exactly.get(name) ?? byName.get(key(name)) ?? byDescription(name),
  }
}

/** For each name: the key of the username, and the suffixes with which the username is taken. */
export async function findTaken(db: Reads, names: readonly string[], suffixes: readonly string[]) {
  const { rows } = await sql<{ name: string; key: string; taken: string[] }>`
    select name, key, array(
      select suffix from unnest(${suffixes}::text[]) as suffix where exists (select from users where username_key = key || suffix)) as taken
    from (select name, ${lowered(sql.ref('name'))} as key from unnest(${names}::text[]) as name offset 0) as sent`.execute(db)
  return new Map(rows.map(({ name, ...one }) => [name, one]))
}

export async function countActive(db: Reads) {
  const { rows } = await sql<{ count: number }>`select count(*) from users where kind = 'person' and is_active`.execute(db)
  return rows[0]!.count
}
