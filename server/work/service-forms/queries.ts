import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import type { FormField, Kind } from './rules.ts'

export interface Form {
  version: number
  fields: FormField[]
  /** The creation time of this version; null if there is no form. */
  updatedAt: Date | null
}
const noForm: Form = { version: 0, fields: [], updatedAt: null }

/** One version of a form; undefined if it never existed. */
export async function findVersion(db: Reads, serviceId: number, version: number): Promise<Form | undefined> {
  const { rows } = await sql<Form>`
    select version, fields, created_at as updated_at from service_forms
    where service_id = ${serviceId} and version = ${version}`.execute(db)
  return rows[0]
}

/** The current form of a service; version 0 without fields if it has none. */
export async function findForm(db: Reads, serviceId: number): Promise<Form> {
  const { rows } = await sql<Form>`
    select version, fields, created_at as updated_at from service_forms
    where service_id = ${serviceId} order by version desc limit 1`.execute(db)
  return rows[0] ?? noForm
}

/** The kinds of all keys that forms of a service ever had. */
export async function findKinds(db: Reads, serviceId: number) {
  const rows = await db.selectFrom('serviceFormKeys').select(['key', 'kind']).where('serviceId', '=', serviceId).execute()
  return new Map(rows.map(({ key, kind }) => [key, kind as Kind]))
}

/** Adds a version of the form of a locked service. Sold-out options that this version lacks are removed from the service’s notice. */
export async function addVersion(tx: Tx, serviceId: number, { version, fields }: Pick<Form, 'version' | 'fields'>) {
  await sql`insert into service_forms (service_id, version, fields) values (${serviceId}, ${version}, ${JSON.stringify(fields)})`.execute(
    tx,
  )
  await sql`
    insert into service_form_keys (service_id, key, kind)
    select ${serviceId}, * from unnest(${fields.map(({ key }) => key)}::text[], ${fields.map(({ kind }) => kind)}::text[])
    on conflict do nothing`.execute(tx)
  const known = optionsIn(fields)
  await sql`
    update service_notices set off_options = array(select one from unnest(off_options) as one where one = any(${known}::text[]))
    where service_id = ${serviceId} and not off_options <@ ${known}::text[]`.execute(tx)
}

/** All options of a form, as `field.option`. */
export const optionsIn = (fields: readonly FormField[]) =>
  fields.flatMap(({ key, options = [] }) => options.map((option) => `${key}.${option.key}`))
