import type { Resource } from '../../../platform/cache.ts'
import type { List } from '../../../platform/list.ts'

/** Gives a small list, loaded whole, the form of a table's list; `rows` are the rows shown. */
export const knownList = <Row>(of: Resource<readonly Row[]>, rows: readonly Row[]): List<Row> => ({
  total: rows.length,
  length: rows.length,
  at: (index) => rows[index],
  show() {},
  isKnown: of.data !== undefined,
  error: of.data === undefined ? of.error : undefined,
  asOf: of.data !== undefined && of.error ? of.updatedAt : undefined,
  isFormer: false,
  refresh: () => void of.refresh(),
})
