/** SQL that selects a person's roles, permissions and groups. `user` is the SQL expression of their id. */
import { sql } from 'kysely'
import { jsonObject } from '../database/json.ts'

/** The ids of the active administrators. */
export const administrators = sql<number[]>`active_in_roles(array['admin'])`

/** Whether a row with a `user_id` is a person's, so that counts of people leave out service accounts. */
export const isOfPerson = sql<boolean>`user_id <> all(array(select id from users where kind = 'service'))`

/** The names of a person's effective roles, sorted. */
export const rolesOf = (user: string) =>
  `array(select r.name from effective_roles er join roles r on r.id = er.role_id where er.user_id = ${user} order by r.name)`

/** The names of the permissions of a person's effective roles, sorted. */
export const permissionsOf = (user: string) =>
  `array(select distinct p.name from effective_roles er join role_permissions rp on rp.role_id = er.role_id
    join permissions p on p.id = rp.permission_id where er.user_id = ${user} order by p.name)`

/** A person's groups, as JSON. */
export const groupsOf = (user: string) => `(
  select coalesce(json_agg(${jsonObject({
    id: 'g.id',
    name: 'g.name',
    descriptionAr: 'g.description_ar',
    descriptionEn: 'g.description_en',
  })} order by g.id), '[]')
  from group_users gu join groups g on g.id = gu.group_id where gu.user_id = ${user})`
