import { type Selectable, sql, type Updateable } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'
import type { Tables } from '../tables.ts'

const columns = [
  'siteNameAr',
  'siteNameEn',
  'registrationOpen',
  'footerTextAr',
  'footerTextEn',
  'timeZone',
  'currency',
  'updatedAt',
] as const

/** The settings as JSON; without `updatedAt` if they never changed. */
const shown = ({ updatedAt, ...settings }: Pick<Selectable<Tables['settings']>, (typeof columns)[number]>) => ({
  ...settings,
  ...(updatedAt && { updatedAt }),
})

export const readSettings = async (db: Reads) => shown(await db.selectFrom('settings').select(columns).executeTakeFirstOrThrow())

/** Locks the settings until the transaction ends. */
export const lockSettings = async (tx: Tx) =>
  shown(await tx.selectFrom('settings').select(columns).forNoKeyUpdate().executeTakeFirstOrThrow())

export const saveSettings = async (tx: Tx, fields: Updateable<Tables['settings']>) =>
  shown(
    await tx
      .updateTable('settings')
      .set({ ...fields, updatedAt: sql<Date>`clock_timestamp()` })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )
