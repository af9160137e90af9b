/** E-mail addresses as they are pasted, and the usernames that they propose. */

/** The addresses in a text, each once, whatever stands between them. */
export function addressesIn(text: string): string[] {
  const found = text.match(/[^\s,;،؛<>"]+@[^\s,;،؛<>"]+\.[^\s,;،؛<>"]+/g) ?? []
  return [...new Map(found.map((one) => [one.toLowerCase(), one])).values()]
}

/** The part before the `@`, as a username may be written. */
export const usernameOf = (email: string) =>
  email
    .split('@')[0]!
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]/gu, '.')
    .slice(0, 64)
