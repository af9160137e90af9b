/** Computes looks that were not stored, for usernames that are older than the check for similar names or than its rough looks. */
import { keptLooks, ROUGH } from './rules.ts'

const BATCH = 5000

interface Client {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Computes the looks of usernames that have none, or that lack the rough ones. Old names that look alike stay. */
export async function completeLooks(client: Client) {
  for (;;) {
    const { rows } = await client.query<{ id: number; username: string; folded: string }>(
      `select id, username, portal_fold(username) as folded from users u
       where not exists (select from username_looks where user_id = u.id and look like '${ROUGH}%') order by id limit ${BATCH}`,
    )
    if (rows.length === 0) return
    const found = rows.flatMap(({ id, username, folded }) => keptLooks(username, folded).map((look) => ({ id, look })))
    await client.query('insert into username_looks (look, user_id) select * from unnest($1::text[], $2::int[]) on conflict do nothing', [
      found.map(({ look }) => look),
      found.map(({ id }) => id),
    ])
  }
}
