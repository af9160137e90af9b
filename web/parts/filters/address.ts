import { path } from '../../platform/router.ts'

/** The current address with other query values; '' removes one. */
export function addressWith(values: Record<string, string>) {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  return path.value + (text && `?${text}`)
}
