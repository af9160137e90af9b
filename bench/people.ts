/** People with a session each, created by SQL. */
import { hash, randomBytes } from 'node:crypto'
import { lastFourOf, newApiToken } from '../server/platform/auth/api-tokens.ts'
import { openPasswords } from '../server/platform/auth/passwords.ts'
import type { BenchPortal } from './portal.ts'

export const PASSWORD = 'bench password'

/** Signs the administrator in; returns the cookie. */
export async function signIn(base: string) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const response = await fetch(`${base}/api/auth/login`, { method: 'POST', headers, body })
  return response.headers.getSetCookie()[0]!.split(';')[0]!
}

/** Creates person1, person2 and so on; returns their ids and cookies, in the order of these numbers. */
export async function fillPeople({ sql }: BenchPortal, count: number) {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const passwordHash = await openPasswords().hash(PASSWORD)
  const people = await sql<{ id: number }>(
    `with people as (
       insert into users (username, email, password_hash, display_name_ar, display_name_en)
       select 'person' || n, 'person' || n || '@example.org', $1, 'الموظف رقم ' || n, 'Employee number ' || n
       from generate_series(1, $2::int) as n returning id),
     roled as (insert into direct_roles select people.id, roles.id from people, roles where roles.name = 'user' returning user_id),
     grouped as (insert into memberships select groups.id, people.id from people, groups where groups.name = 'Everyone' returning user_id, group_id),
     ledger as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'user', id, '{}' from people),
     history as (insert into permission_history (kind, target_id, added, removed)
       select 'user.roles', user_id, '{}'::int[], '{}'::int[] from roled union all
       select 'user.groups', user_id, '{}'::int[], '{}'::int[] from grouped union all
       select distinct 'group.users', group_id, '{}'::int[], '{}'::int[] from grouped)
     insert into sessions (token_hash, user_id, expires_at)
     select token, people.id, now() + interval '7 days'
     from (select id, row_number() over (order by id) as n from people) as people join unnest($3::text[]) with ordinality as tokens (token, n) using (n)
     returning user_id as id`,
    [passwordHash, count, tokens.map((token) => hash('sha256', token, 'base64url'))],
  )
  const ids = people.map(({ id }) => id).toSorted((one, other) => one - other)
  return { ids, cookies: tokens.map((token) => `portal_session=${token}`) }
}

/** Gives each of these people an API token that reads their profile; returns the tokens. */
export async function fillTokens({ sql }: BenchPortal, ids: readonly number[]) {
  const tokens = ids.map(() => newApiToken('personal'))
  await sql(
    `with given as (select * from unnest($1::int[], $2::text[], $3::text[]) as given (user_id, token, last_four)),
     ledger as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'user', user_id, '{}' from given),
     made as (
       insert into sessions (token_hash, user_id, kind, scopes, expires_at, confirmed_at)
       select token, user_id, 'token', '{profile:read}', now() + interval '90 days', null from given returning id, user_id, expires_at)
     insert into api_tokens (session_id, user_id, name, last_four, created_by, expires_at)
     select made.id, user_id, 'Bench', last_four, user_id, expires_at from made join given using (user_id)`,
    [ids, tokens.map((token) => hash('sha256', token, 'base64url')), tokens.map(lastFourOf)],
  )
  return tokens
}
