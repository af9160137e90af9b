import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { lockExistingPeople } from '../users/queries.ts'
import { checkMayBeAskedFor, findPolicy, readPolicy, setPolicy } from './policies.ts'
import { checkGroupExists, lockGroup } from './queries.ts'
import { policyChanges, policyOf } from './rules.ts'
import { NewRequestPolicy, RequestPolicy } from './shapes.ts'

export const readRequestPolicy = query('GET /groups/:id/request-policy', {
  summary: 'Whether and how people may ask to join a group',
  description: 'A group without a policy of its own cannot be asked for.',
  allow: 'admin',
  scope: 'people:read',
  record: RequestPolicy,
  params: IdParams,
  reply: RequestPolicy,
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await checkGroupExists(db, id)
    return readPolicy(db, id)
  },
})

export const replaceRequestPolicy = command('PUT /groups/:id/request-policy', {
  summary: 'Replace the policy by which people may ask to join a group',
  description:
    'Omitted fields get their defaults. System groups and groups that give the role `admin` cannot be asked for. Pending requests for a group that can no longer be asked for lapse.',
  allow: 'admin',
  scope: 'admin:write',
  record: RequestPolicy,
  locks: 'access',
  params: IdParams,
  body: NewRequestPolicy,
  reply: RequestPolicy,
  refuses: ['not_found', 'unknown_ids', 'not_requestable'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    const group = await lockGroup(tx, id)
    await ifMatch(() => readPolicy(tx, id))
    const [before, after] = [await findPolicy(tx, id), policyOf(body)]
    await lockExistingPeople(tx, after.approverUserIds, { known: before.approverUserIds })
    await lockExisting(tx, 'groups', [...after.askerGroupIds, ...after.approverGroupIds])
    if (after.requestable) await checkMayBeAskedFor(tx, group)
    const differences = policyChanges(before, after)
    if (Object.keys(differences).length === 0) return unchanged(await readPolicy(tx, id))
    await setPolicy(tx, id, after)
    return changed(await readPolicy(tx, id), { kind: 'group.request_policy_changed', targetId: id, facts: { changed: differences } })
  },
})
