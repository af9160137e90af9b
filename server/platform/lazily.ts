/** Makes something when it is first asked for, and once: all are given the same. What could not be made is tried again by the next. */
export function lazily<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return {
    get: () =>
      (made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })),
    /** What was made, or is being made; undefined where nobody has asked, or the last attempt failed. */
    made: () => made,
  }
}
