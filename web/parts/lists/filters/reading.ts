/** Parses the filters in an address. */
import { isDay } from '../../forms/calendar/days.ts'

/** Parses a value from the address; undefined if it is invalid. */
export type Kind<V> = (written: string) => V | undefined

export const text: Kind<string> = (written) => written.slice(0, 200)
export const id: Kind<number> = (written) => (/^[1-9]\d{0,9}$/.test(written) && Number(written) < 2 ** 31 ? Number(written) : undefined)
/** A day that exists, `YYYY-MM-DD`. */
export const day: Kind<string> = (written) => (isDay(written) ? written : undefined)
export const oneOf =
  <const V extends string>(...values: V[]): Kind<V> =>
  (written) =>
    values.find((value) => value === written)

type Kinds = Record<string, Kind<unknown>>
export type Values<K extends Kinds> = { [N in keyof K]: K[N] extends Kind<infer V> ? V | undefined : never }

/** The valid values that are present, and the names of invalid ones. */
export function readFilters<K extends Kinds>(kinds: K, written: (name: string) => string) {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(kinds)) {
    const found = written(name)
    values[name] = found ? read(found) : undefined
    if (found && values[name] === undefined) wrong.push(name)
  }
  return { values: values as Values<K>, wrong }
}
