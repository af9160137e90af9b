/** API tokens, made without HTTP calls, and clients that send them. */

import { insertToken } from '../server/identity/tokens/queries.ts'
import type { Scope } from '../server/platform/auth/scopes.ts'
import { changed } from '../server/platform/changes/outcome.ts'
import type { TestPortal } from './portal.ts'

interface Fields {
  scopes?: readonly Scope[]
  kind?: 'personal' | 'service'
  days?: number
}

/** Gives an account a token with any scopes, as if the account had had the rights for them when the token was made. */
export async function giveToken({ instance, admin, sql }: TestPortal, userId: number, fields: Fields = {}) {
  const { scopes = ['profile:read'], kind = 'personal', days = 90 } = fields
  const { id, token, lastFour, expiresAt } = await instance.transact(null, async (tx) => {
    const made = await insertToken(tx, { userId, kind, name: 'Test', scopes, days, createdBy: admin.id })
    const facts = { tokenId: made.id, tokenName: 'Test', lastFour: made.lastFour, username: 'test', scopes: [...scopes] }
    return changed(made, { kind: 'token.created', targetId: userId, facts: { ...facts, expiresAt: made.expiresAt.toISOString() } })
  })
  const [row] = await sql<{ sessionId: number }>('select session_id as "sessionId" from api_tokens where id = $1', [id])
  return { id, sessionId: row!.sessionId, text: token, lastFour, expiresAt }
}

/** A client that sends a token, and no cookie. */
export function withToken(portal: Pick<TestPortal, 'stranger'>, text: string) {
  const client = portal.stranger()
  const { send } = client
  client.send = (method, path, body, headers) => send.call(client, method, path, body, { authorization: `Bearer ${text}`, ...headers })
  return client
}

/** A client with a new token of an account. */
export async function tokenOf(portal: TestPortal, userId: number, fields?: Fields) {
  const token = await giveToken(portal, userId, fields)
  return Object.assign(withToken(portal, token.text), { id: userId, token })
}
