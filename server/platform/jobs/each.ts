/** Acts on all items in turn, even if some fail. Then throws an error with the names and messages of the failed ones. */
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
