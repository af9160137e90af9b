/** What the usernames that exist look like. */
import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { refuse } from '../platform/refusal.ts'
import { isMistakable, looksOf } from './rules.ts'

/** Refuses `username_taken` where the name could be taken for one that exists; nobody else can take such a name before the commit. */
export async function refuseLookAlike(tx: Tx, username: string, status: 400 | 409) {
  const looks = looksOf(username)
  await sql`select pg_advisory_xact_lock(hashtext('looks of a name'), hashtext(look)) from unnest(${looks}::text[]) as look`.execute(tx)
  const { rows } = await sql<{ username: string }>`
    select distinct u.username from username_looks l join users u on u.id = l.user_id where l.look = any(${looks}::text[])`.execute(tx)
  if (rows.some((other) => isMistakable(username, other.username))) refuse('username_taken', { status })
}

export const keepLooks = (tx: Tx, userId: number, username: string) =>
  tx
    .insertInto('usernameLooks')
    .values(looksOf(username).map((look) => ({ look, userId })))
    .execute()

const BATCH = 5000

interface Client {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Finds out the looks of usernames that nobody has looked at yet: those from before this was asked. */
export async function completeLooks(client: Client) {
  for (;;) {
    const { rows } = await client.query<{ id: number; username: string }>(
      `select id, username from users u where not exists (select from username_looks where user_id = u.id) order by id limit ${BATCH}`,
    )
    if (rows.length === 0) return
    const found = rows.flatMap(({ id, username }) => looksOf(username).map((look) => ({ id, look })))
    await client.query('insert into username_looks (look, user_id) select * from unnest($1::text[], $2::int[]) on conflict do nothing', [
      found.map(({ look }) => look),
      found.map(({ id }) => id),
    ])
  }
}
