/** Orders that outlive the person who placed them, because they are for somebody else. */
import { sql } from 'kysely'

/** SQL: whether the order in the row `row` is for somebody else who still exists, and who is not among the people `gone`. */
export const isForAnother = (row: string, gone: readonly number[] = []) => sql<boolean>`exists (
  select from order_details join users on users.id = beneficiary_id
  where order_id = ${sql.ref(`${row}.id`)} and users.id <> all(${gone}::int[]))`
