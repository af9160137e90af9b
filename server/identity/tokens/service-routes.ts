import { Type } from 'typebox'
import { lockProgram, readProgram, readRightsOf } from '../../people/service-accounts/queries.ts'
import { TokenParams } from '../../people/service-accounts/shapes.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { ownShare } from '../factors/rules.ts'
import { makeToken, revokeToken } from './issue.ts'
import { countTokens, listTokens } from './queries.ts'
import { MOST_OF_SERVICE, MOST_SERVICE_DAYS } from './rules.ts'
import { ApiToken, CreatedApiToken, NewApiToken } from './shapes.ts'

export const listServiceTokens = query('GET /service-accounts/:id/tokens', {
  summary: 'The API tokens of a service account, those that end first at the top',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: ListPart,
  reply: Type.Array(ApiToken),
  refuses: ['not_found'],
  total: ({ db, params }) => countTokens(db, params.id),
  run: async ({ db, params: { id }, query }) => {
    await readProgram(db, id)
    return listTokens(db, id, query)
  },
})

const BOUNDS = { kind: 'service', mostDays: MOST_SERVICE_DAYS, quota: 'service_tokens', most: MOST_OF_SERVICE } as const

export const createServiceToken = command('POST /service-accounts/:id/tokens', {
  summary: 'Make an API token of a service account',
  description:
    'The answer is the only one that has the token. It may do what the account may and its scopes name, both at the time of each call. An account has at most 10 tokens.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  body: NewApiToken,
  reply: CreatedApiToken,
  status: 201,
  refuses: ['not_found', 'quota_exceeded', 'rate_limited'],
  limits: ({ actor }) => [ownShare('tokens', actor.id)],
  run: async ({ tx, actor, params: { id }, body }) => {
    const owner = await readRightsOf(tx, await lockProgram(tx, id))
    const { made, changes } = await makeToken(tx, owner, body, { ...BOUNDS, createdBy: actor.id })
    return changedIf(made, changes)
  },
})

export const revokeServiceToken = command('DELETE /service-accounts/:id/tokens/:tokenId', {
  summary: 'End an API token of a service account',
  allow: 'admin',
  confirm: 'person',
  params: TokenParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, params: { id, tokenId } }) => {
    const changes = await revokeToken(tx, { owner: await lockProgram(tx, id), id: tokenId, by: 'owner' })
    return changes.length ? changedIf(null, changes) : refuse('not_found')
  },
})
