/** Finds and rewrites every secret in the database. */
import type pg from 'pg'
import { decryptAt, encryptAt, type Place } from './secrets.ts'

const BATCH = 500

/** A column of the type `secret`, and the primary key of its table. The names go into SQL unquoted. */
interface Column {
  table: string
  column: string
  key: string
  /** The type of the key. */
  type: string
}

const COLUMNS = `
  select c.relname as table, a.attname as column, k.attname as key, format_type(k.atttypid, null) as type
  from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    join pg_index i on i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1
    join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0]
  where a.atttypid = 'secret'::regtype and not a.attisdropped order by 1, 2`

/** Every column of the type `secret`. */
const readColumns = async (client: pg.Client) => (await client.query<Column>(COLUMNS)).rows

/** Whether anything is encrypted with the key of secrets. */
export async function hasSecrets(client: pg.Client) {
  for (const { table, column } of await readColumns(client)) {
    const { rowCount } = await client.query(`select from ${table} where ${column} is not null limit 1`)
    if (rowCount) return true
  }
  return false
}

/** Returns the new bytes of a secret. Null removes it, undefined leaves it as it is. */
type Rewrite = (place: Place, encrypted: Buffer) => Buffer | null | undefined

/** Rewrites all secrets, with one transaction for each batch of rows. Returns the number of changed secrets. */
async function rewrite(client: pg.Client, change: Rewrite) {
  let changed = 0
  for (const { table, column, key, type } of await readColumns(client)) {
    let last: string | undefined
    for (;;) {
      await client.query('begin')
      // With this setting, the database lets columns of the type `secret`, and only these, change without a recorded change.
      await client.query(`select set_config('portal.rewrites_secrets', 'on', true)`)
      const { rows } = await client.query<{ row: string; encrypted: Buffer }>(
        `select ${key}::text as row, ${column} as encrypted from ${table}
         where ${column} is not null ${last === undefined ? '' : `and ${key} > $1::text::${type}`}
         order by ${key} limit ${BATCH} for no key update`,
        last === undefined ? [] : [last],
      )
      const written = rows.flatMap(({ row, encrypted }) => {
        const now = change({ table, column, row }, encrypted)
        return now === undefined ? [] : [{ row, now }]
      })
      await client.query(
        `update ${table} as kept set ${column} = rewritten.now
         from unnest($1::text[], $2::bytea[]) as rewritten (row, now) where kept.${key} = rewritten.row::${type}`,
        [written.map(({ row }) => row), written.map(({ now }) => now)],
      )
      await client.query('commit')
      changed += written.length
      if (rows.length < BATCH) break
      last = rows.at(-1)!.row
    }
  }
  return changed
}

/** Encrypts all secrets of the former key with the new one. Returns their number, and the places of secrets that neither key decrypts. */
export async function rotateSecrets(client: pg.Client, key: Buffer, before: Buffer) {
  const unreadable: string[] = []
  const rotated = await rewrite(client, (place, encrypted) => {
    if (decryptAt([key], place, encrypted) !== undefined) return undefined
    const text = decryptAt([before], place, encrypted)
    if (text !== undefined) return encryptAt(key, place, text)
    unreadable.push(`${place.table}.${place.column} of ${place.row}`)
    return undefined
  })
  return { rotated, unreadable }
}

/** Removes all secrets, because their key is lost. Returns their number. */
export const forgetSecrets = (client: pg.Client) => rewrite(client, () => null)
