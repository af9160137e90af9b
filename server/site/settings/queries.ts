import { type Selectable, sql, type Updateable } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import type { Tables } from '../../platform/tables.ts'
import { usableZone } from './time-zones.ts'

const columns = ['siteNameAr', 'siteNameEn', 'registrationOpen', 'footerTextAr', 'footerTextEn', 'currency', 'updatedAt'] as const
/** A zone that is no longer known counts as UTC, so that no feature that uses it fails. */
const timeZone = sql<string>`usable_time_zone(time_zone)`.as('timeZone')

/** The settings as JSON; without `updatedAt` if they never changed. */
const shown = ({ updatedAt, timeZone, ...settings }: Pick<Selectable<Tables['settings']>, (typeof columns)[number] | 'timeZone'>) => ({
  ...settings,
  timeZone: usableZone(timeZone),
  ...(updatedAt && { updatedAt }),
})

export const readSettings = async (db: Reads) =>
  shown(
    await db
      .selectFrom('settings')
      .select([...columns, timeZone])
      .executeTakeFirstOrThrow(),
  )

/** Locks the settings until the transaction ends. */
export const lockSettings = async (tx: Tx) =>
  shown(
    await tx
      .selectFrom('settings')
      .select([...columns, timeZone])
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(),
  )

export const saveSettings = async (tx: Tx, fields: Updateable<Tables['settings']>) =>
  shown(
    await tx
      .updateTable('settings')
      .set({ ...fields, updatedAt: sql<Date>`clock_timestamp()` })
      .returning([...columns, timeZone])
      .executeTakeFirstOrThrow(),
  )
