/** The portal's requirements of a PostgreSQL database, and its warnings. */
import type pg from 'pg'

const OLDEST = 14

interface Found {
  version: string
  number: number
  encoding: string
  icu: boolean
  trigrams: boolean
  database: string
  /** Whether the schema exists or can be created. */
  begun: boolean
}

/** Throws an error of one line if the portal cannot run on this database. */
export async function assertSuitable(client: pg.Client) {
  const { rows } = await client.query<Found>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_encoding_to_char(encoding) as encoding, exists (select from pg_collation where collname = 'ar-x-icu') as icu,
      exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams, current_database() as database,
      to_regclass('public.migrations') is not null or has_database_privilege(current_database(), 'create') as begun
    from pg_database where datname = current_database()`)
  const { version, number, encoding, icu, trigrams, database, begun } = rows[0]!
  if (number < OLDEST * 10_000) throw new Error(`PostgreSQL ${version} is too old: the portal needs ${OLDEST} or newer`)
  if (encoding !== 'UTF8') throw new Error(`the encoding of the database is ${encoding}: the portal needs UTF8`)
  if (!icu) throw new Error('this PostgreSQL knows no ICU collations, which the portal sorts by')
  if (!trigrams) throw new Error('this PostgreSQL lacks the extension pg_trgm, which the portal searches with')
  // In PostgreSQL 14, everyone may create tables in `public`. Without this check, a wrong role would leave the portal's tables there.
  if (!begun) throw new Error(`permission denied for database ${database}, which is empty`)
}

export const LETTERS_UNKNOWN =
  'the LC_CTYPE of the database does not know Arabic letters: searching for them reads whole tables; create it with a UTF-8 locale'

/** Whether pg_trgm extracts trigrams from Arabic text, which depends on the database's LC_CTYPE. */
export async function knowsLetters(client: pg.Client) {
  const { rows } = await client.query<{ known: boolean }>(`select show_trgm('بوابة') <> '{}' as known`)
  return rows[0]!.known
}

/**
 * A warning if the portal's role is exempt from PostgreSQL's checks, otherwise undefined. The ledger is protected by triggers and
 * revoked rights, which do not bind such a role.
 */
export async function excessiveRights(client: pg.Client) {
  const { rows } = await client.query<{ role: string; database: string; isSuperuser: boolean; isExempt: boolean }>(`
    select rolname as role, current_database() as database, rolsuper as "isSuperuser", rolbypassrls as "isExempt"
    from pg_roles where rolname = current_user`)
  const { role, database, isSuperuser, isExempt } = rows[0]!
  if (!isSuperuser && !isExempt) return undefined
  const kind = isSuperuser ? 'a superuser' : 'exempt from row security'
  return `the database role ${role} is ${kind}: give the portal an ordinary one (create role portal login password '…'; alter database ${database} owner to portal)`
}
