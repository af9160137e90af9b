/** Shows access as a plan of changes would leave it. */
import { sql } from 'kysely'
import { inSnapshot, type Reads } from '../database/db.ts'

/** The tables of links that decide on access. */
type Links = 'user_roles' | 'group_users' | 'group_roles' | 'group_apps' | 'role_permissions' | 'app_permissions'
const tables: readonly Links[] = ['user_roles', 'group_users', 'group_roles', 'group_apps', 'role_permissions', 'app_permissions']

type Pairs = readonly (readonly [number, number])[]
/** The links that a plan removes from each table and adds to it, as pairs of ids in the order of the table's name. */
export type Plan = Partial<Record<Links, { taken?: Pairs; added?: Pairs }>>

/** A list of ids as one text, because the driver would check each number of an array for quotes. */
const list = (ids: readonly number[]) => `{${ids.join()}}`
const sidesOf = (pairs: Pairs = []) => [list(pairs.map(([one]) => one)), list(pairs.map(([, other]) => other))]

/**
 * Runs `work` in a transaction in which the schema `planned` shows the tables that decide on access as this plan would leave them; `public`
 * shows them as they are.
 */
export function inPlan<T>(db: Reads, plan: Plan, work: (snapshot: Reads) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return inSnapshot(db, (snapshot) => inPlan(snapshot, plan, work))
  const settings = tables.map((table) => {
    const lists = [...sidesOf(plan[table]?.taken), ...sidesOf(plan[table]?.added)]
    return sql`set_config(${`portal.planned_${table}`}, ${lists.join('|')}, true)`
  })
  return sql`select ${sql.join(settings)}`.execute(db).then(() => work(db))
}
