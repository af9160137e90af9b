import { changed } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { Nothing } from '../../platform/http/shape.ts'
import { take } from '../grants/queries.ts'
import { endsOf } from '../grants/rules.ts'
import { checkGivesBack, listOwnGrants } from './own-grants.ts'
import { GivenBackParams, Grants, GrantsQuery } from './shapes.ts'

export const readOwnGrants = query('GET /auth/me/grants', {
  summary: 'The caller’s memberships and direct roles, those that end first, then by name',
  description:
    '`since` is null if no history has it. `requestId` is the request by which they became a member. Memberships of groups that can be asked for can be given back.',
  allow: 'signed-in',
  query: GrantsQuery,
  reply: Grants,
  run: ({ db, actor, query }) => listOwnGrants(db, actor.id, query, actor.language),
})

export const giveMembershipBack = command('DELETE /auth/me/groups/:groupId', {
  summary: 'Leave a group that can be asked for',
  description: 'For people who are no members of it, the group is not found.',
  allow: 'signed-in',
  locks: { accessOf: ({ actor }) => actor.id },
  params: GivenBackParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'not_requestable'],
  prepare: async ({ db, actor, params: { groupId } }) => {
    await checkGivesBack(db, groupId, actor.id)
    return actor.id
  },
  run: async ({ tx, actor, params: { groupId } }) => {
    await checkGivesBack(tx, groupId, actor.id)
    const taken = await take(tx, 'group', { userIds: [actor.id], ids: [groupId] })
    if (taken.length === 0) return refuse('not_found')
    const facts = { part: 'users', memberId: actor.id, givenBack: true, ends: endsOf('userId', { taken }) } as const
    return changed(null, { kind: 'group.member_removed', targetId: groupId, facts })
  },
})
