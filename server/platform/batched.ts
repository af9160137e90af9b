/** Batches the work of callers that arrive at the same time. */

interface Batches<Item> {
  /** The most items in a batch. */
  most?: number
  /** The most batches at once. */
  lanes?: number
  /** The key of an item: a batch takes one item of each key, and the keys take turns. By default each item has its own key. */
  keyOf?: (item: Item) => unknown
}

/**
 * Gathers the items that arrive while all lanes are busy into the next batch. `work` returns an answer for each item of its batch, in
 * order; when it fails, the whole batch fails with its error.
 */
export function batched<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  { most = 1000, lanes = 1, keyOf = () => Symbol() }: Batches<Item> = {},
) {
  interface Waiting {
    item: Item
    resolve: (answer: Answer) => void
    reject: (error: unknown) => void
  }
  const lines = new Map<unknown, Waiting[]>()
  let free = lanes

  function takeBatch() {
    const batch: Waiting[] = []
    const served: [unknown, Waiting[]][] = []
    for (const [key, line] of lines) {
      if (batch.length === most) break
      batch.push(line.shift()!)
      lines.delete(key)
      if (line.length) served.push([key, line])
    }
    for (const [key, line] of served) lines.set(key, line)
    return batch
  }
  async function drain() {
    while (lines.size) {
      const batch = takeBatch()
      try {
        const answers = await work(batch.map(({ item }) => item))
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    free++
  }

  return (item: Item) =>
    new Promise<Answer>((resolve, reject) => {
      const key = keyOf(item)
      const line = lines.get(key)
      if (line) line.push({ item, resolve, reject })
      else lines.set(key, [{ item, resolve, reject }])
      if (free === 0) return
      free--
      queueMicrotask(drain)
    })
}
