/** Restores deleted records, with the rows that were deleted with them, as far as these still fit. */
import { sql } from 'kysely'
import { give } from '../../access/grants/queries.ts'
import { type GrantKind, withEnd } from '../../access/grants/rules.ts'
import { nameAgain, updatePolicyOf } from '../../people/groups/queries.ts'
import { type Kept, restoreRows } from '../../platform/changes/kept.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import { brokenUnique, type Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'

/** A stored deletion, and the entry of the log that its undo refers to. */
interface Deletion {
  id: number
  rows: Kept
  undoes: number
}
type Changes = [Change, ...Change[]]

/** Refuses `slug_taken` and `name_taken` if a newer record has the slug or the name by now. */
const restore = (tx: Tx, table: string, rows: Kept[string]) =>
  restoreRows(tx, table, rows).catch((error) => {
    const broken = brokenUnique(error)
    if (broken === 'slug_taken') refuse('slug_taken')
    if (broken?.endsWith('_name_taken')) refuse('name_taken')
    throw error
  })

const text = (row: Kept[string][number], column: string) => String(row[column])
const inBoth = (row: Kept[string][number]) => ({ nameAr: text(row, 'name_ar'), nameEn: text(row, 'name_en') })
const only = (rows: Kept, table: string) => rows[table]![0]!

async function restoreApp(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const app = only(rows, 'apps')
  await restore(tx, 'apps', [app])
  for (const table of ['app_open_days', 'app_open_months']) await restoreRows(tx, table, rows[table]!)
  // Opens by deleted people have no rows of their own, so they are added to the daily totals over all apps here.
  await sql`select count_for_day('app_opens', day, forgotten) from app_open_days where app_id = ${id} and forgotten > 0 order by day`.execute(
    tx,
  )
  return [{ kind: 'app.restored', targetId: id, facts: { slug: text(app, 'slug'), ...inBoth(app), undoes } }]
}

/** A service whose category is gone is restored without one. Its team still exists: no team is deleted while the service can come back. */
async function restoreService(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const service = only(rows, 'services')
  const { rows: found } = await sql`select from service_categories where id = ${service['category_id']} for key share`.execute(tx)
  await restore(tx, 'services', [{ ...service, ...(found.length === 0 && { category_id: null }) }])
  for (const table of ['service_handlings', 'service_notices', 'service_forms', 'service_form_keys', 'order_figures'])
    await restoreRows(tx, table, rows[table] ?? [])
  return [{ kind: 'service.restored', targetId: id, facts: { ...inBoth(service), undoes } }]
}

/** Puts the former services of the category back, except those that have a new category. */
async function restoreCategory(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const category = only(rows, 'service_categories')
  await restore(tx, 'service_categories', [category])
  const ids = rows['services']!.map((service) => service['id'])
  const { rows: back } = await sql<{ id: number }>`
    with free as (select id from services where id = any(${ids}::int[]) and category_id is null order by id for no key update),
      filled as (
        update services set category_id = ${id}, updated_at = clock_timestamp() where id in (select id from free) returning id)
    select id from filled order by id`.execute(tx)
  const facts = { changed: { categoryId: { from: null, to: id } } }
  return [
    { kind: 'service_category.restored', targetId: id, facts: { ...inBoth(category), undoes } },
    ...back.map(({ id: targetId }) => ({ kind: 'service.updated', targetId, facts }) as const),
  ]
}

/**
 * Service accounts do not prevent the deletion of a group or role. Gives a restored group or role back to the service accounts that held
 * it, unless the account is gone or the grant has ended. Returns the grants.
 */
async function giveBack(tx: Tx, kind: GrantKind, id: number, grants: Kept[string] = []) {
  const { rows } = await sql<{ userId: number; expiresAt: Date | null }>`
    select program.id as user_id, was.expires_at
    from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) as was (user_id int, expires_at timestamptz)
      join users as program on program.id = was.user_id and program.kind = 'service'
    where was.expires_at is null or was.expires_at > statement_timestamp() order by program.id for key share of program`.execute(tx)
  const ends = new Map(rows.map(({ userId, expiresAt }) => [userId, expiresAt]))
  const { given } = await give(tx, kind, { userIds: [...ends.keys()], ids: [id], endOf: (userId) => ends.get(userId) ?? null })
  return given
}

/**
 * The policy of a restored group names only existing people and groups, and other policies name the group again. The rules by which a
 * provider managed the group are gone.
 */
async function restoreGroup(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const group = { ...only(rows, 'groups'), managed_by_provider: null }
  await restore(tx, 'groups', [group])
  const members = await giveBack(tx, 'group', id, rows['memberships'])
  const policies = rows['request_policies'] ?? []
  const isOwn = (policy: Kept[string][number]) => policy['group_id'] === id
  await restoreRows(tx, 'request_policies', policies.filter(isOwn))
  await updatePolicyOf(tx, id)
  return [
    { kind: 'group.restored', targetId: id, facts: { name: text(group, 'name'), undoes } },
    ...members.map(
      ({ userId: memberId, expiresAt }): Change => ({
        kind: 'group.member_added',
        targetId: id,
        facts: { part: 'users', memberId, ...withEnd(expiresAt) },
      }),
    ),
    ...(await nameAgain(
      tx,
      id,
      policies.filter((policy) => !isOwn(policy)),
    )),
  ]
}

/** A restored role grants its former permissions, except deleted ones, and demands a second factor if it did before. */
async function restoreRole(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const role = only(rows, 'roles')
  await restore(tx, 'roles', [role])
  const links = rows['role_permissions']!
  const { rows: known } = await sql<{ id: number }>`
    select id from permissions where id = any(${links.map((link) => link['permission_id'])}::int[]) order by id for key share`.execute(tx)
  const permissionIds = known.map((permission) => permission.id)
  await restoreRows(
    tx,
    'role_permissions',
    permissionIds.map((permissionId) => ({ role_id: id, permission_id: permissionId })),
  )
  await restoreRows(tx, 'second_factor_roles', rows['second_factor_roles'] ?? [])
  const name = text(role, 'name')
  const holders = await giveBack(tx, 'role', id, rows['direct_roles'])
  return [
    { kind: 'role.restored', targetId: id, facts: { name, permissionIds, undoes } },
    ...holders.map(
      ({ userId, expiresAt }): Change => ({
        kind: 'user.role_added',
        targetId: userId,
        facts: { roleId: id, roleName: name, ...withEnd(expiresAt) },
      }),
    ),
  ]
}

async function restorePermission(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const permission = only(rows, 'permissions')
  await restore(tx, 'permissions', [permission])
  return [{ kind: 'permission.restored', targetId: id, facts: { name: text(permission, 'name'), undoes } }]
}

/** The functions that restore a record, by the action of its deletion. */
export const restorations = new Map<string | null, (tx: Tx, deletion: Deletion) => Promise<Changes>>([
  ['app.delete', restoreApp],
  ['service.delete', restoreService],
  ['service_category.delete', restoreCategory],
  ['group.delete', restoreGroup],
  ['role.delete', restoreRole],
  ['permission.delete', restorePermission],
])
