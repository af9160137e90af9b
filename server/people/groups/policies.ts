/** The policies of groups: whether people may ask to join, who may ask, and who decides. */
import { sql } from 'kysely'
import type { Kept } from '../../platform/changes/kept.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { noPolicy, type RequestPolicy } from './rules.ts'

const columns = [
  'requestable',
  'askerGroupIds',
  'approverUserIds',
  'approverGroupIds',
  'minApprovals',
  'maxDays',
  'reasonRequired',
  'noteAr',
  'noteEn',
] as const

/** The policy of an existing group; the default one if none was set. */
export const findPolicy = async (db: Reads, groupId: number): Promise<RequestPolicy> =>
  (await db.selectFrom('requestPolicies').select(columns).where('groupId', '=', groupId).executeTakeFirst()) ?? noPolicy

/** The policy of a group, and the ids of its approver groups that people may ask to join. */
export async function readPolicy(db: Reads, groupId: number) {
  const policy = await findPolicy(db, groupId)
  return { ...policy, openApproverGroupIds: await findOpenGroups(db, policy.approverGroupIds) }
}

/** The ids among `groupIds` of the groups that people may ask to join. */
export async function findOpenGroups(db: Reads, groupIds: readonly number[]) {
  const open = await db
    .selectFrom('requestPolicies')
    .select('groupId')
    .where('requestable', '=', true)
    .where('groupId', '=', sql<number>`any(${groupIds}::int[])`)
    .orderBy('groupId')
    .execute()
  return open.map((group) => group.groupId)
}

export const setPolicy = (tx: Tx, groupId: number, policy: RequestPolicy) =>
  tx
    .insertInto('requestPolicies')
    .values({ groupId, ...policy })
    .onConflict((conflict) => conflict.column('groupId').doUpdateSet(policy))
    .execute()

const isAdmin = sql`(select id from roles where name = 'admin')`

/**
 * Refuses `not_requestable` for a group that nobody may ask for: a system group, one that makes its members administrators, or one whose
 * members follow from the claims of a provider or from a source.
 */
export async function checkMayBeAskedFor(tx: Tx, { id, isSystem }: { id: number; isSystem: boolean }) {
  const { rows } = await sql`
    select from group_roles where group_id = ${id} and role_id = ${isAdmin}
    union all select from groups_from_elsewhere where group_id = ${id}`.execute(tx)
  if (isSystem || rows.length) refuse('not_requestable')
}

/**
 * Refuses `not_requestable` when one of the roles is `admin` and people may ask to join one of the groups, and `grants_admin` when one of the
 * groups is filled by a provider’s rule, or by a source, that may not give `admin`.
 */
export async function checkMayGive(db: Reads, groupIds: readonly number[], roleIds: readonly number[]) {
  const { rows: open } = await sql`
    select from request_policies
    where group_id = any(${groupIds}::int[]) and requestable and ${isAdmin} = any(${roleIds}::int[])`.execute(db)
  if (open.length) refuse('not_requestable')
  const { rows: filled } = await sql`
    select from provider_group_rules
    where group_id = any(${groupIds}::int[]) and not grants_admin and ${isAdmin} = any(${roleIds}::int[])
    union all
    select from provisioned_groups as own join provisioning_sources as source on source.id = own.source_id and not may_grant_admin
    where own.group_id = any(${groupIds}::int[]) and removed_at is null and ${isAdmin} = any(${roleIds}::int[])`.execute(db)
  if (filled.length) refuse('grants_admin')
}

/** Closes the policies of groups, so that nobody can ask to join them. Returns the changes. */
export async function closePolicies(tx: Tx, groupIds: readonly number[]) {
  if (groupIds.length === 0) return []
  const { rows } = await sql<{ groupId: number }>`
    update request_policies set requestable = false where group_id = any(${groupIds}::int[]) and requestable returning group_id`.execute(tx)
  const changed = { requestable: { from: true, to: false } }
  return rows.map(({ groupId }): Change => ({ kind: 'group.request_policy_changed', targetId: groupId, facts: { changed } }))
}

/** The parts that a policy loses when a person or group is deleted. */
interface Loss {
  groupId: number
  ofAskers: boolean
  ofApprovers: boolean
  /** Only members of the deleted group could ask, so the policy closes. */
  closes: boolean
}
const lists = { users: { approvers: sql.ref('approver_user_ids') }, groups: { approvers: sql.ref('approver_group_ids') } }

/** SQL: whether the group is the last asker of an open policy. The policy then closes, because an empty list would let everyone ask. */
const closesWithout = (id: number) => sql`requestable and asker_group_ids = array[${id}::int]`

/** The policies of other groups that name a person or a group, with the parts that each loses. */
export async function findNaming(tx: Tx, of: 'users' | 'groups', id: number) {
  const ofAskers = of === 'groups' ? sql<boolean>`${id} = any(asker_group_ids)` : sql<boolean>`false`
  const ofApprovers = sql<boolean>`${id} = any(${lists[of].approvers})`
  const { rows } = await sql<Loss>`
    select group_id, ${ofAskers} as of_askers, ${ofApprovers} as of_approvers, ${ofAskers} and ${closesWithout(id)} as closes
    from request_policies where (${ofAskers} or ${ofApprovers}) and ${of === 'groups' ? sql`group_id <> ${id}` : sql`true`}
    order by group_id`.execute(tx)
  return rows
}

/** SQL: whether a policy is that of a group, or names the group. */
export const concernsGroup = (id: number) => sql`(group_id = ${id} or ${id} = any(asker_group_ids) or ${id} = any(approver_group_ids))`

/** Takes a deleted person or group out of all policies. */
export async function forgetInPolicies(tx: Tx, of: 'users' | 'groups', id: number) {
  const { approvers } = lists[of]
  const askers =
    of === 'groups'
      ? sql`, asker_group_ids = array_remove(asker_group_ids, ${id}::int), requestable = requestable and not (${closesWithout(id)})`
      : sql``
  await sql`
    update request_policies set ${approvers} = array_remove(${approvers}, ${id}::int) ${askers}
    where ${id} = any(${approvers}) ${of === 'groups' ? sql`or ${id} = any(asker_group_ids)` : sql``}`.execute(tx)
}

interface Regain {
  groupId: number
  ofAskers: boolean
  ofApprovers: boolean
  opens: boolean
}
/**
 * Puts a restored group back into the policies that named it; `policies` is their state before the deletion. A policy that closed without
 * the group opens again, if people may still ask to join the policy's own group. A policy that is open to everyone by now stays so. Returns
 * the changes.
 */
export async function nameAgain(tx: Tx, id: number, policies: Kept[string]) {
  const withIt = (list: string) => sql`array(select unnest(policy.${sql.ref(list)}) union select ${id}::int order by 1)`
  const { rows } = await sql<Regain>`
    with due as materialized (
        select group_id, ${id} = any(was.asker_group_ids) and not (policy.requestable and policy.asker_group_ids = '{}') as of_askers,
          ${id} = any(was.approver_group_ids) as of_approvers,
          ${id} = any(was.asker_group_ids) and was.requestable and not policy.requestable and policy.asker_group_ids = '{}'
            and not exists (
              select from group_roles where group_roles.group_id = policy.group_id and role_id = ${isAdmin}
              union all select from groups_from_elsewhere as managed where managed.group_id = policy.group_id) as opens
        from jsonb_populate_recordset(null::request_policies, ${JSON.stringify(policies)}::jsonb) as was
          join request_policies as policy using (group_id)
        order by group_id for update of policy)
    update request_policies as policy set requestable = policy.requestable or opens,
      asker_group_ids = case when of_askers then ${withIt('asker_group_ids')} else asker_group_ids end,
      approver_group_ids = case when of_approvers then ${withIt('approver_group_ids')} else approver_group_ids end
    from due where policy.group_id = due.group_id and (of_askers or of_approvers)
    returning policy.group_id, of_askers, of_approvers, opens`.execute(tx)
  const back = { from: [], to: [id] }
  const inOrder = rows.toSorted((one, other) => one.groupId - other.groupId)
  return inOrder.map(({ groupId, ofAskers, ofApprovers, opens }): Change => {
    const changed = {
      ...(opens && { requestable: { from: false, to: true } }),
      ...(ofAskers && { askerGroupIds: back }),
      ...(ofApprovers && { approverGroupIds: back }),
    }
    return { kind: 'group.request_policy_changed', targetId: groupId, facts: { changed } }
  })
}

/** Removes, from the policy of a restored group, the people and groups that were deleted after the group. */
export const updatePolicyOf = (tx: Tx, groupId: number) =>
  sql`
    update request_policies as policy set
      approver_user_ids = array(select id from users where id = any(policy.approver_user_ids) order by id),
      approver_group_ids = array(select id from groups where id = any(policy.approver_group_ids) order by id),
      asker_group_ids = array(select id from groups where id = any(policy.asker_group_ids) order by id),
      requestable = requestable and (asker_group_ids = '{}' or exists (select from groups where id = any(policy.asker_group_ids)))
    where group_id = ${groupId}`.execute(tx)
