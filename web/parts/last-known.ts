import { useRef } from 'preact/hooks'

/**
 * `now`, or while it is undefined, the last value of the same list: for data whose address changes while others work, such as the end of a
 * list, which depends on its length.
 */
export function useLastKnown<T>(now: T | undefined, list = '') {
  const last = useRef<{ list: string; value: T } | undefined>(undefined)
  if (now !== undefined) last.current = { list, value: now }
  return now ?? (last.current?.list === list ? last.current.value : undefined)
}
