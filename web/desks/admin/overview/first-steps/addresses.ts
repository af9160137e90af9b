/** The email addresses in a text, without duplicates. Whitespace, commas, semicolons, quotation marks and angle brackets separate them. */
export function addressesIn(text: string): string[] {
  const found = text.match(/[^\s,;:،؛<>()[\]"]+@[^\s,;:،؛<>()[\]"]+\.[^\s,;:،؛<>()[\]"]*[^\s,;:،؛<>()[\]".]/g) ?? []
  return [...new Map(found.map((one) => [one.toLowerCase(), one])).values()]
}
