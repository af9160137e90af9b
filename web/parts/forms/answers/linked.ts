/** A web address in a text, without the punctuation mark or bracket that follows it. */
const address = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'،؛؟])/

/** Splits a text at its web addresses. Every second part is an address. */
export const aroundAddresses = (text: string) => text.split(address)
