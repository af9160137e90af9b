/** The links of people whom an import has invited. They are made when they are handed out, so that none is stored. */
import { sql } from 'kysely'
import { momentIn } from '../../identity/passwords/queries.ts'
import { INVITATION_MINUTES, resetUrl } from '../../identity/passwords/rules.ts'
import { hashToken, newToken } from '../../platform/auth/tokens.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'

interface Invited {
  id: number
  line: number
  username: string
  email: string
}
/** Locks and returns the new people of an import who still wait for a link. */
async function lockInvited(tx: Tx, importId: number) {
  const { rows } = await sql<Invited>`
    select u.id, r.line, u.username, u.email from users u join user_import_rows r on r.user_id = u.id
    where r.import_id = ${importId} and r.verdict = 'create' and r.is_settled and u.kind = 'person' and u.invitation = 'pending' and u.is_active
    order by u.id for no key update of u`.execute(tx)
  return rows
}

/** Makes a link for each invited person, valid for seven days and one use; it voids their former link. Sorts the links by line. */
export async function issueLinks(tx: Tx, importId: number, config: Config) {
  const invited = await lockInvited(tx, importId)
  const expiresAt = await momentIn(tx, INVITATION_MINUTES)
  const links = invited.map((person) => ({ ...person, token: newToken() }))
  await sql`
    insert into password_resets (user_id, token_hash, expires_at, mailed)
    select id, hash, ${expiresAt}, false from unnest(
      ${links.map(({ id }) => id)}::int[], ${links.map(({ token }) => hashToken(token))}::text[]) as one (id, hash)
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at, mailed = false`.execute(tx)
  const changes = links.map(({ id, username }): Change => ({ kind: 'user.reset_link_issued', targetId: id, facts: { username } }))
  const shown = links
    .map(({ id: _, token, ...person }) => ({ ...person, resetUrl: resetUrl(config, token), expiresAt }))
    .sort((one, other) => one.line - other.line)
  return { links: shown, changes }
}
