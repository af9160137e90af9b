import { useRef } from 'preact/hooks'

/**
 * Returns `now` or, while `now` is undefined, the last value of the same list. For data whose address changes when other people change the
 * list: the address of the end of a list, for example, contains the length of the list.
 */
export function useLastKnown<T>(now: T | undefined, list = '') {
  const last = useRef<{ list: string; value: T } | undefined>(undefined)
  if (now !== undefined) last.current = { list, value: now }
  return now ?? (last.current?.list === list ? last.current.value : undefined)
}
