/** The e-mail addresses in a text, without duplicates. Any separators will do. */
export function addressesIn(text: string): string[] {
  const found = text.match(/[^\s,;:،؛<>()[\]"]+@[^\s,;:،؛<>()[\]"]+\.[^\s,;:،؛<>()[\]"]*[^\s,;:،؛<>()[\]".]/g) ?? []
  return [...new Map(found.map((one) => [one.toLowerCase(), one])).values()]
}
