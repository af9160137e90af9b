/** SQL expressions that build JSON as it is sent. They are assembled from the code's own text only, never from input. */
import { sql } from 'kysely'

/** A JSON object with these fields, each given as an SQL expression. */
export const jsonObject = (fields: Record<string, string>) =>
  `json_build_object(${Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`

/** A timestamp as ISO 8601 in UTC, with milliseconds. */
export const jsonMoment = (expression: string) => `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The JSON of all rows as a list, which may be empty. */
export const jsonList = (json: string, order: string) => sql.raw<string>(`coalesce(json_agg(${json} order by ${order}), '[]')::text`)

export interface Person {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
}
/** A person as others see them, from a row of `users`. `others` adds fields or replaces their expressions. */
export const personJson = (row: string, others: Record<string, string> = {}) =>
  jsonObject({
    id: `${row}.id`,
    username: `${row}.username`,
    displayNameAr: `${row}.display_name_ar`,
    displayNameEn: `${row}.display_name_en`,
    avatarUrl: `${row}.avatar_url`,
    ...others,
  })

/** As `personJson`, or null if the outer join found no row. */
export const personOrNull = (row: string) => `case when ${row}.id is not null then ${personJson(row)} end`

/** A person by the id and the username that a row stores, with their present names if they still exist. */
export const keptPerson = (id: string, username: string) =>
  `(select ${personJson('u', { id, username: `coalesce(u.username, ${username})` })} from (select) as one left join users u on u.id = ${id})`
