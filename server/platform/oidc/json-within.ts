import { fail } from './failures.ts'

/** A JSON object; undefined for a text that is none. */
export function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A JSON object from a provider. Fails `claims` for another text, and for one longer than `mostBytes`. */
export function jsonWithin(text: string, mostBytes = Number.POSITIVE_INFINITY): Record<string, unknown> {
  if (Buffer.byteLength(text) > mostBytes) fail('claims', `more than ${mostBytes} bytes`)
  return jsonOf(text) ?? fail('claims', 'no JSON object')
}
