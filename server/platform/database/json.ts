/** SQL that writes JSON as the wire has it. All of it is the code's own text. */
import { sql } from 'kysely'

/** SQL of a JSON object with these fields, each an SQL expression. */
export const jsonObject = (fields: Record<string, string>) =>
  `json_build_object(${Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`

/** SQL of a moment as the wire has it. */
export const jsonMoment = (expression: string) => `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL of rows' JSON as a list, empty where there are none. */
export const jsonList = (json: string, order: string) => sql.raw<string>(`coalesce(json_agg(${json} order by ${order}), '[]')::text`)

/** A person as others see them, of a row of theirs; with further fields, or other expressions for these. */
export const personJson = (row: string, others: Record<string, string> = {}) =>
  jsonObject({
    id: `${row}.id`,
    username: `${row}.username`,
    displayNameAr: `${row}.display_name_ar`,
    displayNameEn: `${row}.display_name_en`,
    avatarUrl: `${row}.avatar_url`,
    ...others,
  })

/** The same, null where there is no such row. */
export const personOrNull = (row: string) => `case when ${row}.id is not null then ${personJson(row)} end`
