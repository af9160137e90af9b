/** The time zones that the office can be in: those that PostgreSQL, Node and browsers know by the same name. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'

/** Names of zones. Abbreviations, which have no slash, mean different zones to PostgreSQL and to browsers. */
export const ZONE = '^(UTC|[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)+)$'

const UTC = 'UTC'

function isKnownHere(timeZone: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** The zone, or UTC if Node does not know it. */
export const usableZone = (timeZone: string) => (isKnownHere(timeZone) ? timeZone : UTC)

/** The time zones that the database knows; with `name`, only the one of that name, if there is one. */
const namesInDatabase = async (db: Reads, name: string | null) =>
  (
    await sql<{ name: string }>`
      select name from pg_timezone_names where name ~ ${ZONE} and (${name}::text is null or name = ${name}::text) order by name collate "C"`.execute(
      db,
    )
  ).rows.map(({ name }) => name)

export const isTimeZone = async (db: Reads, name: string) => isKnownHere(name) && (await namesInDatabase(db, name)).length > 0

const checked = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name, true]))

/** The names that `isTimeZone` accepts. */
export async function listTimeZones(db: Reads) {
  const names = await namesInDatabase(db, null)
  for (const name of names.filter((name) => !checked.has(name))) {
    // Lets other requests run, because Node needs a tenth of a second for all names.
    await setImmediate()
    checked.set(name, isKnownHere(name))
  }
  return names.filter((name) => checked.get(name))
}
