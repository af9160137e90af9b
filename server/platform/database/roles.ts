/**
 * A database with two roles: its owner, who migrates it, and the portal's own role, which reads and writes rows but cannot change the
 * schema. In append-only tables, it reads and inserts.
 */
import type pg from 'pg'
import { withClient } from './client.ts'

/** The role and the database of a connection. */
export interface Identity {
  role: string
  /** Identifies the database: all its connections have the same value while its server runs. */
  database: string
}

const identify = async (client: pg.Client) => {
  const { rows } = await client.query<Identity>(`
    select current_user as role, concat(oid, ' ', extract(epoch from pg_postmaster_start_time())) as database
    from pg_database where datname = current_database()`)
  return rows[0]!
}

export const identityOf = (connection: pg.PoolConfig) => withClient(connection, identify)

/**
 * Throws an error of one line unless `owner` is another role of the same database, and owns the tables `migrations` and `ledger`, if they
 * exist.
 */
export const assertOwner = (owner: pg.PoolConfig, portal: Identity) =>
  withClient(owner, async (client) => {
    const { role, database } = await identify(client)
    if (database !== portal.database) throw new Error('it leads to another database than DATABASE_URL')
    if (role === portal.role) throw new Error(`it has the role of DATABASE_URL, ${role}: the owner needs one of its own`)
    const { rows } = await client.query<{ name: string; owner: string }>(`
      select c.oid::regclass::text as name, pg_get_userbyid(relowner) as owner from pg_class c
      where relnamespace in (${SCHEMAS}) and relname in ('migrations', 'ledger') and not pg_has_role(relowner, 'usage')
      order by relname limit 1`)
    const [foreign] = rows
    if (foreign) throw new Error(`the table ${foreign.name} belongs to ${foreign.owner}, not to ${role}`)
  })

/** The portal's schemas and that of its queue, as far as they exist. */
const SCHEMAS = `select oid from pg_namespace where nspname in ('public', 'past', 'planned', 'graphile_worker')`

const isOfExtension = (catalogue: string, oid: string) =>
  `exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`

/** Tables that only the owner writes: the list of migrations, and those that the owner's functions write. */
const IS_OWNERS = `(relname = 'migrations' or exists (select from pg_trigger where tgrelid = c.oid and tgname = 'owner_only'))`

const IS_APPEND_ONLY = `exists (select from pg_trigger where tgrelid = c.oid and tgname = 'append_only')`

/**
 * The owner's objects on which role $1 does not have the rights it should have, with its present and its intended rights. Partitions need
 * no rights: they are reached through their tables.
 */
const RIGHTS = `
  with things (kind, oid, name, acl, rights) as (
    select 'schema', oid, oid::regnamespace::text, nspacl, '{USAGE}'::text[] from pg_namespace where oid in (${SCHEMAS})
    union all
    select case relkind when 'S' then 'sequence' else 'table' end, c.oid, c.oid::regclass::text, relacl,
      (case when relkind = 'S' then '{USAGE}'
            when relispartition then '{}'
            when relkind = 'v' or ${IS_OWNERS} then '{SELECT}'
            when ${IS_APPEND_ONLY} then '{INSERT,SELECT}'
            else '{DELETE,INSERT,SELECT,UPDATE}' end)::text[]
    from pg_class c where relnamespace in (${SCHEMAS}) and relkind in ('r', 'p', 'v', 'S') and pg_has_role(relowner, 'usage')
      and not ${isOfExtension('pg_class', 'c.oid')}
    union all
    select 'routine', p.oid, p.oid::regprocedure::text, proacl, (case when prorettype = 'trigger'::regtype then '{}' else '{EXECUTE}' end)::text[]
    from pg_proc p where pronamespace in (${SCHEMAS}) and pg_has_role(proowner, 'usage') and not ${isOfExtension('pg_proc', 'p.oid')}
  )
  select kind, name, rights, held from things cross join lateral (
    select coalesce(array_agg(privilege_type order by privilege_type collate "C"), '{}')::text[] as held
    from (
      select grantee, privilege_type from aclexplode(acl)
      union all
      select grantee, 'column' from pg_attribute cross join aclexplode(attacl) where kind = 'table' and attrelid = things.oid) as given
    where grantee = (select oid from pg_roles where rolname = $1)) as own
  where held <> rights`

/**
 * Statements that revoke rights from `public`, and statements that create policies. Objects that somebody creates in a schema or session
 * could shadow the right ones, and functions that run as their owner are for the portal only. The policies open the queue to all roles that
 * have rights on it.
 */
const OPEN_TO_ALL = `
  select format('revoke create on schema %s from public', oid::regnamespace) as statement
    from pg_namespace, aclexplode(nspacl) where oid in (${SCHEMAS}) and grantee = 0 and privilege_type = 'CREATE'
  union all
  select format('revoke temporary on database %I from public', datname)
    from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
    where datname = current_database() and grantee = 0 and privilege_type = 'TEMPORARY'
  union all
  select format('revoke execute on routine %s from public', p.oid::regprocedure)
    from pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner)))
    where pronamespace in (${SCHEMAS}) and pg_has_role(proowner, 'usage') and prosecdef and grantee = 0
  union all
  -- Row security without a policy closes the queue's tables to everyone but their owner. Here, rights protect them.
  select format('create policy whoever_has_rights on %s using (true) with check (true)', c.oid::regclass)
    from pg_class c where relnamespace in (${SCHEMAS}) and pg_has_role(relowner, 'usage') and relrowsecurity and not exists (select from pg_policy where polrelid = c.oid)`

/** Gives the portal's role exactly the rights it needs. Objects on which it has these already are left alone. */
export const grantRights = (owner: pg.PoolConfig, role: string) =>
  withClient(owner, async (client) => {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtext('rights of the portal'))`)
    const { rows: closing } = await client.query<{ statement: string }>(OPEN_TO_ALL)
    for (const { statement } of closing) await client.query(statement)
    const to = client.escapeIdentifier(role)
    const { rows } = await client.query<{ kind: string; name: string; rights: string[] }>(RIGHTS, [role])
    for (const { kind, name, rights } of rows) {
      await client.query(`revoke all on ${kind} ${name} from ${to}`)
      if (rights.length) await client.query(`grant ${rights} on ${kind} ${name} to ${to}`)
    }
    await client.query('commit')
  })

const WAYS = `
  select 'may create roles' as way from pg_roles where rolname = session_user and rolcreaterole
  union all
  select format('owns the database %s', datname) from pg_database where datname = current_database() and pg_has_role(session_user, datdba, 'member')
  union all
  select format('may create schemas in the database %s', current_database()) where has_database_privilege(session_user, current_database(), 'create')
  union all
  select format('may create temporary tables in the database %s', current_database())
    where has_database_privilege(session_user, current_database(), 'temporary')
  union all
  select format('may create tables and functions in the schema %s', oid::regnamespace) from pg_namespace
    where oid in (${SCHEMAS}) and has_schema_privilege(session_user, oid, 'create')
  union all
  select format('owns %s', c.oid::regclass) from pg_class c where relnamespace in (${SCHEMAS}) and pg_has_role(session_user, relowner, 'member')
  union all
  select format('owns %s', oid::regprocedure) from pg_proc where pronamespace in (${SCHEMAS}) and pg_has_role(session_user, proowner, 'member')
  union all
  select format('may rewrite %s', c.oid::regclass) from pg_class c
    where relnamespace in (${SCHEMAS}) and relkind in ('r', 'p') and ${IS_APPEND_ONLY}
      and (has_table_privilege(session_user, c.oid, 'update, delete, truncate, trigger') or has_any_column_privilege(session_user, c.oid, 'update'))
  union all
  select format('may write %s', c.oid::regclass) from pg_class c
    where relnamespace in (${SCHEMAS}) and ${IS_OWNERS} and relkind = 'r'
      and (has_table_privilege(session_user, c.oid, 'insert, update, delete') or has_any_column_privilege(session_user, c.oid, 'insert, update'))`

/** A warning if the portal's role could bypass the locks of the ledger; otherwise undefined. */
export async function wayPastLocks(client: pg.Client) {
  const { rows } = await client.query<{ role: string; way: string }>(`select session_user as role, way from (${WAYS}) as ways limit 1`)
  const [found] = rows
  return (
    found &&
    `the database role ${found.role} ${found.way}: anyone with its password can pass the locks of the ledger (docs/operating.md says what the role may be)`
  )
}
