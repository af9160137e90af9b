/** Deletes orders with all that goes with them. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { TEAM_ID } from './queries.ts'
import type { KnownOrder } from './rules.ts'

type Which = { ids: number[] } | { serviceId: number } | { userId: number }
function chosen(which: Which) {
  if ('ids' in which) return sql`id = any(${which.ids}::int[])`
  if ('serviceId' in which) return sql`service_id = ${which.serviceId}`
  return sql`user_id = ${which.userId}`
}

/** Deletes orders with their files, by their ids, or all of a service or of a requester. Returns the changes. */
export async function removeOrders(tx: Tx, which: Which) {
  const { rows } = await sql<Omit<KnownOrder, 'team'> & { teamId: number | null; files: { id: number; uuid: string }[] | null }>`
    with gone as (
      delete from orders where id = any(array(select id from orders where ${chosen(which)} order by id for update)) returning *),
      files as (
        delete from objects using order_files where object_id = objects.id and order_id = any(array(select id from gone))
        returning order_id, objects.id, uuid)
    select o.id, o.status, o.user_id, o.assigned_to, ${sql.raw(TEAM_ID)} as team_id,
      (select json_agg(json_build_object('id', files.id, 'uuid', uuid)) from files where order_id = o.id) as files
    from gone as o left join service_handlings as handling using (service_id) order by o.id`.execute(tx)
  return rows.flatMap(({ id, teamId, files, ...facts }): Change[] => [
    { kind: 'order.deleted', targetId: id, facts: { ...facts, ...(teamId && { teamId }) } },
    ...(files ?? []).map((file) => ({ kind: 'object.removed' as const, targetId: file.id, facts: { uuid: file.uuid } })),
  ])
}
