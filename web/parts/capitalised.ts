/** A text with a capital at its start, as at the start of a sentence or a heading; Arabic has none. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
