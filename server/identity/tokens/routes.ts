import { Type } from 'typebox'
import { blockCommandsOf } from '../../people/users/queries.ts'
import { kindOfToken } from '../../platform/auth/api-tokens.ts'
import { changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { ownShare } from '../factors/rules.ts'
import { readSignInSettings } from '../settings/queries.ts'
import { makeToken, revokeToken } from './issue.ts'
import { countTokens, findToken, findTokenOwner, listTokens, pageTokens } from './queries.ts'
import { MOST_PERSONAL } from './rules.ts'
import { ApiToken, ApiTokensPage, ApiTokensQuery, CreatedApiToken, FoundToken, NewApiToken } from './shapes.ts'

export const listMyTokens = query('GET /auth/me/tokens', {
  summary: 'The caller’s API tokens, those that end first at the top',
  description: 'Tokens that have ended are not listed.',
  allow: 'signed-in',
  query: ListPart,
  reply: Type.Array(ApiToken),
  total: ({ db, actor }) => countTokens(db, actor.id),
  run: ({ db, actor, query }) => listTokens(db, actor.id, query),
})

export const createMyToken = command('POST /auth/me/tokens', {
  summary: 'Make an API token with some of the caller’s rights',
  description:
    'The answer is the only one that has the token. It may do what its owner may and its scopes name, both at the time of each call. A person has at most 20 tokens.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  body: NewApiToken,
  reply: CreatedApiToken,
  status: 201,
  refuses: ['forbidden', 'quota_exceeded', 'rate_limited'],
  limits: ({ actor }) => [ownShare('tokens', actor.id)],
  run: async ({ tx, actor, body }) => {
    const { personalTokens, tokenMaxDays } = await readSignInSettings(tx)
    if (!personalTokens) refuse('forbidden')
    const bounds = { kind: 'personal', mostDays: tokenMaxDays, quota: 'tokens', most: MOST_PERSONAL } as const
    const { made, changes } = await makeToken(tx, actor, body, { ...bounds, createdBy: actor.id })
    return changedIf(made, changes)
  },
})

export const revokeMyToken = command('DELETE /auth/me/tokens/:id', {
  summary: 'End one of the caller’s API tokens',
  allow: 'signed-in',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id } }) => {
    const changes = await revokeToken(tx, { owner: actor, id, by: 'owner' })
    return changes.length ? changedIf(null, changes) : refuse('not_found')
  },
})

export const showTokens = query('GET /admin/tokens', {
  summary: 'The API tokens of everyone, those that end first at the top',
  allow: 'admin',
  scope: 'admin:read',
  query: ApiTokensQuery,
  reply: ApiTokensPage,
  run: ({ db, query }) => pageTokens(db, query),
})

export const endToken = command('DELETE /admin/tokens/:id', {
  summary: 'End the API token of a person or a service account, and tell its owner',
  allow: 'admin',
  confirm: 'person',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, params: { id } }) => {
    const owner = (await findTokenOwner(tx, id)) ?? refuse('not_found')
    await blockCommandsOf(tx, owner.id)
    const changes = await revokeToken(tx, { owner, id, by: 'administrator' })
    return changes.length ? changedIf(null, changes) : refuse('not_found')
  },
})

export const revokeFoundToken = command('POST /tokens/revoke', {
  summary: 'End an API token that was found where it does not belong',
  description: 'Anyone who has the token may end it. Its owner is told. The answer is the same for every text.',
  allow: 'anyone',
  body: FoundToken,
  reply: Nothing,
  status: 204,
  run: async ({ tx, body: { token } }) => {
    const text = token.trim()
    const found = kindOfToken(text) && (await findToken(tx, text))
    const owner = found && (await findTokenOwner(tx, found.id))
    if (!owner) return unchanged(null)
    await blockCommandsOf(tx, owner.id)
    const changes = await revokeToken(tx, { owner, id: found.id, by: 'finder' })
    return changes.length ? changedIf(null, changes) : unchanged(null)
  },
})
