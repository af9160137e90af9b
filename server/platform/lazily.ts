/** Makes something at the first call, once for all callers. After a failure, the next call tries again. */
export function lazily<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return {
    get: () =>
      (made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })),
    /** The promise that `get` returned; undefined before the first call and after a failure. */
    made: () => made,
  }
}
