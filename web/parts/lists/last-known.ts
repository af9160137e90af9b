import { useRef } from 'preact/hooks'

/**
 * Returns `now` or, while `now` is undefined, the last value of the same list. For data whose address other people’s changes may alter,
 * such as the end of a list, whose address contains the length of the list.
 */
export function useLastKnown<T>(now: T | undefined, list = '') {
  const last = useRef<{ list: string; value: T } | undefined>(undefined)
  if (now !== undefined) last.current = { list, value: now }
  return now ?? (last.current?.list === list ? last.current.value : undefined)
}
