/** Databases that were migrated by the 65 former files, which the first ten files of `server/migrations` replace. */
import type pg from 'pg'
import { loadMigrationFiles } from 'postgres-migrations'

/** The hash of the last former file, which ran only after all others, and only if none of them had changed. */
const LAST = '39cc0ada7e80fa2e52e6a3e26a0983b9c27a4fe1'
const REPLACED_BY = 10

/** The names that differ between the two schemas. Those of not-null constraints differ, too, but no statement uses them. */
const RENAME = `
  alter table memberships rename constraint group_users_pkey to memberships_pkey;
  alter table memberships rename constraint group_users_group_id_fkey to memberships_group_id_fkey;
  alter table memberships rename constraint group_users_user_id_fkey to memberships_user_id_fkey;
  alter index group_users_group_id_user_id_idx rename to memberships_group_id_user_id_idx;
  alter table direct_roles rename constraint user_roles_pkey to direct_roles_pkey;
  alter table direct_roles rename constraint user_roles_user_id_fkey to direct_roles_user_id_fkey;
  alter table direct_roles rename constraint user_roles_role_id_fkey to direct_roles_role_id_fkey;
  alter index user_roles_role_id_user_id_idx rename to direct_roles_role_id_user_id_idx`

/**
 * Marks the files of `folder` as run if all former files ran. The new and the former files create the same schema, down to the order of
 * columns, on which the rows in backups depend. Throws an error of one line if some former files did not run.
 */
export async function replaceFormerMigrations(client: pg.Client, folder: string) {
  const isFormer = async () =>
    (await client.query(`select to_regclass('migrations')`)).rows[0].to_regclass !== null &&
    (await client.query(`select from migrations where id = 1 and name = 'ledger'`)).rowCount === 1
  if (!(await isFormer())) return
  const files = (await loadMigrationFiles(folder)).filter(({ id }) => id > 0 && id <= REPLACED_BY)
  await client.query('begin')
  await client.query('lock table migrations')
  // Another instance may have replaced them before this one got the lock.
  if (await isFormer()) {
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations order by id desc limit 1')
    const { name, hash } = rows[0]!
    if (hash !== LAST)
      throw new Error(`an early version has migrated the database (up to ${name}): start the last version with 65 migrations on it first`)
    await client.query('delete from migrations where id > 0')
    for (const { id, name, hash } of files)
      await client.query('insert into migrations (id, name, hash) values ($1, $2, $3)', [id, name, hash])
    await client.query(RENAME)
  }
  await client.query('commit')
}
