import { useEffect } from 'preact/hooks'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { say } from '../../overlay/toasts.tsx'
import { type Kind, readFilters, type Values } from './reading.ts'
import { t } from './texts.ts'

/** Filters stored in the address, so that people can keep and share them. Invalid values are dropped, and a toast says so once. */
export function useFilters<K extends Record<string, Kind<unknown>>>(kinds: K) {
  const { values, wrong } = readFilters(kinds, queryValue)
  useEffect(() => {
    if (wrong.length === 0) return
    say({ text: t.wrong })
    setQuery(Object.fromEntries(wrong.map((name) => [name, ''])))
  }, [wrong.join()])
  return {
    values,
    set: (changed: Partial<Values<K>>) =>
      setQuery(Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value === undefined ? '' : String(value)]))),
  }
}
