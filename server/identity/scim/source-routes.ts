import { sql } from 'kysely'
import { Type } from 'typebox'
import { takeAll } from '../../access/grants/queries.ts'
import { endsOf, membershipsExpired, withoutNotice } from '../../access/grants/rules.ts'
import { readRightsOf } from '../../people/service-accounts/queries.ts'
import { TokenParams } from '../../people/service-accounts/shapes.ts'
import { removePerson } from '../../people/users/queries.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { type Change, changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { ownShare } from '../factors/rules.ts'
import { forgetSource } from '../providers/administration.ts'
import { makeToken, revokeToken } from '../tokens/issue.ts'
import { MOST_OF_SOURCE, MOST_SERVICE_DAYS } from '../tokens/rules.ts'
import { insertSource, listSources, lockSource, readSource, updateSource } from './queries.ts'
import { accountOf } from './rules.ts'
import { CreatedSourceToken, NewSource, NewSourceToken, Release, Source, SourcePatch } from './shapes.ts'

export const listProvisioningSources = query('GET /admin/provisioning/sources', {
  summary: 'The directories that provision people and groups by SCIM, by name',
  allow: 'admin',
  scope: 'admin:read',
  reply: Type.Array(Source),
  run: ({ db, config }) => listSources(db, config),
})

export const createSource = command('POST /admin/provisioning/sources', {
  summary: 'Add a directory that provisions people and groups by SCIM',
  description:
    'Its account, `scim-` with its name, is the author of what it changes. It is not active unless the body says so. At most 10.',
  allow: 'admin',
  confirm: 'person',
  record: Source,
  body: NewSource,
  reply: Source,
  status: 201,
  refuses: ['name_taken', 'username_taken', 'quota_exceeded'],
  run: async ({ tx, config, body: { name, ...settings } }) => {
    const { id, userId } = await insertSource(tx, name, settings)
    return changed(
      await readSource(tx, config, id),
      { kind: 'source.created', targetId: id, facts: { name } },
      { kind: 'source.account_made', targetId: userId, facts: { name } },
    )
  },
})

export const showSource = query('GET /admin/provisioning/sources/:id', {
  summary: 'One source, with the calls that were refused last',
  allow: 'admin',
  scope: 'admin:read',
  record: Source,
  params: IdParams,
  reply: Source,
  refuses: ['not_found'],
  run: ({ db, config, params: { id } }) => readSource(db, config, id),
})

export const changeSource = command('PATCH /admin/provisioning/sources/:id', {
  summary: 'Change a source; its name stays',
  description: 'Omitted fields do not change. Once it is switched off, its calls are refused, those under way included.',
  allow: 'admin',
  confirm: 'person',
  record: Source,
  params: IdParams,
  body: SourcePatch,
  reply: Source,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, config, params: { id }, body }) => {
    const before = await lockSource(tx, id)
    await ifMatch(() => readSource(tx, config, id))
    const differences = changedFields(before, body)
    if (Object.keys(differences).length === 0) return unchanged(await readSource(tx, config, id))
    await updateSource(tx, id, body)
    const facts = { name: before.name, changed: differences }
    return changed(await readSource(tx, config, id), { kind: 'source.updated', targetId: id, facts })
  },
})

export const deleteSource = command('DELETE /admin/provisioning/sources/:id', {
  summary: 'Delete a source with its tokens; its people and groups stay as they are and are nobody’s',
  allow: 'admin',
  confirm: 'person',
  record: Source,
  locks: 'leaving',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, config, params: { id }, deletionHooks }) => {
    const { userId, name } = await lockSource(tx, id)
    const source = await readSource(tx, config, id)
    await ifMatch(() => source)
    const forgotten = await forgetSource(tx, id)
    const holders = deletionHooks('users')
    await holders.lock(tx, userId)
    await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    // An administrator may have put the source's account into groups.
    const { taken, ended } = await takeAll(tx, 'group', { userId })
    const changes = await holders.remove(tx, userId, () => removePerson(tx, userId))
    const { userCount, groupCount } = source
    return changedIf(null, [
      { kind: 'source.deleted', targetId: id, facts: { name, userCount, groupCount } },
      { kind: 'source.account_removed', targetId: userId, facts: { name } },
      ...membershipsExpired(ended).map(withoutNotice),
      ...taken.map((grant): Change => {
        const facts = { part: 'users', memberId: userId, ends: endsOf('userId', { taken: [grant] }) } as const
        return { kind: 'group.member_removed', targetId: grant.id, facts }
      }),
      ...changes,
      ...forgotten,
    ])
  },
})

const BOUNDS = { kind: 'source', mostDays: MOST_SERVICE_DAYS, quota: 'source_tokens', most: MOST_OF_SOURCE } as const

export const createSourceToken = command('POST /admin/provisioning/sources/:id/tokens', {
  summary: 'Make a token for a source',
  description: 'The answer is the only one that has the token. A source has at most two, so that one can replace the other.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  body: NewSourceToken,
  reply: CreatedSourceToken,
  status: 201,
  refuses: ['not_found', 'quota_exceeded', 'rate_limited'],
  limits: ({ actor }) => [ownShare('tokens', actor.id)],
  run: async ({ tx, actor, params: { id }, body }) => {
    const { userId, name } = await lockSource(tx, id)
    const owner = await readRightsOf(tx, { id: userId, username: accountOf(name) })
    const { made, changes } = await makeToken(tx, owner, { ...body, scopes: ['scim'] }, { ...BOUNDS, createdBy: actor.id })
    return changedIf(made, changes)
  },
})

export const revokeSourceToken = command('DELETE /admin/provisioning/sources/:id/tokens/:tokenId', {
  summary: 'End a token of a source',
  allow: 'admin',
  confirm: 'person',
  params: TokenParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, params: { id, tokenId } }) => {
    const { userId, name } = await lockSource(tx, id)
    const owner = { id: userId, username: accountOf(name), kind: 'service' } as const
    const changes = await revokeToken(tx, { owner, id: tokenId, by: 'owner' })
    return changes.length ? changedIf(null, changes) : refuse('not_found')
  },
})

export const releaseSource = command('POST /admin/provisioning/sources/:id/release', {
  summary: 'Let deactivations through that are held; the source makes them in its next cycle',
  description: 'What is left of `allow` a day later ends.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  body: Release,
  reply: Source,
  refuses: ['not_found'],
  run: async ({ tx, config, params: { id }, body: { allow } }) => {
    const { name, allowance } = await lockSource(tx, id)
    await updateSource(tx, id, { allowance: allow, releasedAt: sql<Date>`now()`, heldAt: null })
    const facts = { name, changed: { allowance: { from: allowance, to: allow } } }
    return changed(await readSource(tx, config, id), { kind: 'source.updated', targetId: id, facts })
  },
})
