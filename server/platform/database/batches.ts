/** Reading lists that may be long: in batches, each by a statement of its own, so that no connection waits for a slow reader. */

const FIRST_ROWS = 500
const MOST_ROWS = 1000
/** A batch has at most so many times the rows of the one before. */
const MOST_GROWTH = 4
/** What a batch should come to, in characters. */
const BATCH_SIZE = 256 * 1024
/** Where a batch is cut that comes to more than was expected. */
export const CUT_SIZE = 2 * BATCH_SIZE
const USUAL_SIZE = 1000

interface Batches<Row, Key> {
  /** At most `rows` rows that follow the one with the key; from the beginning for null. */
  read: (after: Key | null, rows: number) => Promise<Row[]>
  keyOf: (row: Row) => Key
  /** How long a row is, in characters; 1,000 where it is left out. */
  sizeOf?: (row: Row) => number
  /** Whether `read` kept rows back because of their size. */
  isCut?: (batch: Row[]) => boolean
  /** How many rows are read at first; 500 where it is left out. */
  first?: number
  /** How many rows are read in all. */
  limit?: number
}

/** The rows of a list, batch by batch: each has as many as come to 256 Ki characters, as far as the one before tells. */
export async function* batchesOf<Row, Key>({
  read,
  keyOf,
  sizeOf = () => USUAL_SIZE,
  isCut = () => false,
  first = FIRST_ROWS,
  limit = Number.POSITIVE_INFINITY,
}: Batches<Row, Key>) {
  let after: Key | null = null
  let rows = first
  for (let left = limit; left > 0; ) {
    const asked = Math.min(rows, left)
    const batch: Row[] = await read(after, asked)
    yield batch
    if (batch.length < asked && !isCut(batch)) return
    left -= batch.length
    after = keyOf(batch.at(-1)!)
    const size = batch.reduce((sum, row) => sum + sizeOf(row), 0)
    const suitable = Math.floor((batch.length * BATCH_SIZE) / size)
    rows = Math.max(1, Math.min(MOST_ROWS, rows * MOST_GROWTH, suitable))
  }
}
