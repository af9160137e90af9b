/** Reads long lists in batches, each by a statement of its own, so that no connection waits for a slow reader. */

const FIRST_ROWS = 500
const MOST_ROWS = 1000
/** A batch has at most this many times the rows of the previous one. */
const MOST_GROWTH = 4
/** The target size of a batch, in characters. */
const BATCH_SIZE = 256 * 1024
/** The size, in characters, at which a batch that is larger than estimated is cut. */
export const CUT_SIZE = 2 * BATCH_SIZE
const USUAL_SIZE = 1000

interface Batches<Row, Key> {
  /** Reads at most `rows` rows after the row with the key, or from the beginning if it is null. */
  read: (after: Key | null, rows: number) => Promise<Row[]>
  keyOf: (row: Row) => Key
  /** The length of a row, in characters; 1,000 by default. */
  sizeOf?: (row: Row) => number
  /** Whether `read` cut the batch short because of its size. */
  isCut?: (batch: Row[]) => boolean
  /** The rows of the first batch; 500 by default. */
  first?: number
  /** The maximum number of rows in total. */
  limit?: number
}

/** The rows of a list, in batches of about 256 Ki characters, estimated from the previous batch. */
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
