import { sql } from 'kysely'
import { isOfPerson } from '../../platform/auth/held.ts'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { findNaming, forgetInPolicies } from './policies.ts'

/** The changes of all policies that name a person or a group. They are recorded once that person or group is deleted. */
async function leavePolicies(tx: Tx, of: 'users' | 'groups', id: number) {
  const approvers = of === 'users' ? 'approverUserIds' : 'approverGroupIds'
  const gone = { from: [id], to: [] }
  return (await findNaming(tx, of, id)).map(({ groupId, ofAskers, ofApprovers, closes }): Change => {
    const changed = {
      ...(closes && { requestable: { from: true, to: false } }),
      ...(ofAskers && { askerGroupIds: gone }),
      ...(ofApprovers && { [approvers]: gone }),
    }
    return { kind: 'group.request_policy_changed', targetId: groupId, facts: { changed } }
  })
}

export const groupDeletionHooks = [
  deletionHook({ of: 'users', columns: ['memberships.user_id'] }),
  deletionHook({
    of: 'roles',
    columns: ['group_roles.role_id'],
    counts: { groupCount: sql<number>`(select count(*) from group_roles where role_id = roles.id)` },
  }),
  deletionHook({
    of: 'groups',
    columns: ['memberships.group_id'],
    counts: { memberCount: sql<number>`(select count(*) from group_users where group_id = groups.id and ${isOfPerson})` },
  }),
  deletionHook({
    of: 'groups',
    columns: ['group_apps.group_id'],
    counts: { appCount: sql<number>`(select count(*) from group_apps where group_id = groups.id)` },
  }),
  deletionHook({
    of: 'groups',
    columns: ['group_roles.group_id'],
    counts: { roleCount: sql<number>`(select count(*) from group_roles where group_id = groups.id)` },
  }),
  deletionHook({ of: 'groups', columns: ['request_policies.group_id'] }),
  deletionHook({
    of: 'users',
    columns: ['request_policies.approver_user_ids'],
    leaves: (tx, id) => leavePolicies(tx, 'users', id),
    gone: (tx, id) => forgetInPolicies(tx, 'users', id),
  }),
  deletionHook({
    of: 'groups',
    columns: ['request_policies.asker_group_ids', 'request_policies.approver_group_ids'],
    leaves: (tx, id) => leavePolicies(tx, 'groups', id),
    gone: (tx, id) => forgetInPolicies(tx, 'groups', id),
  }),
]
