/** Gathering what comes at the same time. */

interface Gathering<Key, Item> {
  keyOf: (item: Item) => Key
  /** So many batches at once. */
  lanes: number
  /** So many items in a batch. */
  most: number
  /** How long others may wait for a batch that is under way. */
  withinMs: number
}

/**
 * Items that come while as many batches as may be are under way gather for the next, which takes those of all keys in rotation, so that
 * nobody waits behind another's. `work` answers each item of its batch, in order, with undefined for an item that is better done alone.
 * An item that has waited too long is answered with undefined, too, and nothing was done for it.
 */
export function gathered<Key, Item, Answer>(
  work: (items: Item[]) => Promise<(Answer | undefined)[]>,
  { keyOf, lanes, most, withinMs }: Gathering<Key, Item>,
) {
  interface Waiting {
    item: Item
    resolve: (answer: Answer | undefined) => void
    reject: (error: unknown) => void
  }
  const lines = new Map<Key, Waiting[]>()
  let free = lanes

  function take() {
    const batch: Waiting[] = []
    // A line that is not empty yet goes to the end, where the loop comes to it again.
    for (const [key, line] of lines) {
      if (batch.length === most) break
      batch.push(line.shift()!)
      lines.delete(key)
      if (line.length) lines.set(key, line)
    }
    return batch
  }
  function dismiss() {
    const all = [...lines.values()].flat()
    lines.clear()
    for (const { resolve } of all) resolve(undefined)
  }
  async function run(batch: Waiting[]) {
    const patience = setInterval(dismiss, withinMs)
    try {
      const answers = await work(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      clearInterval(patience)
    }
  }
  async function drain() {
    while (lines.size) await run(take())
    free++
  }

  return (item: Item) =>
    new Promise<Answer | undefined>((resolve, reject) => {
      const key = keyOf(item)
      const line = lines.get(key)
      if (line) line.push({ item, resolve, reject })
      else lines.set(key, [{ item, resolve, reject }])
      if (free === 0) return
      free--
      queueMicrotask(drain)
    })
}
