/** The effects of a provider's settings: groups that it manages, sessions that end, and people who must be invited again. */
import { sql } from 'kysely'
import { managerOf, removeEnds } from '../../access/grants/queries.ts'
import { endsRemoved } from '../../access/grants/rules.ts'
import { closePolicies } from '../../people/groups/queries.ts'
import { blockCommands } from '../../platform/auth/last-admin.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import { inviteAgain } from '../passwords/invitations.ts'
import { findStranded } from './identities.ts'
import type { GroupRule } from './queries.ts'
import { MOST_RULES } from './rules.ts'
import type { Provider } from './shapes.ts'

interface Ruled {
  id: number
  isSystem: boolean
  givesAdmin: boolean
  managedByProvider: number | null
  isOfSource: boolean
}

const idsOf = (rules: readonly GroupRule[]) => [...new Set(rules.map(({ groupId }) => groupId))].sort((one, other) => one - other)

/**
 * Refuses too many rules, and rules for unknown groups, for system groups and, without `grantsAdmin`, for groups that give the role
 * `admin`. In the mode `manage`, also refuses groups that another provider or a source manages.
 */
export async function checkRules(tx: Tx, providerId: number, mode: string, rules: readonly GroupRule[]) {
  if (rules.length > MOST_RULES) throw quotaExceeded({ quota: 'provider_rules', used: rules.length, allowed: MOST_RULES })
  const ids = idsOf(rules)
  await lockExisting(tx, 'groups', ids)
  const { rows } = await sql<Ruled>`
    select id, is_system, managed_by_provider,
      exists (select from provisioned_groups where group_id = groups.id and removed_at is null) as is_of_source,
      exists (select from group_roles where group_id = groups.id and role_id = (select id from roles where name = 'admin')) as gives_admin
    from groups where id = any(${ids}::int[]) order by id`.execute(tx)
  if (rows.some(({ isSystem }) => isSystem)) refuse('system_group')
  const foreign = rows.find(({ managedByProvider: manager, isOfSource }) => isOfSource || (manager !== null && manager !== providerId))
  if (mode === 'manage' && foreign) refuse('managed_elsewhere', { body: { source: await managerOf(tx, foreign.id) } })
  const administering = new Set(rows.filter(({ givesAdmin }) => givesAdmin).map(({ id }) => id))
  if (rules.some(({ groupId, grantsAdmin }) => !grantsAdmin && administering.has(groupId))) refuse('grants_admin')
}

/**
 * Sets which groups the provider manages: those in its rules if `mode` is `manage`, otherwise none. Memberships of managed groups lose their
 * ends. People cannot ask to join groups in rules. Returns the changes.
 */
export async function settleGroups(tx: Tx, { id, slug }: { id: number; slug: string }, mode: string, rules: readonly GroupRule[]) {
  const managed = mode === 'manage' ? idsOf(rules) : []
  const { rows: released } = await sql<{ id: number }>`
    update groups set managed_by_provider = null where managed_by_provider = ${id} and id <> all(${managed}::int[]) returning id`.execute(
    tx,
  )
  const { rows: adopted } = await sql<{ id: number }>`
    update groups set managed_by_provider = ${id} where id = any(${managed}::int[]) and managed_by_provider is null returning id`.execute(
    tx,
  )
  return [
    ...released.map((group): Change => ({ kind: 'group.released', targetId: group.id, facts: { provider: slug } })),
    ...adopted.map((group): Change => ({ kind: 'group.adopted', targetId: group.id, facts: { provider: slug } })),
    ...endsRemoved(await removeEnds(tx, managed)),
    ...(await closePolicies(tx, idsOf(rules))),
  ]
}

/** Takes a group out of the rules of all providers. */
export async function forgetGroup(tx: Tx, groupId: number) {
  const { rows } = await sql<{ id: number; slug: string; values: string[] }>`
    with gone as (delete from provider_group_rules where group_id = ${groupId} returning provider_id, value)
    select p.id, p.slug, array_agg(gone.value order by gone.value) as values from gone join sign_in_providers p on p.id = gone.provider_id
    group by p.id order by p.id`.execute(tx)
  return rows.map(({ id, slug, values }): Change => {
    const from = values.map((value) => ({ value, groupId }))
    return { kind: 'provider.updated', targetId: id, facts: { slug, changed: { groupRules: { from, to: [] } } } }
  })
}

/** Takes a source out of all providers, before it is deleted. */
export async function forgetSource(tx: Tx, sourceId: number) {
  const { rows } = await sql<{ id: number; slug: string }>`
    update sign_in_providers set source_id = null, updated_at = clock_timestamp() where source_id = ${sourceId} returning id, slug`.execute(
    tx,
  )
  return rows.map(({ id, slug }): Change => {
    return { kind: 'provider.updated', targetId: id, facts: { slug, changed: { sourceId: { from: sourceId, to: null } } } }
  })
}

export const endSessionsOfProvider = (tx: Tx, providerId: number) =>
  endSessionsWhere(tx, sql`provider_id = ${providerId}`, 'provider', null)

/**
 * Deletes a provider. While people have no other way to sign in, refuses `last_sign_in_method` or, if `isForced`, invites them to choose a
 * password.
 */
export async function removeProvider(tx: Tx, provider: Provider, isForced: boolean, config: Config): Promise<Change[]> {
  const { id, slug, nameAr, nameEn, identityCount } = provider
  // A running command may be removing somebody’s only other way to sign in.
  await blockCommands(tx)
  const stranded = await findStranded(tx, id)
  if (stranded.length && !isForced) refuse('last_sign_in_method', { body: { count: stranded.length } })
  const groups = await settleGroups(tx, provider, 'add', [])
  const { rows: unlinked } = await sql<{ userId: number }>`delete from identities where provider_id = ${id} returning user_id`.execute(tx)
  await tx.deleteFrom('providerGroupRules').where('providerId', '=', id).execute()
  // People are locked before their sessions: docs/lock-order.md.
  for (const person of stranded) await inviteAgain(tx, person, config)
  const ended = await endSessionsOfProvider(tx, id)
  await tx.deleteFrom('signInProviders').where('id', '=', id).execute()
  return [
    { kind: 'provider.deleted', targetId: id, facts: { slug, nameAr, nameEn, identityCount } },
    ...unlinked.map(({ userId }): Change => ({ kind: 'identity.unlinked', targetId: userId, facts: { provider: slug } })),
    ...groups,
    ...ended,
  ]
}
