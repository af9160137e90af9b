/** Recording that an app was opened, and deleting the records with the app or the person. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { addJob } from '../../platform/jobs/runner.ts'

export interface AppOpen {
  appId: number
  userId: number
}

/**
 * Records app opens with one statement; returns for each whether it was recorded. An app or a person deleted at the same time affects only
 * its own opens: both are locked before the rows are written.
 */
export async function noteAppOpens(tx: Tx, appOpens: AppOpen[]) {
  const { rows } = await sql<AppOpen>`
    with held_apps as materialized (
      select id from apps where id = any(${appOpens.map(({ appId }) => appId)}::int[]) and is_active order by id for key share
    ), held_users as materialized (
      select id from users where id = any(${appOpens.map(({ userId }) => userId)}::int[]) order by id for key share
    )
    insert into app_opens (app_id, user_id)
    select app_id, user_id
    from unnest(${appOpens.map(({ appId }) => appId)}::int[], ${appOpens.map(({ userId }) => userId)}::int[]) as opening (app_id, user_id)
    join held_apps on held_apps.id = app_id join held_users on held_users.id = user_id
    returning app_id, user_id`.execute(tx)
  const noted = new Set(rows.map(({ appId, userId }) => `${appId} ${userId}`))
  return appOpens.map(({ appId, userId }) => noted.has(`${appId} ${userId}`))
}

/** The owner of the opens to delete: a deleted app or person. */
export interface AppOpensOf {
  of: 'app' | 'user'
  id: number
}

const APP_OPENS_AT_ONCE = 5000

/** Deletes the oldest opens from the instant `from` (as text) on; returns the instant to continue from, or null if none are left. */
export async function removeSomeAppOpens(tx: Tx, { of, id }: AppOpensOf, from = '-infinity') {
  const theirs = sql`${sql.ref(`${of}_id`)} = ${id} and created_at >= ${from}::timestamptz`
  const { rows } = await sql<{ last: string | null }>`
    with reach as materialized (
      select (select created_at from app_opens where ${theirs} order by created_at offset ${APP_OPENS_AT_ONCE} limit 1) as last
    ), gone as (
      delete from app_opens where ${theirs} and created_at <= coalesce((select last from reach), 'infinity')
    )
    select last::text from reach`.execute(tx)
  return rows[0]!.last
}

/** Deletes the first opens at once. A job deletes the rest, because one transaction cannot hold the opens of a year. */
export async function forgetAppOpens(tx: Tx, appOpens: AppOpensOf) {
  const from = await removeSomeAppOpens(tx, appOpens)
  if (from) await addJob(tx, 'forget_app_opens', { ...appOpens, from })
}
