import { path } from '../../../platform/router.ts'

/** The current address with the given query parameters changed; '' removes one. */
export function addressWith(values: Record<string, string>) {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  return path.value + (text && `?${text}`)
}
