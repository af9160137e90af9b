export const MOST_SOURCES = 10

/** The username of a source's account. */
export const accountOf = (name: string) => `scim-${name}`

/** How many deactivations within an hour are never held. */
const NEVER_HELD = 19
/**
 * Whether the n-th deactivation within an hour is held: it is not one of the first `NEVER_HELD`, and n is more than a tenth of
 * `activeBefore`, the number of the source's active people before the first of these deactivations.
 */
export const isHeld = (n: number, activeBefore: number) => n > NEVER_HELD && n * 10 > activeBefore

const MOST_ID = 2147483647
/** Reads an id from a URL or a value. Returns undefined for anything but an integer from 1 to 2,147,483,647. */
export function idIn(text: unknown) {
  const written = typeof text === 'number' ? String(text) : text
  if (typeof written !== 'string' || !/^[1-9]\d{0,9}$/.test(written)) return undefined
  const id = Number(written)
  return id <= MOST_ID ? id : undefined
}
