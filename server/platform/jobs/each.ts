/** Acts on one item after the other, also after one has failed; then fails with the names and messages of those that did. */
export async function forEach<Item extends { name: string }>(items: readonly Item[], act: (item: Item) => Promise<unknown>) {
  const failures: string[] = []
  for (const item of items) {
    try {
      await act(item)
    } catch (error) {
      failures.push(`${item.name}: ${(error as Error).message}`)
    }
  }
  if (failures.length) throw new Error(failures.join('; '))
}
