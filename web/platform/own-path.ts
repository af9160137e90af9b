/**
 * Returns an address from a query if it leads to the portal itself, otherwise '/'. Control characters are refused because browsers skip
 * tabs and line breaks: to them, `/⇥/evil.example` is another host.
 */
export const ownPath = (text: string) => (/^\/(?![/\\])\P{Cc}*$/u.test(text) ? text : '/')
