/** A web address in a text, without a full stop or a bracket after it. */
const address = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'،؛؟])/

/** Splits a text at its web addresses. Every second part is an address. */
export const aroundAddresses = (text: string) => text.split(address)
