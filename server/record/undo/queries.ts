/** Restores deleted records, with the rows that were deleted with them, as far as these still fit. */
import { sql } from 'kysely'
import { updatePolicyOf } from '../../people/groups/queries.ts'
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
  // Opens by deleted people have no rows of their own, so they are added to the daily totals of all apps here.
  await sql`select count_for_day('app_opens', day, forgotten) from app_open_days where app_id = ${id} and forgotten > 0 order by day`.execute(
    tx,
  )
  return [{ kind: 'app.restored', targetId: id, facts: { slug: text(app, 'slug'), ...inBoth(app), undoes } }]
}

/** A service whose category is gone has none. Its team is not gone: it is not deleted while the service can come back. */
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

/** The policy of a restored group names only existing people and groups. The rules by which a provider managed the group are gone. */
async function restoreGroup(tx: Tx, { id, rows, undoes }: Deletion): Promise<Changes> {
  const group = { ...only(rows, 'groups'), managed_by_provider: null }
  await restore(tx, 'groups', [group])
  await restoreRows(tx, 'request_policies', rows['request_policies'] ?? [])
  await updatePolicyOf(tx, id)
  return [{ kind: 'group.restored', targetId: id, facts: { name: text(group, 'name'), undoes } }]
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
  return [{ kind: 'role.restored', targetId: id, facts: { name: text(role, 'name'), permissionIds, undoes } }]
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
