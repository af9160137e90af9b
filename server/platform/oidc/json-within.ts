import { fail } from './failures.ts'

/** A JSON object from a provider. Fails `claims` if it is none, or longer than `mostBytes`. */
export function jsonWithin(text: string, mostBytes = Number.POSITIVE_INFINITY): Record<string, unknown> {
  if (Buffer.byteLength(text) > mostBytes) fail('claims', `more than ${mostBytes} bytes`)
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // It is none.
  }
  return fail('claims', 'no JSON object')
}
