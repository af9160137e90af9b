/** Usernames, proposed from what is known of a person. */

/** What of an e-mail address can be a username. */
export const nameIn = (email: string) =>
  (email.split('@')[0] ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    .toLowerCase()
    .slice(0, 60)

/** The name itself, or with the first number that nobody has. */
export function firstFree(name: string, taken: readonly string[]) {
  const known = new Set(taken.map((one) => one.toLowerCase()))
  for (let number = 1; ; number++) {
    const proposed = number === 1 ? name : `${name}${number}`
    if (!known.has(proposed.toLowerCase())) return proposed
  }
}
