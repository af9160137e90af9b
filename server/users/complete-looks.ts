/** The looks of usernames from before they were asked for. */
import { looksOf } from './rules.ts'

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
