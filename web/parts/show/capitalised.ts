/** A text with its first letter capitalised, for the start of a sentence or a heading. Arabic text stays as it is. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
